import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { nextRoll, readRolled, roll } from '../../projections/views/candles/roll.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { expectTrueCandles, randomTicks, rollAll, runRoller } from './support/candle-rolls.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { project, until, useWorlds } from './support/world.ts'

const world = useWorlds()
const DAY = 86_400_000
const now = Date.now()

describe('a roll', () => {
  let proxy: FaultyProxy | undefined
  afterEach(() => proxy?.close())

  test.each(['cut_before', 'cut_after', 'cut_and_deliver_late'] as const)(
    '%s: every tick counts once',
    async (fault) => {
      const { journal, client: direct, storeUrl, database } = await world()
      proxy = await startFaultyProxy(storeUrl)
      const client = openClickHouse({ url: proxy.url, database })
      const all = randomTicks(randomFrom(7), 400)
      const retries: unknown[] = []
      const { roller, stop } = runRoller({ journal, client, onRetry: (error) => retries.push(error) })
      await roller.caughtUp
      for (let from = 0; from < all.length; from += 200) {
        proxy.faults.push(fault)
        await appendTicks(journal, all.slice(from, from + 200))
        await project(ticks, { journal, client: direct })
        await until(() => proxy?.faults.length === 0)
        await until(async () => (await roller.progress()).lag === 0)
      }
      await stop()
      await client.close()
      expect(retries.length).toBeGreaterThanOrEqual(2)
      await expectTrueCandles({ journal, client: direct })
    },
  )

  test('is done again where its repetition was dropped with success', async () => {
    const { journal, client: direct, storeUrl, database } = await world()
    proxy = await startFaultyProxy(storeUrl)
    const client = openClickHouse({ url: proxy.url, database })
    const { roller, stop } = runRoller({ journal, client })
    await roller.caughtUp
    proxy.faults.push('cut_before', 'drop')
    await appendTicks(journal, [tick('XAU-USD', '1', now - DAY)])
    await project(ticks, { journal, client: direct })
    await until(() => proxy?.faults.length === 0)
    await appendTicks(journal, [tick('XAU-USD', '2', now - DAY)])
    await project(ticks, { journal, client: direct })
    await until(async () => (await roller.progress()).lag === 0)
    await stop()
    await client.close()
    await expectTrueCandles({ journal, client: direct }, ['XAU-USD'])
  })

  test('waits longer and longer for a store that is away, which it says once', async () => {
    const { journal, storeUrl, database } = await world()
    const asked: number[] = []
    let isAway = false
    const server = createServer((from, to) => {
      if (isAway) {
        asked.push(performance.now())
        return void from.socket.destroy()
      }
      from.pipe(
        request(new URL(from.url ?? '', storeUrl), { method: from.method, headers: from.headers }, (answer) => {
          to.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(to)
        }),
      )
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server, 'listening')
    const client = openClickHouse({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, database })
    onTestFinished(() => client.close())
    const retries: unknown[] = []
    const { roller, stop } = runRoller({ journal, client, onRetry: (error) => retries.push(error) })
    await roller.caughtUp
    isAway = true
    await until(() => asked.length >= 6)
    expect((asked[5] ?? 0) - (asked[4] ?? 0)).toBeGreaterThan(700)
    expect(retries).toHaveLength(1)
    expect((await roller.progress()).running).toBe(true)
    isAway = false
    await appendTicks(journal, randomTicks(randomFrom(3), 50))
    await project(ticks, { journal, client })
    await until(async () => (await roller.progress()).lag === 0)
    // Another outage is told again.
    isAway = true
    await until(() => retries.length === 2)
    isAway = false
    await stop()
  })

  test('done again, from anywhere before, or by two at once, changes nothing', async () => {
    const { journal, client } = await world()
    const all = randomTicks(randomFrom(11), 900)
    await appendTicks(journal, all.slice(0, 300))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    const first = await readRolled(client)
    await appendTicks(journal, all.slice(300, 600))
    await project(ticks, { journal, client })
    const second = (await nextRoll(client, first)) ?? []
    await appendTicks(journal, all.slice(600))
    await project(ticks, { journal, client })
    const third = (await nextRoll(client, first)) ?? []
    // A roller that was fenced and doesn't know it: its rolls come at the same time as, and after, its successor's.
    await Promise.all([roll(client, first, second), roll(client, first, third), roll(client, first, second)])
    await roll(client, first, second)
    expect(await readRolled(client)).toEqual(third)
    await expectTrueCandles({ journal, client })
    await rollAll({ journal, client })
    await expectTrueCandles({ journal, client })
  })
})
