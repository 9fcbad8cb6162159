/** The question of an export: which records, in which format. */
import { type Topic, topics } from '../../contracts/topics.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'
import { memberAt } from '../cells.ts'
import { memberColumns } from '../columns.ts'

export const exportFormats = ['parquet', 'arrow', 'ndjson', 'csv', 'avro'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const filterNames = ['key', 'country', 'indicator', 'symbol', 'type', 'family', 'source'] as const
export type FilterName = (typeof filterNames)[number]

/** Wanted values by filter: a record must have one of the values of every filter. */
export type ExportFilters = { readonly [Name in FilterName]?: readonly string[] }

/** Where a range begins or ends, as it was asked: an offset, a time (ISO 8601, UTC) or the cursor of an event. */
export type ExportBound = { readonly offset: number } | { readonly time: string } | { readonly cursor: string }

export type ExportQuestion = {
  readonly topics: readonly Topic[]
  /** Null: all partitions. */
  readonly partition: number | null
  /** Null: the log start when the export began. */
  readonly from: ExportBound | null
  /** Exclusive. Null: the end when the export began. */
  readonly to: ExportBound | null
  readonly filters: ExportFilters
  readonly format: ExportFormat
}

/** Path to the member of a topic's record that a filter compares; undefined if the record has no such member. */
const memberPath = (topic: Topic, filter: FilterName): readonly string[] | undefined =>
  memberColumns[topic].find(({ name }) => name === filter || name === `series_${filter}`)?.path

/** Filters that a topic's records can be selected by. */
export const filtersFor = (topic: Topic): readonly FilterName[] =>
  filterNames.filter((name) => (name === 'key' ? topics[topic].key !== 'none' : memberPath(topic, name) !== undefined))

/** Whether a filter looks into the records' values. */
export const looksIntoValues = (filters: ExportFilters): boolean => Object.keys(filters).some((name) => name !== 'key')

/** Returns the test of the filters for a topic that has them all. The value is the decoded record. */
export function selects(
  topic: Topic,
  { key, ...others }: ExportFilters,
): (record: PortableRecord, value: unknown) => boolean {
  const tests = Object.entries(others).map(([name, wanted]) => {
    // Cast: `others` has no other names.
    const path = memberPath(topic, name as FilterName)
    if (!path) throw new Error(`topic ${topic} has no member for the filter ${name}`)
    return { path, wanted: new Set<unknown>(wanted) }
  })
  const keys = key && new Set<unknown>(key)
  return (record, value) =>
    (!keys || keys.has(record.key)) && tests.every(({ path, wanted }) => wanted.has(memberAt(value, path)))
}
