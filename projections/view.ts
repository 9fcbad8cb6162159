import { type Topic, topics } from '../contracts/topics.ts'
import type { JournalRecord } from '../journal/typed.ts'

/** What one column of a row holds, as it goes into JSON. Decimals are strings; instants ISO 8601 UTC or milliseconds. */
type Cell = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>
export type Row = readonly Cell[]

/**
 * A read model: one table, filled from one topic. `project` is pure, so that the same journal always gives the same rows.
 *
 * A table is made for it by the SQL of `table`, which must have the columns of `placeColumns` besides its own, end its
 * sorting key in the first three of them, and not be partitioned by anything but the time of appending, and then say so in
 * `partitionedBy`: a block that falls into two partitions is two parts, and no longer all or nothing.
 */
export interface View<T extends Topic = Topic> {
  /** The table's name too. */
  readonly name: string
  readonly topic: T
  /** The file that makes the table; it takes the table's name as the parameter `table`. */
  readonly table: URL
  readonly columns: readonly string[]
  /**
   * What a marker has in the columns; only where records may give no row, or the topic has retention. `at` is when the
   * last record that it covers was appended, UTC milliseconds: where a TTL goes by that, the marker must live as long.
   */
  readonly marker?: (at: number) => Row
  /**
   * Of a table that is partitioned by the time of appending: the partition of a record appended at `at`, UTC
   * milliseconds. Blocks are cut where it changes.
   */
  readonly partitionedBy?: (at: number) => number
  /**
   * No request reads it, so its rows may wait for others, and be written in few blocks: each costs ClickHouse about as
   * much as a thousand rows.
   */
  readonly gathers?: true
  /** Of a table with a TTL: a condition in SQL that holds only for rows that the TTL can't have deleted yet. */
  readonly kept?: string
  /** The rows of one record, cells in the order of `columns`; none if it has no place here. */
  project(record: JournalRecord<T>): readonly Row[]
}

/**
 * Where in the journal a row comes from: partition and offset of its record, and which of that record's rows it is. The
 * greatest `_offset` of a partition is how far the table has got: it stands in the same block as the rows, so neither is
 * ever there without the other. A marker is a row for that alone, where a block ends in records that gave no row.
 */
const placeColumns = ['_partition', '_offset', '_index', '_marker'] as const

export const columnsOf = (view: View): readonly string[] => [...placeColumns, ...view.columns]

export const partitionsOf = ({ topic }: View): number[] =>
  Array.from({ length: topics[topic].partitions }, (_, partition) => partition)

type RowPerRecord<T extends Topic> = Pick<
  View<T>,
  'name' | 'topic' | 'table' | 'partitionedBy' | 'gathers' | 'kept'
> & {
  /** What stands in each column. */
  readonly cells: Readonly<Record<string, (value: JournalRecord<T>['value'], record: JournalRecord<T>) => Cell>>
  /** Which records have a row; all if absent. */
  readonly where?: (value: JournalRecord<T>['value']) => boolean
  /** Of a marker: the columns that can't hold an empty text. */
  readonly marker?: Readonly<Record<string, Cell | ((at: number) => Cell)>>
}

/** A view with one row a record, or none. */
export function rowPerRecord<T extends Topic>({ cells, where, marker, ...view }: RowPerRecord<T>): View<T> {
  const columns = Object.keys(cells)
  const cellOf = Object.values(cells)
  return {
    ...view,
    columns,
    ...(marker && { marker: (at) => columns.map((column) => cellAt(marker[column] ?? '', at)) }),
    project: (record) => (where && !where(record.value) ? [] : [cellOf.map((cell) => cell(record.value, record))]),
  }
}

const cellAt = (cell: Cell | ((at: number) => Cell), at: number): Cell => (typeof cell === 'function' ? cell(at) : cell)
