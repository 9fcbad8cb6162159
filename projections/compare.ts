import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf } from './table.ts'
import type { View } from './view.ts'

/** A place in the journal whose row isn't the same in two tables; the rows as JSON, undefined where there is none. */
export type Difference = {
  readonly partition: number
  readonly offset: number
  readonly index: number
  readonly ours: string | undefined
  readonly theirs: string | undefined
}

export type Comparison = {
  /** Rows in either table, markers not counted: those are about blocks, not about the journal. */
  readonly rows: number
  readonly differences: number
  /** The first of them in journal order. */
  readonly examples: readonly Difference[]
  /** Rows that are physically there more than once in `ours`, all alike: two projectors wrote them, no merge came yet. */
  readonly repeated: number
}

/** Offsets that one query compares: bounds its memory. */
const SPAN = 500_000
const EXAMPLES = 10

/** A contiguous part of one partition of the journal, both offsets inclusive. */
export type Range = { readonly partition: number; readonly from: number; readonly through: number }

/**
 * Compares two tables of a view over ranges of the journal, row for row and column for column; the order on disk makes
 * no difference.
 */
export async function compareTables(
  client: ClickHouseClient,
  view: View,
  tables: { readonly ours: string; readonly theirs: string },
  ranges: readonly Range[],
): Promise<Comparison> {
  let [rows, differences, repeated] = [0, 0, 0]
  const examples: Difference[] = []
  for (const { partition, low, high } of ranges.flatMap((range) => [...spansOf(range)])) {
    const params = { ...tables, partition, low, high, limit: EXAMPLES - examples.length }
    const [sums] = await rowsOf<Sums>(client, sumsQuery(view), params)
    rows += Number(sums?.rows ?? 0)
    repeated += Number(sums?.repeated ?? 0)
    const found = Number(sums?.differences ?? 0)
    differences += found
    if (found === 0 || params.limit === 0) continue
    const shown = await rowsOf<Example>(client, examplesQuery(view), params)
    examples.push(...shown.map((row) => differenceOf(partition, row)))
  }
  return { rows, differences, examples, repeated }
}

function* spansOf({ partition, from, through }: Range) {
  for (let low = from; low <= through; low += SPAN) yield { partition, low, high: Math.min(low + SPAN - 1, through) }
}

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

/** JSON of the whole row: exact, and NULL isn't ''. */
const jsonOf = (view: View) =>
  `formatRow('JSONCompactEachRow', ${view.columns.map((name) => `\`${name}\``).join(', ')})`

/** Without what a TTL may have deleted from one table and not yet from the other. */
const inRange = ({ kept = 'true' }: View) =>
  `_partition = {partition:UInt16} AND _offset BETWEEN {low:UInt64} AND {high:UInt64} AND NOT _marker AND ${kept}`

const bothTables = (view: View, value: string) => `
  (SELECT _offset, _index, 1 AS side, ${value} AS value FROM {ours:Identifier} WHERE ${inRange(view)}
   UNION ALL
   SELECT _offset, _index, 2 AS side, ${value} AS value FROM {theirs:Identifier} WHERE ${inRange(view)})`

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
