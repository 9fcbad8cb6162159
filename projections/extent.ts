import type { ClickHouseClient } from '@clickhouse/client'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { rowsOf } from './table.ts'

/**
 * Rows of a partition at offsets beyond the journal's end. Either the journal was set back, or another program wrote
 * into the table.
 */
export type Beyond = {
  readonly partition: number
  /** Offset after the journal's newest record; 0 for a partition that the topic doesn't have. */
  readonly end: number
  /** Greatest offset of these rows, as text: it may be as great as 2^64 − 1. */
  readonly last: string
  /** Number of these rows, markers included, at their MAX_LISTED furthest offsets. */
  readonly rows: number
}

/** Records that a table lacks because its projection has not come to them yet. */
export type Behind = {
  readonly records: number
  /** When the oldest of them was recorded, UTC milliseconds; null if there is none. */
  readonly since: number | null
}

/** Position of a table compared with the journal. */
export type Extent = {
  /** Greatest offset within the journal, by partition. A partition without such rows is absent. */
  readonly watermarks: ReadonlyMap<number, number>
  readonly behind: Behind
  readonly beyond: readonly Beyond[]
}

const MAX_LISTED = 1_000

/** Offset after the newest record of each partition. */
export const readEnds = (journal: Pick<TypedJournal, 'bounds'>, topic: Topic): Promise<number[]> =>
  Promise.all(
    partitionsOf(topic).map(async (partition) => {
      const { end } = await journal.bounds(topic, partition)
      return end
    }),
  )

/**
 * Number of offsets before `ends` that a table does not cover yet, holes included, in all partitions together. `nextOf`
 * returns the table's next offset of a partition, or undefined for the first.
 */
export const lagBehind = (ends: readonly number[], nextOf: (partition: number) => number | undefined): number =>
  ends.reduce((sum, end, partition) => sum + Math.max(0, end - (nextOf(partition) ?? 0)), 0)

export const sumOfEnds = (ends: readonly number[]): number => ends.reduce((sum, end) => sum + end, 0)

/**
 * Reads the position of a table that is filled from `topic`. A projector may be running: rows that it adds meanwhile
 * may be missed, but never count as rows beyond the journal. Throws ClickHouseFailure, and errors of the journal's
 * `bounds`.
 */
export async function readExtent(
  client: ClickHouseClient,
  table: string,
  journal: TypedJournal,
  topic: Topic,
): Promise<Extent> {
  const ends = await readEnds(journal, topic)
  const rows = await rowsOf<{ _partition: number; within: string; high: string; further: string }>(client, EXTENT, {
    table,
    ends: `[${ends.join(',')}]`,
  })
  const beyond: Beyond[] = []
  for (const { _partition: partition, further } of rows) {
    if (further === '0') continue
    const params = { table, partition, end: ends[partition] ?? 0 }
    const listed = await rowsOf<{ _offset: string; rows: string }>(client, FURTHEST, params)
    // A record is in the journal before its row is in the table, so an end that is read now is valid for listed rows.
    const end = (await readEnds(journal, topic))[partition] ?? 0
    const strays = listed.filter(({ _offset }) => BigInt(_offset) >= BigInt(end))
    const count = strays.reduce((sum, stray) => sum + Number(stray.rows), 0)
    if (strays[0]) beyond.push({ partition, end, last: strays[0]._offset, rows: count })
  }
  const within = rows.filter((row) => row.within !== '0')
  const watermarks = new Map(within.map(({ _partition, high }) => [_partition, Number(high)]))
  return { watermarks, behind: await readBehind(journal, topic, watermarks), beyond }
}

/** Counts the records after the watermarks. It reads them, because offsets have holes. */
async function readBehind(
  journal: TypedJournal,
  topic: Topic,
  watermarks: ReadonlyMap<number, number>,
): Promise<Behind> {
  let records = 0
  let since = Number.POSITIVE_INFINITY
  for (const partition of partitionsOf(topic)) {
    const from = watermarks.get(partition)
    for await (const batch of journal.readToEnd(topic, partition, from === undefined ? 0 : from + 1)) {
      records += batch.records.length
      for (const { timestamp } of batch.records) since = Math.min(since, timestamp)
    }
  }
  return { records, since: records === 0 ? null : since }
}

const END = '{ends:Array(UInt64)}[_partition + 1]'

const EXTENT = `
SELECT _partition, countIf(_offset < ${END}) AS within, maxIf(_offset, _offset < ${END}) AS high,
  countIf(_offset >= ${END}) AS further
FROM {table:Identifier} GROUP BY _partition ORDER BY _partition`

const FURTHEST = `
SELECT _offset, count() AS rows FROM {table:Identifier}
WHERE _partition = {partition:UInt16} AND _offset >= {end:UInt64}
GROUP BY _offset ORDER BY _offset DESC LIMIT ${MAX_LISTED}`
