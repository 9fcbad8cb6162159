import type { ClickHouseClient } from '@clickhouse/client'
import { sourcesWithHistory } from '../../../contracts/instruments.ts'
import { partitionsOf } from '../../../contracts/topics.ts'
import { oneBlock } from '../../clickhouse.ts'
import { rowsOf, runStatement } from '../../table.ts'

/** Name, topic and table of the candles. */
export const candles = { name: 'candles', topic: 'ticks', table: new URL('./table.sql', import.meta.url) } as const

/** A journal offset for each partition of the ticks, -1 before the first. */
export type Offsets = readonly number[]

const partitions = partitionsOf('ticks')

/** Number of offsets per partition in one roll. All partitions together stay below the million rows of one block. */
const SPAN = 100_000

/** Greatest offset that a journal can assign. */
const LAST_OFFSET = Number.MAX_SAFE_INTEGER

const either = (condition: (partition: number) => string) => `(${partitions.map(condition).join(' OR ')})`
const named = (name: string, offsets: Offsets) => offsets.map((offset, p) => [`${name}_${p}`, String(offset)] as const)

const newer = either((p) => `(_partition = ${p} AND _offset > {after_${p}:Int64})`)
const taken = either((p) => `(_partition = ${p} AND _offset > {after_${p}:Int64} AND _offset <= {through_${p}:Int64})`)

/**
 * Reads the position of the candles in each partition. With `ends`, leaves out positions at or beyond them.
 * Throws ClickHouseFailure.
 */
export async function readRolled(
  client: ClickHouseClient,
  table: string = candles.name,
  ends?: Offsets,
): Promise<number[]> {
  const within = ends ? either((p) => `(_partition = ${p} AND _offset < {end_${p}:Int64})`) : 'true'
  const query = `
    SELECT _partition, max(_offset) AS high FROM {table:Identifier} WHERE symbol = '' AND ${within} GROUP BY _partition`
  const params = { table, ...Object.fromEntries(named('end', ends ?? [])) }
  const rows = await rowsOf<{ _partition: number; high: string }>(client, query, params)
  // A forged offset that no journal can assign must still fit into the parameters of the next query.
  return offsetsFrom(rows.map(({ _partition, high }) => [_partition, Math.min(Number(high), LAST_OFFSET)]))
}

/** Reads the oldest and newest offset after `after` in the table of ticks, by partition. Throws ClickHouseFailure. */
export async function readNewer(
  client: ClickHouseClient,
  after: Offsets,
): Promise<Map<number, readonly [number, number]>> {
  const query = `SELECT _partition, min(_offset) AS low, max(_offset) AS high FROM ticks WHERE ${newer} GROUP BY _partition`
  const params = Object.fromEntries(named('after', after))
  const rows = await rowsOf<{ _partition: number; low: string; high: string }>(client, query, params)
  return new Map(rows.map(({ _partition, low, high }) => [_partition, [Number(low), Number(high)]]))
}

type RollOptions = {
  /** Name of the table of candles. */
  readonly table?: string
  /** Leaves out ticks observed before it, UTC milliseconds by partition. */
  readonly since?: readonly number[]
}

/**
 * Adds the ticks after `after`, up to and including `through`, to the candles of their minutes, in one INSERT, one
 * block and one part that also holds the new position of every partition. A candle gets only ticks after its own offset, so
 * repeated and concurrent rolls give the same candle. Deduplication is off, because it would drop the retry of a roll
 * whose token the server noted before it was killed.
 * Throws ClickHouseFailure.
 */
export function roll(
  client: ClickHouseClient,
  after: Offsets,
  through: Offsets,
  { table = candles.name, since = partitions.map(() => Number.MIN_SAFE_INTEGER) }: RollOptions = {},
): Promise<void> {
  const offsets = Object.fromEntries([...named('after', after), ...named('through', through)])
  return runStatement(
    client,
    ROLL,
    { table, since: `[${since.join(',')}]`, ...offsets },
    { ...oneBlock, insert_deduplicate: 0 },
  )
}

/**
 * Returns the `through` of the next roll: up to `until`, and at most SPAN offsets per partition; undefined if the
 * candles lack no ticks. Throws ClickHouseFailure.
 */
export async function nextRoll(
  client: ClickHouseClient,
  after: Offsets,
  until: Offsets = partitions.map(() => LAST_OFFSET),
): Promise<Offsets | undefined> {
  const newer = await readNewer(client, after)
  const through = after.map((at, partition) => {
    const [low, high] = newer.get(partition) ?? [at, at]
    return Math.max(at, Math.min(high, low + SPAN - 1, until[partition] ?? at))
  })
  return through.some((offset, partition) => offset !== after[partition]) ? through : undefined
}

/** SQL for the start of the minute, because toStartOfMinute does not work before 1970. */
const MINUTE = `fromUnixTimestamp64Milli(
  toUnixTimestamp64Milli(observed_at) - positiveModulo(toUnixTimestamp64Milli(observed_at), 60000), 'UTC')`

/** SQL key that orders non-negative canonical decimals as numbers, and equal ones by their number of trailing zeros. */
export const decimalOrder = (price: string) => `(position(concat(${price}, '.'), '.'), ${price})`

const through = `[${partitions.map((p) => `{through_${p}:Int64}`).join(', ')}][_partition + 1]`

/** Columns of a candle without its version. */
export const COLUMNS =
  'symbol, source, minute, open, high, low, close, ticks, first_at, first_offset, last_at, last_offset'

/** SQL for whether a source restates its history, with one price for each time. The price that was recorded last then takes the place of others. */
const RESTATES_HISTORY = `source IN (${sourcesWithHistory.map((source) => `'${source}'`).join(', ')})`

const ROLL = `
INSERT INTO {table:Identifier} (${COLUMNS}, _partition, _offset)
WITH added AS (
  SELECT symbol, source, ${MINUTE} AS minute, price, observed_at, _partition, _offset
  FROM ticks
  WHERE ${taken} AND NOT _marker AND toUnixTimestamp64Milli(observed_at) >= {since:Array(Int64)}[_partition + 1]
  LIMIT 1 BY _partition, _offset, _index
)
SELECT
  symbol, source, minute,
  argMin(open, (first_at, first_offset)), argMax(high, ${decimalOrder('high')}),
  argMin(low, ${decimalOrder('low')}), argMax(close, (last_at, last_offset)),
  if(${RESTATES_HISTORY}, 1, sum(ticks)), min((first_at, first_offset)).1, min((first_at, first_offset)).2,
  max((last_at, last_offset)).1, max((last_at, last_offset)).2,
  _partition, toUInt64(greatest(max(known), ${through}))
FROM (
  SELECT *, max(last_offset) OVER (PARTITION BY symbol, source, minute, _partition) AS newest
  FROM (
    SELECT *, max(counted) OVER (PARTITION BY symbol, source, minute, _partition) AS known
    FROM (
      SELECT ${COLUMNS}, _partition, toInt64(_offset) AS counted, toInt64(-1) AS added_at
      FROM {table:Identifier} FINAL
      WHERE symbol != '' AND (symbol, source, minute) IN (SELECT symbol, source, minute FROM added)
      UNION ALL
      SELECT symbol, source, minute, price, price, price, price, 1, observed_at, _offset, observed_at, _offset,
        _partition, toInt64(-1), toInt64(_offset)
      FROM added
    )
  )
  WHERE added_at = -1 OR added_at > known
)
WHERE NOT ${RESTATES_HISTORY} OR last_offset = newest
GROUP BY symbol, source, minute, _partition
UNION ALL
SELECT '', '', toDateTime64(0, 3, 'UTC'), '', '', '', '', 0, toDateTime64(0, 3, 'UTC'), 0, toDateTime64(0, 3, 'UTC'), 0,
  toUInt16(arrayJoin([${partitions.join(', ')}])) AS _partition, toUInt64(${through}) WHERE ${through} >= 0
`

function offsetsFrom(known: Iterable<readonly [number, number]>): number[] {
  const offsets = new Map(known)
  return partitions.map((partition) => offsets.get(partition) ?? -1)
}
