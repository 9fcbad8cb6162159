import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type RunningKafka, startKafka } from '../../infra/services/kafka.ts'
import type { Claim } from '../../journal/journal.ts'
import { record } from '../contracts/support/journal-world.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { API } from './support/kafka-proxy.ts'
import { startKafkaWorld } from './support/kafka-world.ts'

// So that a node killed and started again is let in soon.
const settings = { 'broker.session.timeout.ms': '2000', 'broker.heartbeat.interval.ms': '500' }

const clients = process.env.ALMANAC_TEST_WHOLE === '1' ? (['kafkajs', 'platformatic'] as const) : (['kafkajs'] as const)

describe.skipIf(!serviceIsThere('java')).each(clients)('a broker that is killed, and a journal with %s', (client) => {
  let dir = ''
  let kafka: RunningKafka | undefined
  afterAll(async () => {
    await kafka?.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  const { open, openThroughProxy, createTopic, textsIn } = startKafkaWorld(client, async () => {
    dir = mkdtempSync(join(tmpdir(), 'almanac-kafka-'))
    kafka = await startKafka({ dir, settings })
    return kafka.brokers
  })

  it('loses nothing acknowledged; followers, appends and claims go on by themselves (promise 1)', async () => {
    const address = await createTopic()
    const journal = await open({ patienceMs: 40_000 })
    const acknowledged: [number, string][] = []
    let isOver = false
    const write = async () => {
      for (let i = 0; !isOver; i++) {
        const { firstOffset } = await journal.append({ ...address, records: [record(`${i}`)] })
        acknowledged.push([firstOffset, `${i}`])
      }
    }
    const seen: [number, string][] = []
    const stop = new AbortController()
    const follow = async () => {
      for await (const { records } of journal.follow(address, 0, stop.signal))
        seen.push(...records.map(({ offset, value }) => [offset, Buffer.from(value).toString()] as [number, string]))
    }
    const [writing, following] = [write(), follow()]
    const claim: Claim = await journal.claim(`claim-${randomUUID()}`)
    await journal.transact(claim, [], [{ ...address, offset: 1 }])
    // A record of years ago, written and not acknowledged: the node forgets who wrote it.
    const doubtful = await createTopic()
    const { proxy, journal: unsure } = await openThroughProxy({ patienceMs: 40_000 })
    proxy.arm({ apis: [API.produce, API.fetch], action: 'lose answer', count: 99 })
    const once = unsure.append({ ...doubtful, records: [record('once')] })
    await until('it is written', async () => (await journal.bounds(doubtful)).end === 1)
    await until('some are written', () => acknowledged.length > 50)
    let reached = 0
    const impatient = async () => {
      for await (const { next } of journal.follow(address, 0, stop.signal, { patienceMs: 500 })) reached = next
    }
    const givenUp = expect(impatient()).rejects.toMatchObject({ code: 'unavailable' })
    await until('it follows', () => reached > 0)
    await kafka?.nodes[0]?.kill()
    await givenUp
    proxy.heal()
    const before = acknowledged.length
    await kafka?.nodes[0]?.start()
    await until('more are written', () => acknowledged.length > before + 50)
    isOver = true
    await writing
    await until('all are seen', () => seen.length >= acknowledged.length)
    stop.abort()
    await following
    expect(await once).toEqual({ firstOffset: 0 })
    expect(await textsIn(doubtful)).toEqual(['once'])
    expect(seen).toEqual(acknowledged)
    expect(acknowledged).toEqual(acknowledged.map((_, i) => [i, `${i}`]))
    const again = claim.lost.aborted ? await journal.claim(claim.name) : claim
    expect(await again.position(address)).toBe(1)
    await journal.transact(again, [{ ...address, records: [record('afterwards')] }], [{ ...address, offset: 2 }])
    expect(await again.position(address)).toBe(2)
  })
})
