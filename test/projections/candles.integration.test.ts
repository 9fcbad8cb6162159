import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { compareDecimals } from '../../domain/decimal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { rebuildCandles, verifyCandles } from '../../projections/candle-copy.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { ensureTable } from '../../projections/migrate.ts'
import type { ProjectorOptions } from '../../projections/projector.ts'
import { candles, decimalOrder, nextRoll, readRolled, roll } from '../../projections/views/candles/roll.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts'
import { type Candle, candlesOf } from './support/price-queries.ts'
import { appendTicks, tick, timer } from './support/ticks.ts'
import { project, rows, until, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const signal = AbortSignal.timeout(300_000)
const DAY = 86_400_000
const now = Date.now()
const SYMBOLS = ['XAU-USD', 'XAG-USD', 'EUR-USD', 'GBP-USD', 'USD-JPY', 'BRENT-USD']
const SEED = Number(process.env.ALMANAC_SEED ?? Date.now() % 1_000_000)

/** A roller at work; `stop` waits for its end. */
function run(options: ProjectorOptions) {
  const stopping = new AbortController()
  const roller = new CandleRoller({ intervalMs: 10, ...options })
  const running = roller.run(stopping.signal)
  running.catch(() => undefined)
  return {
    roller,
    /** Rejects once it has ended by itself. */
    running,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function rollAll(world: Pick<World, 'journal' | 'client'>): Promise<void> {
  const { roller, stop } = run(world)
  await roller.caughtUp
  await stop()
}

/** Random prices of a few minutes, some late, some said twice, in the order in which they arrive. */
function randomTicks(random: () => number, count: number, from = now - 10 * DAY): Tick[] {
  const made: Tick[] = []
  while (made.length < count) {
    const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? ''
    const late = random() < 0.2 ? Math.floor(random() * 600_000) : 0
    // Few distinct instants and prices, so that ties happen.
    const at = from + Math.floor((made.length * 700 - late) / 500) * 500
    const price = (9 + Math.floor(random() * 300) / 100).toFixed(random() < 0.5 ? 2 : 3)
    const said = tick(symbol, price, at, { source: random() < 0.3 ? 'TEST2' : 'TEST', recordedAt: from + made.length })
    made.push(said, ...(random() < 0.1 ? [said] : []), ...(random() < 0.1 ? [timer(symbol, at)] : []))
  }
  return made
}

/** The candles of a symbol as the journal's records make them, by the plainest means. */
async function expectedOf(journal: TypedJournal, symbol: string): Promise<Candle[]> {
  const groups = new Map<string, Tick[]>()
  for await (const { records } of journal.readToEnd('ticks', journal.partitionFor('ticks', symbol))) {
    for (const { value } of records) {
      if (value.kind !== 'price' || value.symbol !== symbol) continue
      const key = `${value.observed_at.slice(0, 16)} ${value.source}`
      groups.set(key, [...(groups.get(key) ?? []), value])
    }
  }
  return [...groups.keys()].sort().map((key) => {
    // A stable sort: what arrived first stays first within a millisecond.
    const inTime = (groups.get(key) ?? []).toSorted((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
    const bySize = inTime.map(({ price }) => price).sort((a, b) => compareDecimals(a, b) || a.length - b.length)
    const [first, last] = [inTime.at(0), inTime.at(-1)]
    return {
      source: key.slice(17),
      minute: `${key.slice(0, 16)}:00.000Z`,
      open: first?.price ?? '',
      high: bySize.at(-1) ?? '',
      low: bySize[0] ?? '',
      close: last?.price ?? '',
      ticks: inTime.length,
      firstAt: first?.observed_at ?? '',
      lastAt: last?.observed_at ?? '',
    }
  })
}

async function expectTrue({ journal, client }: Pick<World, 'journal' | 'client'>, symbols = SYMBOLS): Promise<void> {
  for (const symbol of symbols) {
    expect(await candlesOf(client, symbol)).toEqual(await expectedOf(journal, symbol))
  }
}

describe('candles', () => {
  test(`are what the journal's ticks make, late and repeated ones too, however they are rolled (seed ${SEED})`, async () => {
    const random = randomFrom(SEED)
    const { journal, client } = await world()
    const all = randomTicks(random, 1_000)
    for (let from = 0; from < all.length; ) {
      const upTo = from + 1 + Math.floor(random() * 600)
      await appendTicks(journal, all.slice(from, upTo))
      from = upTo
      await project(ticks, { journal, client })
      // Rows that are there twice count once.
      if (random() < 0.3) await client.command({ query: 'INSERT INTO ticks SELECT * FROM ticks WHERE rand() % 4 = 0' })
      await rollAll({ journal, client })
    }
    await expectTrue({ journal, client })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, examples: [] })
    const [table] = await rows<{ n: number }>(client, 'SELECT toUInt32(sum(ticks)) AS n FROM candles FINAL')
    expect(table?.n).toBe(all.filter(({ kind }) => kind === 'price').length)
  })

  test('hold prices of any length and minutes before 1970, each source for itself', async () => {
    const { journal, client } = await world()
    const at = Math.floor((now - DAY) / 60_000) * 60_000
    const [large, small] = ['9'.repeat(64), `0.${'0'.repeat(60)}12`]
    await appendTicks(journal, [
      tick('XAU-USD', '10', at + 1),
      tick('XAU-USD', large, at + 2),
      tick('XAU-USD', small, at + 3),
      tick('XAU-USD', '9.99', at + 59_999),
      tick('XAU-USD', '5', at + 60_000),
      tick('XAU-USD', '6', at + 60_000, { source: 'TEST2' }),
      tick('XAU-USD', '7', Date.UTC(1960, 0, 31, 23, 59, 59, 999), { recordedAt: at }),
    ])
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    const first = await candlesOf(client, 'XAU-USD', at, at + 1)
    expect(first).toMatchObject([{ open: '10', high: large, low: small, close: '9.99', ticks: 4 }])
    const second = await candlesOf(client, 'XAU-USD', at + 60_000, at + 60_001)
    expect(second).toMatchObject([
      { source: 'TEST', open: '5' },
      { source: 'TEST2', open: '6' },
    ])
    const [old] = await candlesOf(client, 'XAU-USD', -1e13, 0)
    expect(old).toMatchObject({ minute: '1960-01-31T23:59:00.000Z', lastAt: '1960-01-31T23:59:59.999Z' })
    await expectTrue({ journal, client }, ['XAU-USD'])
  })

  test('order prices as numbers do', async () => {
    const { client } = await world()
    const digits = fc.stringMatching(/^[0-9]{1,30}$/)
    const decimal = fc
      .tuple(fc.bigInt(0n, 10n ** 30n), fc.option(digits))
      .map(([whole, fraction]) => (fraction === null ? `${whole}` : `${whole}.${fraction}`))
    const prices = fc.sample(decimal, 300).flatMap((price) => [price, price.includes('.') ? `${price}0` : `${price}.0`])
    const result = await client.query({
      query: `SELECT arrayJoin({prices:Array(String)}) AS price ORDER BY ${decimalOrder('price')}`,
      query_params: { prices },
      format: 'JSONEachRow',
    })
    const sorted = (await result.json<{ price: string }>()).map(({ price }) => price)
    expect(sorted).toEqual(prices.toSorted((a, b) => compareDecimals(a, b) || a.length - b.length))
  })

  test('the largest roll is one part, which says how far it has got', async () => {
    const { journal, client } = await world()
    await ensureTable(client, ticks, journal.id)
    await ensureTable(client, candles, journal.id)
    await client.command({ query: 'SYSTEM STOP MERGES candles' })
    // Each tick in a minute of its own, so that as many candles come of a roll as ever can.
    await client.command({
      query: `INSERT INTO ticks (symbol, source, price, observed_at, appended_at, _partition, _offset)
        SELECT concat('T', toString(number % 6)), 'TEST', '1.5', toDateTime64('2000-01-01', 3) + number * 60, now(),
          number % 6, intDiv(number, 6)
        FROM system.numbers LIMIT 610_000`,
    })
    const rolled = await readRolled(client)
    const through = (await nextRoll(client, rolled)) ?? []
    await roll(client, rolled, through)
    expect(through).toEqual(Array(6).fill(99_999))
    expect(await readRolled(client)).toEqual(through)
    const parts = await rows(
      client,
      `SELECT toUInt32(rows) AS rows FROM system.parts
       WHERE active AND table = 'candles' AND database = currentDatabase()`,
    )
    expect(parts).toEqual([{ rows: 600_006 }])
  })

  test('follow the ticks, and where nothing came nothing is written', async () => {
    const { journal, client } = await world()
    const { roller, stop } = run({ journal, client })
    await roller.caughtUp
    expect(await roller.progress()).toEqual({ running: true, lag: 0, watermarks: new Map() })
    await appendTicks(journal, [tick('XAU-USD', '1', now)])
    await project(ticks, { journal, client })
    await until(async () => (await roller.progress()).lag === 0)
    await appendTicks(journal, [tick('XAU-USD', '2', now)])
    await project(ticks, { journal, client })
    await until(async () => (await roller.progress()).lag === 0)
    await stop()
    await expectTrue({ journal, client }, ['XAU-USD'])
    const [made] = await rows<{ n: number }>(
      client,
      `SELECT toUInt32(max(max_block_number)) AS n FROM system.parts WHERE table = 'candles' AND database = currentDatabase()`,
    )
    expect(made?.n).toBe(2)
  })
})

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
      const { roller, stop } = run({ journal, client, onRetry: (error) => retries.push(error) })
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
      await expectTrue({ journal, client: direct })
    },
  )

  test('is done again where its repetition was dropped with success', async () => {
    const { journal, client: direct, storeUrl, database } = await world()
    proxy = await startFaultyProxy(storeUrl)
    const client = openClickHouse({ url: proxy.url, database })
    const { roller, stop } = run({ journal, client })
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
    await expectTrue({ journal, client: direct }, ['XAU-USD'])
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
    const { roller, stop } = run({ journal, client, onRetry: (error) => retries.push(error) })
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
    await expectTrue({ journal, client })
    await rollAll({ journal, client })
    await expectTrue({ journal, client })
  })
})

describe('where ticks are gone', () => {
  test('a candle stays, and a late tick is added to it, not to what is left', async () => {
    const { journal, client } = await world()
    const from = now - 10 * DAY
    await appendTicks(journal, randomTicks(randomFrom(3), 500, from))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await client.command({ query: 'ALTER TABLE ticks DELETE WHERE _offset % 3 > 0 SETTINGS mutations_sync = 1' })
    await appendTicks(journal, randomTicks(randomFrom(4), 100, from))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await expectTrue({ journal, client })
  })

  test('and were not counted, it stops', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, [tick('XAU-USD', '1', now - 90 * DAY)])
    await project(ticks, { journal, client })
    await client.command({ query: 'TRUNCATE TABLE ticks' })
    await appendTicks(journal, [tick('XAU-USD', '1', now - 89 * DAY), tick('XAU-USD', '2', now)])
    await rollAll({ journal, client })
    await client.command({
      query: `INSERT INTO candles (symbol, _partition, _offset) VALUES ('', ${journal.partitionFor('ticks', 'XAU-USD')}, 0)`,
    })
    await journal.retain(now)
    const { roller, stop } = run({ journal, client })
    await expect(roller.caughtUp).rejects.toMatchObject({ code: 'journal_gap' })
    await expect(stop()).rejects.toThrow('table candles is at 0')
  })

  test('verify looks at whole minutes only, and finds a wrong candle there', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, randomTicks(randomFrom(5), 300, now - 59 * DAY + 3_600_000))
    await appendTicks(journal, randomTicks(randomFrom(6), 300))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    const found = await verifyCandles({ journal, client, signal })
    expect(found).toMatchObject({ differences: 0 })
    const [all] = await rows<{ n: number }>(
      client,
      `SELECT toUInt32(count()) AS n FROM candles FINAL WHERE symbol != ''`,
    )
    expect(found.rows).toBeLessThan(all?.n ?? 0)
    await client.command({
      query: `ALTER TABLE candles UPDATE high = '99' WHERE symbol = 'XAU-USD' AND source = 'TEST' SETTINGS mutations_sync = 1`,
    })
    const wrong = await verifyCandles({ journal, client, signal })
    expect(wrong.differences).toBeGreaterThan(0)
    expect(wrong.examples[0]).toMatchObject({ symbol: 'XAU-USD', source: 'TEST' })

    const { comparison, takenOver } = await rebuildCandles({ journal, client, signal })
    expect(comparison?.differences).toBe(wrong.differences)
    expect(takenOver).toBe((all?.n ?? 0) - found.rows)
    expect(await verifyCandles({ journal, client, signal })).toEqual(found)
    await appendTicks(journal, randomTicks(randomFrom(8), 50))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0 })
  })
})

describe('offsets that the journal has not given out', () => {
  const FAR = '18446744073709551615'
  const forge = (client: World['client'], symbol: string, minute: number) =>
    client.command({
      query: `INSERT INTO candles (symbol, source, minute, high, _partition, _offset)
        VALUES ('${symbol}', '${symbol && 'TEST'}', ${minute}, '99', 0, ${FAR})`,
    })
  const partition = 0

  /** A symbol of that partition. */
  const symbolIn = (journal: TypedJournal) =>
    SYMBOLS.find((symbol) => journal.partitionFor('ticks', symbol) === partition) ?? ''

  async function rolled(): Promise<World> {
    const made = await world()
    await appendTicks(made.journal, randomTicks(randomFrom(21), 300))
    await project(ticks, made)
    await rollAll(made)
    return made
  }

  test('a marker: the roller refuses, verify names it, a rebuild mends it', async () => {
    const { journal, client } = await rolled()
    const before = await verifyCandles({ journal, client, signal })
    await forge(client, '', 0)
    const refused = run({ journal, client })
    await expect(refused.roller.caughtUp).rejects.toMatchObject({
      code: 'journal_behind',
      message: expect.stringContaining('`./almanac rebuild candles`'),
    })
    await refused.stop().catch(() => undefined)
    const { end } = await journal.bounds('ticks', partition)
    const beyond = [{ partition, end, last: FAR, rows: 1 }]
    const found = await verifyCandles({ journal, client, signal })
    expect(found).toEqual({ ...before, differences: 1, beyond })
    expect((await rebuildCandles({ journal, client, signal })).comparison).toEqual(found)
    expect(await verifyCandles({ journal, client, signal })).toEqual(before)
    await appendTicks(journal, randomTicks(randomFrom(22), 50))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await expectTrue({ journal, client })
  })

  test('a candle, which would win over every later one: found, and mended, though its ticks be gone', async () => {
    const { journal, client } = await rolled()
    const symbol = symbolIn(journal)
    const old = Math.floor((now - 100 * DAY) / 60_000) * 60_000
    const recent = Math.floor((now - 10 * DAY) / 60_000) * 60_000
    await forge(client, symbol, old)
    await forge(client, symbol, recent)
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ beyond: [{ partition, rows: 2 }] })
    await rebuildCandles({ journal, client, signal })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, beyond: [] })
    // A candle whose ticks are gone can't be judged, but it takes in ticks that come later.
    await appendTicks(journal, [tick(symbol, '100', old, { recordedAt: now })])
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    expect(await candlesOf(client, symbol, old, old + 1)).toMatchObject([{ high: '100', ticks: 1 }])
  })

  test('a tick: the roller stops, and no candle counts it', async () => {
    const { journal, client } = await rolled()
    const { roller, running } = run({ journal, client })
    await roller.caughtUp
    await client.command({
      query: `INSERT INTO ticks (appended_at, _partition, _offset, _marker) VALUES (now(), ${partition}, ${FAR}, true)`,
    })
    await expect(running).rejects.toMatchObject({
      code: 'journal_behind',
      message: expect.stringContaining('`./almanac rebuild ticks`'),
    })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, beyond: [] })
  })
})
