import type { Topic } from '../contracts/topics.ts'
import type { JournalRecord } from '../journal/typed.ts'
import type { Cell } from './clickhouse.ts'

/** Values of the columns, as they go into JSON. Decimals are strings; instants ISO 8601 UTC or milliseconds. */
export type Row = readonly Cell[]

/**
 * A read model: one table, filled from one topic. `project` is pure, so the same journal always gives the same rows.
 *
 * The SQL in `table` creates its table. That must have the columns of `positionColumns` besides its own, and end its
 * sorting key with the first three of them. It may be partitioned only by the time of appending, and must then set
 * `partitionedBy`, because a block in two partitions would be two parts, and no longer all or nothing.
 */
export interface View<T extends Topic = Topic> {
  /** Name of the view and of its table. */
  readonly name: string
  readonly topic: T
  /** SQL that creates the table, whose name it takes as the parameter `table`. A URL names the file that has it. */
  readonly table: URL | string
  /** Hash of the program that has `project`, for a view that is not part of this release. Another hash needs a rebuild. */
  readonly program?: string
  readonly columns: readonly string[]
  /**
   * Returns the columns of a marker. Needed if records may give no row, or if the topic has retention. `at` is when the
   * last record that it covers was appended, UTC milliseconds: with a TTL by that time, the marker must live as long.
   */
  readonly marker?: (at: number) => Row
  /**
   * Returns the ClickHouse partition of a record that was appended at `at`, UTC milliseconds. Set only for a table that
   * is partitioned by the time of appending. Blocks are cut where the partition changes.
   */
  readonly partitionedBy?: (at: number) => number
  /**
   * Set if no request reads the table. Its rows may then wait for more rows, because each block costs ClickHouse about
   * as much as a thousand rows.
   */
  readonly gathers?: true
  /**
   * Set if changes of `table` since the last release only add columns, whose default is right for older rows. A rebuild then
   * keeps rows whose records are deleted, by the columns that both tables have.
   */
  readonly addsColumns?: true
  /** SQL condition for rows that the table's TTL can't have deleted yet. Set only for a table with a TTL. */
  readonly kept?: string
  /** Returns the rows of one record, cells in the order of `columns`; none if the view leaves it out. */
  project(record: JournalRecord<T>): readonly Row[]
}

/**
 * Position of a row in the journal: partition and offset of its record, and its index among that record's rows. The
 * greatest `_offset` of a partition is the table's watermark. It stands in the same block as the rows, so neither is
 * ever there without the other. A marker is a row that only carries the watermark, if a block ends in records without
 * rows.
 */
const positionColumns = ['_partition', '_offset', '_index', '_marker'] as const

export const columnsOf = (view: View): readonly string[] => [...positionColumns, ...view.columns]

type RowPerRecord<T extends Topic> = Pick<
  View<T>,
  'name' | 'topic' | 'table' | 'partitionedBy' | 'gathers' | 'addsColumns' | 'kept'
> & {
  /** Function for each column's value. */
  readonly cells: Readonly<Record<string, (value: JournalRecord<T>['value'], record: JournalRecord<T>) => Cell>>
  /** Tells which records have a row; all if absent. */
  readonly where?: (value: JournalRecord<T>['value']) => boolean
  /** Values of a marker for columns that can't hold an empty text. */
  readonly marker?: Readonly<Record<string, Cell | ((at: number) => Cell)>>
}

/** Builds a view with one row per record, or none. */
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
