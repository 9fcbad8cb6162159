import { randomBytes } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Behind, Beyond } from './extent.ts'
import { rowsOf } from './table.ts'
import type { View } from './view.ts'

/** A position in the journal whose row differs between two tables. Rows are JSON; undefined where a row is missing. */
type Difference = {
  readonly partition: number
  readonly offset: number
  readonly index: number
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

export type Comparison = {
  /** Number of rows in either table. Markers don't count, because they stand for blocks and not for records. */
  readonly rows: number
  /** Number of positions whose rows differ, and of rows beyond the journal's end. */
  readonly differences: number
  /** First of these positions in journal order. */
  readonly examples: readonly Difference[]
  /** What `ours` has not reached yet, and what was therefore not compared. */
  readonly behind: Behind
  readonly beyond: readonly Beyond[]
  /** Number of rows that `ours` holds more than once, all equal: two projectors wrote them and no merge came yet. */
  readonly repeated: number
}

/** Number of offsets that share one checksum. */
const CHUNK = 1_000
/** Number of rows of both tables that one query compares one by one, give or take a chunk. */
const SLICE = 1_000_000
const EXAMPLES = 10
/** Memory limits beyond which ClickHouse sorts and groups on disk, because a chunk may hold many stray rows. */
const spilling = { max_bytes_before_external_group_by: '500000000', max_bytes_before_external_sort: '500000000' }

/** A contiguous part of one partition of the journal, both offsets inclusive. */
type Range = { readonly partition: number; readonly from: number; readonly through: number }

/**
 * Compares two tables of a view over ranges of the journal, row for row and column for column, whatever their order on
 * disk. It first compares checksums of chunks in one pass over each table, then rows one by one in slices whose
 * checksums differ. Time and memory depend on the number of rows, never on the distance of their offsets.
 * `sliceRows`: rows of both tables in a slice, give or take a chunk.
 */
export async function compareTables(
  client: ClickHouseClient,
  view: View,
  tables: { readonly ours: string; readonly theirs: string },
  ranges: readonly Range[],
  sliceRows = SLICE,
): Promise<Omit<Comparison, 'behind' | 'beyond'>> {
  let [rows, differences, repeated] = [0, 0, 0]
  const examples: Difference[] = []
  for (const { partition, from, through } of ranges) {
    for (const slice of await slicesOf(client, view, { ...tables, partition, low: from, high: through }, sliceRows)) {
      if (slice.same) {
        rows += slice.rows
        continue
      }
      const params = { ...tables, partition, low: Math.max(slice.low, from), high: Math.min(slice.high, through) }
      const [sums] = await rowsOf<Sums>(client, sumsQuery(view), params, spilling)
      rows += Number(sums?.rows ?? 0)
      repeated += Number(sums?.repeated ?? 0)
      const found = Number(sums?.differences ?? 0)
      differences += found
      const limit = EXAMPLES - examples.length
      if (found === 0 || limit === 0) continue
      const shown = await rowsOf<Example>(client, examplesQuery(view), { ...params, limit }, spilling)
      examples.push(...shown.map((row) => differenceOf(partition, row)))
    }
  }
  return { rows, differences, examples, repeated }
}

type Slice = { readonly low: number; readonly high: number; readonly rows: number; readonly same: boolean }
type Span = { readonly ours: string; readonly theirs: string } & Record<'partition' | 'low' | 'high', number>

/** Cuts a range into slices of existing rows, and tells for each whether its checksums are equal in both tables. */
async function slicesOf(client: ClickHouseClient, view: View, span: Span, sliceRows: number): Promise<Slice[]> {
  // A new key each time, so that no rows can be forged whose checksums cancel out.
  const key = randomBytes(16)
  const params = {
    ...span,
    slice: sliceRows,
    key_0: String(key.readBigUInt64LE(0)),
    key_1: String(key.readBigUInt64LE(8)),
  }
  const found = await rowsOf<Sliced>(client, slicesQuery(view), params, spilling)
  return found.map(({ first, last, rows, same }) => ({
    low: Number(first) * CHUNK,
    high: Number(last) * CHUNK + CHUNK - 1,
    rows: Number(rows),
    same: same === 1,
  }))
}

type Sliced = { readonly first: string; readonly last: string; readonly rows: string; readonly same: number }
type Sums = { readonly rows: string; readonly differences: string; readonly repeated: string }
type Example = {
  readonly _offset: string
  readonly _index: number
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}

const differenceOf = (partition: number, row: Example): Difference => ({
  partition,
  offset: Number(row._offset),
  index: row._index,
  ours: row.ours.at(0)?.trimEnd(),
  theirs: row.theirs.at(0)?.trimEnd(),
})

/** SQL for the whole row as JSON, which is exact and distinguishes NULL from ''. */
const jsonOf = (view: View) =>
  `formatRow('JSONCompactEachRow', ${view.columns.map((name) => `\`${name}\``).join(', ')})`

/** SQL condition for a range, without rows that a TTL may have deleted from only one of the tables. */
const inRange = ({ kept = 'true' }: View) =>
  `_partition = {partition:UInt16} AND _offset BETWEEN {low:UInt64} AND {high:UInt64} AND NOT _marker AND ${kept}`

const bothTables = (view: View, value: string) => `
  (SELECT _offset, _index, 1 AS side, ${value} AS value FROM {ours:Identifier} WHERE ${inRange(view)}
   UNION ALL
   SELECT _offset, _index, 2 AS side, ${value} AS value FROM {theirs:Identifier} WHERE ${inRange(view)})`

const slicesQuery = (view: View) => `
SELECT min(chunk) AS first, max(chunk) AS last, sum(n1) AS rows, min(n1 = n2 AND checksum1 = checksum2) AS same
FROM (
  SELECT *, intDiv(sum(n1 + n2) OVER (ORDER BY chunk), {slice:UInt64}) AS slice
  FROM (
    SELECT intDiv(_offset, ${CHUNK}) AS chunk, countIf(side = 1) AS n1, countIf(side = 2) AS n2,
      sumIf(value, side = 1) AS checksum1, sumIf(value, side = 2) AS checksum2
    FROM ${bothTables(view, `sipHash64Keyed(({key_0:UInt64}, {key_1:UInt64}), _offset, _index, ${jsonOf(view)})`)}
    GROUP BY chunk
  )
)
GROUP BY slice ORDER BY first`

const sumsQuery = (view: View) => `
SELECT count() AS rows, countIf(n1 = 0 OR n2 = 0 OR contents != 1) AS differences, sumIf(n1 - 1, n1 > 1) AS repeated
FROM (
  SELECT countIf(side = 1) AS n1, countIf(side = 2) AS n2, uniqExact(value) AS contents
  FROM ${bothTables(view, `sipHash128(${jsonOf(view)})`)}
  GROUP BY _offset, _index
)`

const examplesQuery = (view: View) => `
SELECT _offset, _index, groupUniqArrayIf(value, side = 1) AS ours, groupUniqArrayIf(value, side = 2) AS theirs
FROM ${bothTables(view, jsonOf(view))}
GROUP BY _offset, _index
HAVING length(ours) != 1 OR ours != theirs
ORDER BY _offset, _index
LIMIT {limit:UInt32}`
