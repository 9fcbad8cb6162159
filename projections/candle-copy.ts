/** Verifies and rebuilds the candles, as for a view, but from the table of ticks. */

import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime } from '../base/time.ts'
import { Lineage } from '../domain/lineage.ts'
import { ProjectionError } from './errors.ts'
import { type Extent, readEnds, readExtent } from './extent.ts'
import type { FillOptions } from './fill.ts'
import { comparingAlone, rebuildingAlone, type TableOptions, withTable } from './hand-over.ts'
import { createCopy, ensureTable, markOf, readMark, rebuiltOf } from './migrate.ts'
import { assertOwnCopy, watchForOthers } from './overtaken.ts'
import { areOurs, finishReplacement, swapIn } from './rebuild.ts'
import { awaitInserts, rowsOf, runStatement } from './table.ts'
import { COLUMNS, candles, nextRoll, type Offsets, readNewer, readRolled, roll } from './views/candles/roll.ts'
import { ticks } from './views/ticks/project.ts'
import { firstWholeMinutes } from './whole-minutes.ts'

/** A candle that differs from its ticks. Rows are JSON; undefined where a row is missing. */
type CandleDifference = {
  readonly symbol: string
  readonly source: string
  readonly minute: string
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

export type CandleComparison = {
  readonly rows: number
  /** Number of candles that differ, and of rows beyond the journal's end. */
  readonly differences: number
  readonly examples: readonly CandleDifference[]
} & Pick<Extent, 'behind' | 'beyond'>

/** Number of candles of both tables that one query compares, give or take those of an hour. */
const SLICE = 500_000
const EXAMPLES = 10

/**
 * Compares the candles with ones made anew from the table of ticks, from the minute on from which the journal has all ticks. A
 * roller may be running; its changes meanwhile are left out. Throws ClickHouseFailure, ProjectionError as `verify` does, or the
 * signal's reason when it aborts.
 */
export async function verifyCandles(
  options: TableOptions,
  now = (options.time ?? systemTime).now(),
): Promise<CandleComparison> {
  const { client, journal } = options
  await ensureTable(client, ticks, journal)
  await ensureTable(client, candles, journal)
  return comparingAlone(candles.name, options, async (copy, signal) => {
    const rolled = await readRolled(client, candles.name, await readEnds(journal, 'ticks'))
    const extent = await readExtent(client, candles.name, journal, 'ticks')
    const since = await firstWholeMinutes(journal, now)
    await createCopy(client, candles, copy, journal)
    await rollInto(copy, rolled, since, { ...options, signal })
    return await compare(client, copy, rolled, since, extent)
  })
}

/**
 * Makes the candles anew from the ticks that are still there and swaps them in. The old table stays as
 * `candles_replaced`, unless both are equal. Candles whose ticks are deleted are copied. A roller may be running, as a projector
 * may (`rebuild`). Throws ProjectionError `journal_gap` if such candles belong to another journal.
 */
export async function rebuildCandles(
  options: TableOptions,
  now = (options.time ?? systemTime).now(),
): Promise<{ readonly comparison: CandleComparison | undefined; readonly takenOver: number }> {
  const { client, journal } = options
  const { name } = candles
  return rebuildingAlone(name, options, async (signal) => {
    const fresh = rebuiltOf(name)
    await ensureTable(client, ticks, journal)
    const since = await firstWholeMinutes(journal, now)
    await finishReplacement(client, name, fresh)
    const mark = await readMark(client, name)
    // Candles whose ticks the journal has deleted come from before its start.
    const isOurs = mark !== undefined && (await areOurs(mark.journal, 'ticks', journal))
    const asks = isOurs && mark.schema === (await markOf(candles, journal)).schema
    // A table of a history that the journal has left may have candles of ticks that it does not hold.
    const left = isOurs ? new Lineage(journal).endsOf(mark.journal) : undefined
    const from = isOurs && !left ? since : undefined
    const uuid = await createCopy(client, candles, fresh, journal)
    if (asks && !left) {
      const reached = await readRolled(client, name, await readEnds(journal, 'ticks'))
      await rollInto(fresh, await behindGaps(options, reached), from, { ...options, signal })
    }
    return withTable(name, { ...options, signal, asks }, async (owned) => {
      await awaitInserts(client, name, owned, options.time)
      const ends = await readEnds(journal, 'ticks')
      const lastOffsets = ends.map((end) => end - 1)
      const rolled = isOurs ? await readRolled(client, name, ends) : undefined
      const further = rolled?.map((offset) => offset + 1)
      const assertNotOvertaken = further && (await watchForOthers(client, name, further))
      const reached = rolled ? await behindGaps(options, rolled) : lastOffsets
      // Copied first: a roll adds only those ticks to a candle that it does not count yet.
      const takenOver = mark ? await copyOldCandles(client, fresh, { since, isOurs, left, lastOffsets }) : 0
      await rollInto(fresh, reached, from, { ...options, signal: owned })
      const extent = await readExtent(client, name, journal, 'ticks')
      const comparison = rolled && (await compare(client, fresh, rolled, since, extent))
      owned.throwIfAborted()
      await assertNotOvertaken?.()
      await assertOwnCopy(client, fresh, uuid)
      await swapIn(client, name, fresh, mark && { isSame: comparison?.differences === 0 })
      return { comparison, takenOver }
    })
  })
}

/**
 * Returns how far a copy of candles that are at `rolled` is rolled: as far, or up to the end of a gap in which neither the journal
 * nor the table of ticks has any, because the roller would refuse to pass it.
 */
async function behindGaps({ client, journal }: FillOptions, rolled: Offsets): Promise<Offsets> {
  const newer = await readNewer(client, rolled)
  return Promise.all(
    rolled.map(async (at, partition) => {
      const { start } = await journal.bounds('ticks', partition)
      const [oldest] = newer.get(partition) ?? [start]
      return Math.max(at, Math.min(start, oldest) - 1)
    }),
  )
}

/** Adds the candles of the further ticks up to `until` to a table; with `since`, only of those observed from then on. */
async function rollInto(
  table: string,
  until: Offsets,
  since: Minutes | undefined,
  { client, signal }: FillOptions,
): Promise<void> {
  let rolled: Offsets = await readRolled(client, table)
  for (;;) {
    signal.throwIfAborted()
    const through = await nextRoll(client, rolled, until)
    if (!through) return
    await roll(client, rolled, through, { table, ...(since !== undefined && { since }) })
    rolled = through
  }
}

type OldCandles = {
  readonly since: Minutes
  readonly isOurs: boolean
  /** Where the journal left the history of the table, by `topic/partition`; undefined if it did not. */
  readonly left: Readonly<Record<string, number>> | undefined
  readonly lastOffsets: Offsets
}

/**
 * Copies the candles before `since` and returns their number. Limits their version to the journal's end, because a
 * version beyond it would win over every later version of the candle. Leaves out those that may count ticks from behind the place
 * where the journal left the table's history: they are made anew of the ticks that are there.
 */
async function copyOldCandles(
  client: ClickHouseClient,
  fresh: string,
  { since, isOurs, left, lastOffsets }: OldCandles,
): Promise<number> {
  const common = lastOffsets.map((_, partition) => left?.[`ticks/${partition}`] ?? 0)
  const lists = { since: listed(since), last: listed(lastOffsets), common: listed(common) }
  const params = { table: candles.name, fresh, ...lists }
  const last = '{last:Array(Int64)}[_partition + 1]'
  const older = `
    FROM {table:Identifier} FINAL
    WHERE symbol != '' AND ${inMinutes('<')} AND _partition < ${lastOffsets.length} AND ${last} >= 0
      ${left ? 'AND _offset < {common:Array(UInt64)}[_partition + 1]' : ''}`
  const [found] = await rowsOf<{ rows: string }>(client, `SELECT count() AS rows ${older}`, params)
  const rows = Number(found?.rows ?? 0)
  if (rows > 0 && !isOurs) {
    const detail = `${rows} candles belong to another journal, and their ticks are deleted`
    throw new ProjectionError('journal_gap', `${detail}. To go on without them, RENAME the table.`)
  }
  const query = `
    INSERT INTO {fresh:Identifier} (${COLUMNS}, _partition, _offset)
    SELECT ${COLUMNS}, _partition, least(_offset, toUInt64(${last})) ${older}`
  if (rows > 0) await runStatement(client, query, params, { insert_deduplicate: 0 })
  return rows
}

/** First minute of each partition that is made anew, UTC milliseconds. */
type Minutes = readonly number[]

const listed = (numbers: readonly number[]) => `[${numbers.join(',')}]`

const inMinutes = (comparison: '<' | '>=') =>
  `toUnixTimestamp64Milli(minute) ${comparison} {since:Array(Int64)}[_partition + 1]`

async function compare(
  client: ClickHouseClient,
  copy: string,
  rolled: Offsets,
  since: Minutes,
  { behind, beyond }: Extent,
): Promise<CandleComparison> {
  const tables = { ours: candles.name, theirs: copy }
  // `since` are whole minutes, so neither table has a partial candle.
  const hours = await rowsOf<{ from: string; to: string }>(client, SLICES, { ...tables, since: listed(since) })
  let rows = 0
  let differences = beyond.reduce((sum, stray) => sum + stray.rows, 0)
  const examples: CandleDifference[] = []
  for (const { from, to } of hours) {
    const within = { start: Number(from) * HOUR_MS, before: (Number(to) + 1) * HOUR_MS }
    const params = { ...tables, rolled: listed(rolled), since: listed(since), ...within }
    const [sums] = await rowsOf<{ rows: string; differences: string }>(client, SUMS, params)
    rows += Number(sums?.rows ?? 0)
    const found = Number(sums?.differences ?? 0)
    differences += found
    const limit = EXAMPLES - examples.length
    if (found === 0 || limit === 0) continue
    const shown = await rowsOf<Example>(client, EXAMPLES_QUERY, { ...params, limit })
    for (const { ours, theirs, ...candle } of shown) {
      examples.push({ ...candle, ours: ours.at(0)?.trimEnd(), theirs: theirs.at(0)?.trimEnd() })
    }
  }
  return { rows, differences, examples, behind, beyond }
}

type Example = Omit<CandleDifference, 'ours' | 'theirs'> & { readonly ours: string[]; readonly theirs: string[] }

const HOUR_MS = 3_600_000

const hoursOf = (table: string) => `
  SELECT intDiv(toUnixTimestamp64Milli(minute), ${HOUR_MS}) AS hour
  FROM {${table}:Identifier} WHERE symbol != '' AND ${inMinutes('>=')}`

/** Query for the hours with candles, grouped into slices that one query compares. */
const SLICES = `
  SELECT min(hour) AS from, max(hour) AS to
  FROM (
    SELECT hour, intDiv(sum(count()) OVER (ORDER BY hour), ${SLICE}) AS slice
    FROM (${hoursOf('ours')} UNION ALL ${hoursOf('theirs')})
    GROUP BY hour
  )
  GROUP BY slice ORDER BY from`

const side = (table: string, number: number) => `
  SELECT symbol, source, minute, ${number} AS side, _partition, _offset,
    formatRow('JSONCompactEachRow', ${COLUMNS}, _partition) AS value
  FROM {${table}:Identifier} FINAL
  WHERE symbol != '' AND ${inMinutes('>=')}
    AND toUnixTimestamp64Milli(minute) >= {start:Int64} AND toUnixTimestamp64Milli(minute) < {before:Int64}`

/** Query for the candles of both tables. It leaves out their version, and candles written after `rolled`. */
const BOTH = `
  SELECT symbol, source, minute,
    groupArrayIf(value, side = 1) AS ours, groupArrayIf(value, side = 2) AS theirs
  FROM (${side('ours', 1)} UNION ALL ${side('theirs', 2)})
  GROUP BY symbol, source, minute
  HAVING maxIf(toInt64(_offset), side = 1) <= {rolled:Array(Int64)}[any(_partition) + 1]`

const SUMS = `SELECT count() AS rows, countIf(ours != theirs) AS differences FROM (${BOTH})`
const EXAMPLES_QUERY = `
  SELECT * FROM (${BOTH}) WHERE ours != theirs ORDER BY minute, symbol, source LIMIT {limit:UInt32}`
