/** Verify and rebuild of the candles: the same as a view's, from the ticks of which they are made. */
import type { ClickHouseClient } from '@clickhouse/client'
import { BELIEVED_AHEAD_MS } from '../domain/decide-quote.ts'
import { ProjectionError } from './errors.ts'
import { type Beyond, readEnds, readExtent } from './extent.ts'
import { dropTable, type FillOptions } from './fill.ts'
import { createTable, ensureTable, readMark } from './migrate.ts'
import { replace } from './rebuild.ts'
import { awaitInserts, rowsOf, runStatement } from './table.ts'
import { COLUMNS, candles, nextRoll, type Offsets, readRolled, roll } from './views/candles/roll.ts'
import { ticks } from './views/ticks/project.ts'

/** What `ticks.kept` says. */
const TICKS_KEPT_MS = 59 * 86_400_000

/** A candle that isn't what its ticks make; the rows as JSON, undefined where there is none. */
type CandleDifference = {
  readonly symbol: string
  readonly source: string
  readonly minute: string
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

export type CandleComparison = {
  readonly rows: number
  /** Candles that differ, and rows beyond the end of the journal of ticks. */
  readonly differences: number
  readonly examples: readonly CandleDifference[]
  readonly beyond: readonly Beyond[]
}

/** Candles of both tables that one query compares, give or take those of an hour. */
const SLICE = 500_000
const EXAMPLES = 10

/**
 * The first minute, UTC milliseconds, of which no tick can have been deleted yet: ticks are kept from their appending, and
 * may have been appended before the time at which they say their price was observed, but only so much.
 */
export const firstWholeMinute = (now: number): number =>
  Math.ceil((now - TICKS_KEPT_MS + BELIEVED_AHEAD_MS) / 60_000) * 60_000

/**
 * Compares the candles with what the table of ticks makes, of all minutes whose ticks are still there. A roller may be
 * running; what it changes meanwhile isn't looked at. Throws ClickHouseFailure, or the signal's reason when it aborts.
 */
export async function verifyCandles(options: FillOptions, now = Date.now()): Promise<CandleComparison> {
  const { client, journal } = options
  await ensureTable(client, ticks, journal.id)
  await ensureTable(client, candles, journal.id)
  const copy = `${candles.name}_verified`
  const rolled = await readRolled(client, candles.name, await readEnds(journal, 'ticks'))
  const { beyond } = await readExtent(client, candles.name, journal, 'ticks')
  const since = firstWholeMinute(now)
  try {
    await makeAnew(copy, rolled, since, options)
    return await compare(client, copy, rolled, since, beyond)
  } finally {
    await dropTable(client, copy)
  }
}

/**
 * Makes the candles anew from the ticks that are still there and puts them in the place of those in use, which stay as
 * `candles_replaced` unless they are alike. Candles whose ticks have gone are taken over as they are. No roller may be
 * running: this waits for its claim. Throws ProjectionError `journal_gap` where they are of another journal.
 */
export async function rebuildCandles(
  options: FillOptions,
  now = Date.now(),
): Promise<{ readonly comparison: CandleComparison | undefined; readonly takenOver: number }> {
  const { client, journal } = options
  const claim = await journal.claim(`projection/${candles.name}`, options.signal)
  const signal = AbortSignal.any([options.signal, claim.lost])
  const fresh = `${candles.name}_rebuilt`
  const since = firstWholeMinute(now)
  try {
    await ensureTable(client, ticks, journal.id)
    await awaitInserts(client, candles.name, signal)
    const mark = await readMark(client, candles.name)
    const ours = mark?.journal === journal.id
    const ends = await readEnds(journal, 'ticks')
    const rolled = ours ? await readRolled(client, candles.name, ends) : undefined
    const lastOffsets = ends.map((end) => end - 1)
    await makeAnew(fresh, rolled ?? lastOffsets, ours ? since : undefined, { ...options, signal })
    const takenOver = mark ? await takeOver(client, fresh, since, ours, lastOffsets) : 0
    const { beyond } = await readExtent(client, candles.name, journal, 'ticks')
    const comparison = rolled && (await compare(client, fresh, rolled, since, beyond))
    signal.throwIfAborted()
    if (mark) await replace(client, candles.name, fresh, comparison?.differences === 0)
    else
      await runStatement(client, 'RENAME TABLE {fresh:Identifier} TO {table:Identifier}', {
        fresh,
        table: candles.name,
      })
    return { comparison, takenOver }
  } finally {
    await claim.release().catch(() => undefined)
  }
}

/** Fills a new table with the candles of the ticks up to `until`, observed from `since` on, if that is given. */
async function makeAnew(
  table: string,
  until: Offsets,
  since: number | undefined,
  { client, journal, signal }: FillOptions,
): Promise<void> {
  await dropTable(client, table)
  await createTable(client, candles, table, journal.id)
  let rolled: Offsets = await readRolled(client, table)
  for (;;) {
    signal.throwIfAborted()
    const through = await nextRoll(client, rolled, until)
    if (!through) return
    await roll(client, rolled, through, { table, ...(since !== undefined && { since }) })
    rolled = through
  }
}

/**
 * Copies the candles before `since`. Says how many. None may count ticks from beyond the journal's end: it would win over
 * every later version of itself.
 */
async function takeOver(
  client: ClickHouseClient,
  fresh: string,
  since: number,
  ours: boolean,
  lastOffsets: Offsets,
): Promise<number> {
  const params = { table: candles.name, fresh, since: String(since), last: `[${lastOffsets.join(',')}]` }
  const last = '{last:Array(Int64)}[_partition + 1]'
  const older = `
    FROM {table:Identifier} FINAL
    WHERE symbol != '' AND ${inMinutes('<')} AND _partition < ${lastOffsets.length} AND ${last} >= 0`
  const [found] = await rowsOf<{ rows: string }>(client, `SELECT count() AS rows ${older}`, params)
  const rows = Number(found?.rows ?? 0)
  if (rows > 0 && !ours) {
    const detail = `${rows} candles are of another journal, and their ticks are gone`
    throw new ProjectionError('journal_gap', `${detail}. Set that table aside (RENAME) to go without them.`)
  }
  const query = `
    INSERT INTO {fresh:Identifier} (${COLUMNS}, _partition, _offset)
    SELECT ${COLUMNS}, _partition, least(_offset, toUInt64(${last})) ${older}`
  if (rows > 0) await runStatement(client, query, params, { insert_deduplicate: 0 })
  return rows
}

const inMinutes = (comparison: '<' | '>=') => `toUnixTimestamp64Milli(minute) ${comparison} {since:Int64}`

async function compare(
  client: ClickHouseClient,
  copy: string,
  rolled: Offsets,
  since: number,
  beyond: readonly Beyond[],
): Promise<CandleComparison> {
  const tables = { ours: candles.name, theirs: copy }
  // The minute that `since` cuts is in neither.
  const hours = await rowsOf<{ from: string; to: string }>(client, SLICES, { ...tables, since: String(since) })
  let rows = 0
  let differences = beyond.reduce((sum, stray) => sum + stray.rows, 0)
  const examples: CandleDifference[] = []
  for (const { from, to } of hours) {
    const start = Math.max(since, Number(from) * HOUR_MS)
    const params = { ...tables, rolled: `[${rolled.join(',')}]`, since: start, before: (Number(to) + 1) * HOUR_MS }
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
  return { rows, differences, examples, beyond }
}

type Example = Omit<CandleDifference, 'ours' | 'theirs'> & { readonly ours: string[]; readonly theirs: string[] }

const HOUR_MS = 3_600_000

const hoursOf = (table: string) => `
  SELECT intDiv(toUnixTimestamp64Milli(minute), ${HOUR_MS}) AS hour
  FROM {${table}:Identifier} WHERE symbol != '' AND ${inMinutes('>=')}`

/** Hours that have candles, so many together as one query compares. */
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
  WHERE symbol != '' AND ${inMinutes('>=')} AND toUnixTimestamp64Milli(minute) < {before:Int64}`

/** The version isn't compared: it is about when a candle was written. What was written since `rolled` is left out. */
const BOTH = `
  SELECT symbol, source, minute,
    groupArrayIf(value, side = 1) AS ours, groupArrayIf(value, side = 2) AS theirs
  FROM (${side('ours', 1)} UNION ALL ${side('theirs', 2)})
  GROUP BY symbol, source, minute
  HAVING maxIf(toInt64(_offset), side = 1) <= {rolled:Array(Int64)}[any(_partition) + 1]`

const SUMS = `SELECT count() AS rows, countIf(ours != theirs) AS differences FROM (${BOTH})`
const EXAMPLES_QUERY = `
  SELECT * FROM (${BOTH}) WHERE ours != theirs ORDER BY minute, symbol, source LIMIT {limit:UInt32}`
