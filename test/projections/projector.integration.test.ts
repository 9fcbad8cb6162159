import { afterEach, describe, expect, test } from 'vitest'
import { systemTime } from '../../base/time.ts'
import type { Journal } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { HandOvers } from '../../projections/hand-over.ts'
import { ensureTable } from '../../projections/migrate.ts'
import { projectPartition } from '../../projections/project-partition.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { columnsOf } from '../../projections/view.ts'
import { events } from '../../projections/views/events/project.ts'
import { quarantine } from '../../projections/views/quarantine/project.ts'
import { eventNumber, rejectedNumber } from '../support/journal-records.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts'
import { append, project, rows, runProjector, until, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const DAY = 86_400_000

const someEvents = (from: number, count: number) => Array.from({ length: count }, (_, i) => eventNumber(from + i))

/** Offsets as the table has them, repeats included. */
const offsetsOf = async (client: World['client'], table: string): Promise<number[]> =>
  (await rows<{ o: number }>(client, `SELECT _offset AS o FROM ${table} ORDER BY o`)).map(({ o }) => o)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

/** The events' table, in which what is written twice stays there twice. */
async function withoutMerges(client: World['client'], journal: TypedJournal): Promise<void> {
  await ensureTable(client, events, journal)
  await client.command({ query: 'SYSTEM STOP MERGES events' })
}

describe('the projector', () => {
  test('goes on where the table is, across starts, and follows the tail', async () => {
    const { journal, client } = await world()
    await append(journal, 'events', someEvents(0, 700))
    await project(events, { journal, client })
    await append(journal, 'events', someEvents(700, 300))
    const { projector, stop } = runProjector(events, { journal, client, intervalMs: 10 })
    await projector.caughtUp
    expect(await projector.progress()).toEqual({
      running: true,
      lag: 0,
      position: 1_000,
      watermarks: new Map([[0, 999]]),
    })
    for (let n = 1_000; n < 1_010; n++) await append(journal, 'events', [eventNumber(n)])
    await until(async () => (await projector.progress()).lag === 0)
    expect(await offsetsOf(client, 'events')).toEqual(upTo(1_010))
    await stop()
    expect((await projector.progress()).running).toBe(false)
  })

  test('one block is one part, however large', async () => {
    const { journal, client } = await world()
    await withoutMerges(client, journal)
    await append(journal, 'events', someEvents(0, 20_000))
    const began = performance.now()
    await project(events, { journal, client })
    // The journal's 20,000 records exceed one block by a little, and a machine that is slow to read them begins one a second.
    const blocks = (performance.now() - began) / 1_000 + 2
    const parts = await rows<{ rows: number }>(
      client,
      `SELECT toUInt32(rows) AS rows FROM system.parts WHERE active AND database = currentDatabase() ORDER BY min_block_number`,
    )
    expect(parts.length).toBeLessThanOrEqual(blocks)
    expect(parts.reduce((sum, part) => sum + part.rows, 0)).toBe(20_000)
  })

  test('at the tail it gathers what comes fast, so that parts stay few', async () => {
    const { journal, client } = await world()
    const { projector, stop } = runProjector(events, { journal, client, intervalMs: 100 })
    await projector.caughtUp
    const began = performance.now()
    for (let n = 0; n < 300; n++) await append(journal, 'events', [eventNumber(n)])
    await until(async () => (await projector.progress()).lag === 0)
    const blocks = (performance.now() - began) / 100 + 2
    await stop()
    const [last] = await rows<{ blocks: number }>(
      client,
      `SELECT toUInt32(max(max_block_number)) AS blocks FROM system.parts WHERE database = currentDatabase()`,
    )
    expect(last?.blocks).toBeLessThanOrEqual(blocks)
    expect(await offsetsOf(client, 'events')).toEqual(upTo(300))
  })

  test('holds two blocks at most while ClickHouse does not answer', async () => {
    let delivered = 0
    const batches = async function* (signal: AbortSignal) {
      for (let offset = 0; !signal.aborted && offset < 1_000; offset++) {
        const value = { ...eventNumber(offset), data: 'x'.repeat(1_000_000) }
        delivered++
        yield {
          records: [{ topic: 'events' as const, partition: 0, offset, key: null, value, timestamp: 0, headers: {} }],
          next: offset + 1,
          end: 1_000,
        }
        await new Promise(setImmediate)
      }
    }
    const client = { exec: () => new Promise(() => undefined) } as unknown as World['client']
    const readModel = clickHouseReadModel(client)
    const target = { readModel, table: 'events', columns: columnsOf(events), run: 'r', time: systemTime }
    void projectPartition({
      view: events,
      partition: 0,
      target,
      watermark: -1,
      forgets: false,
      batches,
      intervalMs: 0,
      trickleMs: 0,
      signal: new AbortController().signal,
    })
    for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate)
    // 8 MiB are nine of these.
    expect(delivered).toBeGreaterThanOrEqual(10)
    expect(delivered).toBeLessThanOrEqual(18)
  })

  test('waits for the claim, and takes over where the other stopped', async () => {
    const { journal, client } = await world()
    await append(journal, 'events', someEvents(0, 50))
    const first = runProjector(events, { journal, client, intervalMs: 10 })
    await first.projector.caughtUp
    const second = runProjector(events, { journal, client, intervalMs: 10 })
    await append(journal, 'events', someEvents(50, 50))
    await until(async () => (await first.projector.progress()).lag === 0)
    expect((await second.projector.progress()).running).toBe(false)
    await first.stop()
    await append(journal, 'events', someEvents(100, 50))
    await second.projector.caughtUp
    await until(async () => (await second.projector.progress()).lag === 0)
    await second.stop()
    expect(await offsetsOf(client, 'events')).toEqual(upTo(150))
  })

  test('lets an INSERT that a killed predecessor left behind come to its end first', async () => {
    const { journal, client } = await world()
    await withoutMerges(client, journal)
    await append(journal, 'events', someEvents(0, 10))
    const left = client.command({
      query: `INSERT INTO events (sequence, _offset)
        SELECT number + 1, number FROM (SELECT number FROM system.numbers LIMIT 5) WHERE sleepEachRow(0.1) = 0`,
    })
    const running = `SELECT query_id FROM system.processes WHERE query_kind = 'Insert' AND query LIKE '%sleepEachRow%'`
    let isOver = false
    void left.then(() => {
      isOver = true
    })
    await until(async () => isOver || (await rows(client, running)).length > 0)
    await project(events, { journal, client })
    await left
    expect(await offsetsOf(client, 'events')).toEqual(upTo(10))
  })

  test('stops when its claim is lost, and begins again from the table once it has it back', async () => {
    const losing: AbortController[] = []
    const { journal, client } = await world((inner) => withClaims(inner, losing))
    const retries: unknown[] = []
    const { projector, stop } = runProjector(events, {
      journal,
      client,
      intervalMs: 10,
      onRetry: (error) => retries.push(error),
      handOvers: new HandOvers(client, { lookMs: 10 }),
    })
    await projector.caughtUp
    await append(journal, 'events', someEvents(0, 20))
    losing[0]?.abort()
    await append(journal, 'events', someEvents(20, 20))
    await until(() => losing.length === 2)
    await until(async () => (await projector.progress()).lag === 0)
    await stop()
    expect(retries).toMatchObject([{ code: 'fenced' }])
    expect(await offsetsOf(client, 'events')).toEqual(upTo(40))
  })
})

describe('an INSERT whose outcome is unknown', () => {
  let proxy: FaultyProxy | undefined
  afterEach(() => proxy?.close())

  test.each([
    ['never arrived', 'cut_before', 2],
    ['arrived by half', 'cut_midway', 2],
    ['was done', 'cut_after', 1],
    ['arrives together with its retry', 'cut_and_deliver_late', 2],
  ] as const)('%s: every row is there once', async (_, fault, attempts) => {
    const { journal, client: direct, storeUrl, database } = await world()
    await withoutMerges(direct, journal)
    proxy = await startFaultyProxy(storeUrl)
    proxy.faults.push(fault)
    const client = openClickHouse({ url: proxy.url, database })
    await append(journal, 'events', someEvents(0, 500))
    const retries: unknown[] = []
    const { projector, stop } = runProjector(events, { journal, client, onRetry: (error) => retries.push(error) })
    await projector.caughtUp
    await stop()
    expect(retries).toMatchObject([{ name: 'ClickHouseFailure', kind: 'outcome_unknown' }])
    expect(proxy.faults).toEqual([])
    expect(proxy.tokens).toHaveLength(attempts)
    expect(new Set(proxy.tokens).size).toBe(1)
    expect(await offsetsOf(client, 'events')).toEqual(upTo(500))
    await client.close()
  })

  test('many faults in a row, live: every row is there once', async () => {
    const { journal, client: direct, storeUrl, database } = await world()
    await withoutMerges(direct, journal)
    proxy = await startFaultyProxy(storeUrl)
    const client = openClickHouse({ url: proxy.url, database })
    const { projector, stop } = runProjector(events, { journal, client, intervalMs: 5 })
    await projector.caughtUp
    const kinds = ['cut_before', 'cut_midway', 'cut_after', 'cut_and_deliver_late'] as const
    for (let n = 0; n < 36; n += 3) {
      proxy.faults.push(kinds[(n / 3) % kinds.length] ?? 'cut_before')
      await append(journal, 'events', someEvents(n, 3))
      if (n % 9 === 0) await until(() => proxy?.faults.length === 0)
    }
    proxy.faults.length = 0
    await until(async () => (await projector.progress()).lag === 0)
    await stop()
    expect(await offsetsOf(client, 'events')).toEqual(upTo(36))
    await client.close()
  })

  test('a table that was set back behind the projector is filled again from where it is', async () => {
    const { journal, client, storeUrl, database } = await world()
    proxy = await startFaultyProxy(storeUrl)
    const through = openClickHouse({ url: proxy.url, database })
    const { projector, stop } = runProjector(events, { journal, client: through, intervalMs: 5 })
    await append(journal, 'events', someEvents(0, 10))
    await projector.caughtUp
    await until(async () => (await projector.progress()).lag === 0)
    // As after a power cut that took what the server had acknowledged.
    await client.command({ query: 'ALTER TABLE events DELETE WHERE _offset >= 4 SETTINGS mutations_sync = 1' })
    proxy.faults.push('cut_before')
    await append(journal, 'events', someEvents(10, 10))
    await until(async () => (await offsetsOf(client, 'events')).length === 20)
    expect(await offsetsOf(client, 'events')).toEqual(upTo(20))
    await stop()
    await through.close()
  })
})

describe('where the journal forgets', () => {
  test('a gap behind the table stops the projector', async () => {
    const { journal, client } = await world()
    await append(journal, 'quarantine', upTo(5).map(rejectedNumber), Date.now() - 200 * DAY)
    await project(quarantine, { journal, client })
    await append(journal, 'quarantine', upTo(5).map(rejectedNumber), Date.now() - 200 * DAY)
    await append(journal, 'quarantine', [rejectedNumber(9)], Date.now())
    await journal.retain(Date.now())
    const { projector, stop } = runProjector(quarantine, { journal, client })
    await expect(projector.caughtUp).rejects.toMatchObject({ name: 'ProjectionError', code: 'journal_gap' })
    await expect(stop()).rejects.toThrow('quarantine/0 holds 10 to 10, and table quarantine is at 4')
  })

  test('holes are no gap, and an empty table begins where the journal does', async () => {
    const { journal, client } = await world()
    const claim = await journal.claim('test')
    const long = Date.now() - 200 * DAY
    const drafts = upTo(3).map((n) => ({ value: rejectedNumber(n), id: `${n}`, at: long }))
    // A transaction leaves a hole after its records: offset 3.
    await journal.transact(claim, [journal.writeOf('quarantine', 0, drafts)])
    await project(quarantine, { journal, client })
    await journal.retain(Date.now())
    // The hole stays: a table that has all three, and no marker for it, is no gap away.
    expect(await journal.bounds('quarantine', 0)).toEqual({ start: 3, end: 4 })
    await client.command({ query: 'ALTER TABLE quarantine DELETE WHERE _marker SETTINGS mutations_sync = 1' })
    await append(journal, 'quarantine', [rejectedNumber(4)])
    await project(quarantine, { journal, client })
    expect(await offsetsOf(client, 'quarantine WHERE NOT _marker')).toEqual([0, 1, 2, 4])

    await client.command({ query: 'TRUNCATE TABLE quarantine' })
    await project(quarantine, { journal, client })
    expect(await offsetsOf(client, 'quarantine')).toEqual([4])
  })
})

describe('a table of another make', () => {
  test('is refused: filled from another journal, or ahead of this one', async () => {
    const [a, b] = [await world(), await world()]
    await append(a.journal, 'events', someEvents(0, 5))
    await project(events, a)
    const foreign = runProjector(events, { journal: b.journal, client: a.client })
    await expect(foreign.projector.caughtUp).rejects.toMatchObject({ code: 'table_mismatch' })
    await expect(foreign.stop()).rejects.toThrow(a.journal.id)

    await a.client.command({ query: 'INSERT INTO events (sequence, _offset) VALUES (99, 98)' })
    const ahead = runProjector(events, a)
    await expect(ahead.projector.caughtUp).rejects.toMatchObject({ code: 'journal_behind' })
    await expect(ahead.stop()).rejects.toThrow('events/0 holds 0 to 4, and table events is at 98')
  })
})

/** A journal whose claims can be taken away: their controllers are put into `losing`. */
const withClaims = (inner: Journal, losing: AbortController[]): Journal => ({
  id: inner.id,
  generations: inner.generations,
  ensureTopics: (topics, options) => inner.ensureTopics(topics, options),
  append: (write) => inner.append(write),
  transact: (claim, writes, positions) => inner.transact(claim, writes, positions),
  read: (address, offset, limits) => inner.read(address, offset, limits),
  readValues: (address, offset, take, limits) => inner.readValues(address, offset, take, limits),
  follow: (address, offset, signal, limits) => inner.follow(address, offset, signal, limits),
  bounds: (address) => inner.bounds(address),
  offsetForTime: (address, time) => inner.offsetForTime(address, time),
  cut: (places) => inner.cut(places),
  retain: (now) => inner.retain(now),
  close: () => inner.close(),
  async claim(name, signal) {
    const claim = await inner.claim(name, signal)
    const lose = new AbortController()
    losing.push(lose)
    return {
      name,
      epoch: claim.epoch,
      lost: lose.signal,
      position: (address) => claim.position(address),
      release: () => claim.release(),
    }
  },
})
