import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { topics } from '../../contracts/topics.ts'
import type { TypedBatch } from '../../journal/typed.ts'
import { BlockBuilder, piecesOf } from '../../projections/block.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { verify } from '../../projections/verify.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { ticksOf } from './support/price-queries.ts'
import { appendTicks, tick, timer } from './support/ticks.ts'
import { project, rows, runProjector, until, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const DAY = 86_400_000
const SYMBOLS = ['XAU-USD', 'XAG-USD', 'EUR-USD', 'GBP-USD', 'BRENT-USD', 'WTI-USD', 'USD-JPY', 'COPPER-USD']
const now = Date.now()

const some = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => tick(SYMBOLS[n % SYMBOLS.length] ?? '', `${100 + n}.50`, from + n * 1_000))
const partsOf = (client: World['client']) =>
  rows<{ partition: string; rows: number; blocks: number }>(
    client,
    `SELECT partition, toUInt32(rows) AS rows, toUInt32(max_block_number - min_block_number + 1) AS blocks
     FROM system.parts WHERE active AND rows > 0 AND table = 'ticks' AND database = currentDatabase() ORDER BY name`,
  )
/** Merges until no expired row is left: a merge that finds no free thread is passed over without a word. */
const expire = (client: World['client']) =>
  until(async () => {
    await client.command({ query: 'OPTIMIZE TABLE ticks FINAL' })
    return (await rows(client, 'SELECT 1 FROM ticks WHERE appended_at < now() - INTERVAL 190 DAY LIMIT 1')).length === 0
  })

describe('ticks', () => {
  test('come back as they were accepted, in their own order, by symbol and time', async () => {
    const { journal, client } = await world()
    const at = now - 5 * DAY
    const long = `0.${'1'.repeat(62)}`
    await appendTicks(journal, [
      tick('XAU-USD', '2.50', at + 2),
      tick('XAU-USD', long, at, { source: 'TEST2', recordedAt: at + 3 }),
      tick('XAU-USD', '9'.repeat(64), at, { recordedAt: at + 3 }),
      tick('XAG-USD', '1', at),
      tick('XAU-USD', '3', Date.UTC(1960, 0, 31), { recordedAt: at }),
      timer('XAU-USD', at + 1),
    ])
    await project(ticks, { journal, client })
    expect(await ticksOf(client, 'XAU-USD', at, at + 3)).toEqual([
      { source: 'TEST2', price: long, observedAt: iso(at), appendedAt: iso(at + 3), url: '' },
      { source: 'TEST', price: '9'.repeat(64), observedAt: iso(at), appendedAt: iso(at + 3), url: '' },
      { source: 'TEST', price: '2.50', observedAt: iso(at + 2), appendedAt: iso(at + 2), url: '' },
    ])
    expect(await ticksOf(client, 'XAU-USD', at, at + 2, 1)).toMatchObject([{ price: long }])
    expect(await ticksOf(client, 'XAU-USD', -1e12, 0)).toMatchObject([{ observedAt: '1960-01-31T00:00:00.000Z' }])
    expect(await rows(client, `SELECT toString(value) AS v FROM ticks WHERE price = '2.50'`)).toEqual([{ v: '2.5' }])

    await client.command({ query: 'SYSTEM STOP MERGES ticks' })
    await client.command({ query: 'INSERT INTO ticks SELECT * FROM ticks' })
    expect(await ticksOf(client, 'XAU-USD', at, at + 3)).toHaveLength(3)
  })

  test('of all partitions are projected, timers leave a marker that lives as long as they would', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, some(80, now - 80_000))
    await appendTicks(
      journal,
      SYMBOLS.map((symbol) => timer(symbol, now)),
    )
    const { projector, stop } = runProjector(ticks, { journal, client, intervalMs: 10 })
    await projector.caughtUp
    expect(await projector.progress()).toMatchObject({ lag: 0 })
    await appendTicks(journal, some(40, now))
    await until(async () => (await projector.progress()).lag === 0)
    await stop()
    expect(await rows(client, 'SELECT toUInt32(count()) AS n FROM ticks WHERE NOT _marker')).toEqual([{ n: 120 }])
    const markers = await rows<{ at: string }>(client, `SELECT DISTINCT appended_at AS at FROM ticks WHERE _marker`)
    expect(markers.map(({ at }) => Date.parse(at))).toEqual([now])
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ rows: 120, differences: 0 })
  })
})

describe('a block', () => {
  const months = [0, 1, 40, 41, 2].map((day) => Date.UTC(2026, 0, 1) + day * DAY)
  const batch: TypedBatch<'ticks'> = {
    records: months.map((timestamp, offset) => ({
      topic: 'ticks' as const,
      partition: 0,
      offset: offset * 2,
      key: null,
      timestamp,
      headers: {},
      value: tick('XAU-USD', '1', timestamp),
    })),
    next: 12,
    end: 12,
  }

  test('is cut where the month of appending changes, and nothing gets lost on the way', () => {
    const pieces = [...piecesOf(ticks, batch)]
    expect(pieces.map(({ records, next }) => [records.length, next])).toEqual([
      [2, 4],
      [2, 8],
      [1, 12],
    ])
    expect(pieces.flatMap(({ records }) => records)).toEqual(batch.records)
    expect([...piecesOf(ticks, { ...batch, records: [] })]).toEqual([{ ...batch, records: [] }])
    expect([...piecesOf({ ...ticks, partitionedBy: () => 1 }, batch)]).toEqual([batch])
  })

  test('admits only records of its month; its marker falls into it too', () => {
    const builder = new BlockBuilder(ticks, 0, -1, true, months[2] ?? 0)
    const [first, second] = [...piecesOf(ticks, batch)]
    if (!first || !second) throw new Error('no pieces')
    expect(batch.records.map((record) => builder.admits(record))).toEqual([true, true, true, true, true])
    builder.add(first)
    expect(batch.records.map((record) => builder.admits(record))).toEqual([true, true, false, false, true])
    const marker = JSON.parse(Buffer.concat(builder.take().body).toString().trim().split('\n').at(-1) ?? '')
    expect(marker).toEqual([0, 3, 0, true, '', '', '', 0, months[1], ''])
    expect(batch.records.every((record) => builder.admits(record))).toBe(true)
  })

  test('is one part, though months alternate', async () => {
    const { journal, client } = await world()
    const month = Date.now() - 20 * DAY
    const ticksOfTwo = Array.from({ length: 60 }, (_, n) =>
      tick('XAU-USD', `${n + 1}`, month, { recordedAt: n % 20 < 10 ? month : month - 31 * DAY }),
    )
    await appendTicks(journal, ticksOfTwo)
    const { projector, stop } = runProjector(ticks, { journal, client, intervalMs: 0 })
    await projector.caughtUp
    await stop()
    const parts = await partsOf(client)
    expect(new Set(parts.map(({ partition }) => partition)).size).toBe(2)
    expect(parts.reduce((sum, part) => sum + part.blocks, 0)).toBe(6)
    expect(await ticksOf(client, 'XAU-USD', 0, now)).toHaveLength(60)
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ rows: 60, differences: 0 })
  })
})

describe('retention', () => {
  test('of the table is longer than that of the journal, and what is compared is what it keeps', () => {
    const sql = readFileSync(ticks.table, 'utf8')
    const days = Number(/INTERVAL (\d+) DAY/.exec(sql)?.[1])
    expect(days * DAY).toBeGreaterThanOrEqual(2 * topics.ticks.retentionMs)
    expect(sql).toContain('ttl_only_drop_parts = 1')
    expect(ticks.kept).toBe(`appended_at > now() - INTERVAL ${days - 1} DAY`)
  })

  test('a quiet partition whose rows have all expired goes on where the journal begins', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, some(80, now - 200 * DAY))
    await project(ticks, { journal, client })
    await expire(client)
    expect(await partsOf(client)).toEqual([])
    // The journal has not deleted them yet: they may come back, for a while; nothing is wrong, and nothing is missing.
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ differences: 0 })
    await project(ticks, { journal, client })
    await journal.retain(now)
    await appendTicks(journal, some(8, now))
    await project(ticks, { journal, client })
    await expire(client)
    expect(await rows(client, 'SELECT toUInt32(count()) AS n FROM ticks WHERE NOT _marker')).toEqual([{ n: 8 }])
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ rows: 8, differences: 0 })
  })

  test('verify and rebuild compare what journal and table both have, and keep what only the table has', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, some(80, now - 40 * DAY))
    await appendTicks(journal, some(24, now - DAY))
    await project(ticks, { journal, client })
    await journal.retain(now)
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ rows: 24, differences: 0 })
    const { comparison, takenOver } = await rebuild(ticks, { journal, client, signal })
    expect(comparison).toMatchObject({ rows: 24, differences: 0 })
    expect(takenOver).toBe(80)
    expect(await rows(client, 'SELECT toUInt32(count()) AS n FROM ticks WHERE NOT _marker')).toEqual([{ n: 104 }])
    await appendTicks(journal, some(8, now))
    await project(ticks, { journal, client })
    await client.command({
      query: `ALTER TABLE ticks UPDATE url = 'x' WHERE appended_at > now() - 3600 AND symbol = 'XAU-USD' SETTINGS mutations_sync = 1`,
    })
    expect(await verify(ticks, { journal, client, signal })).toMatchObject({ rows: 32, differences: 1 })
  })
})

const iso = (at: number) => new Date(at).toISOString()
