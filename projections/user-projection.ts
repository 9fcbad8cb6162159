/** What the file of a user's projection imports, as `almanac/projection`. `almanac project FILE` runs such a file. */
import type { Topic, topics } from '../contracts/topics.ts'
import type { JournalRecord } from '../journal/typed.ts'
import type { Cell } from './clickhouse.ts'

/** Topics that keep every record until it is too old. A compacted topic cannot make the same table again. */
export type ProjectedTopic = { [T in Topic]: (typeof topics)[T]['cleanup'] extends 'delete' ? T : never }[Topic]

/** A table in ClickHouse that is made from one topic of the journal. */
export type UserProjection<T extends ProjectedTopic = ProjectedTopic, C extends string = string> = {
  /** Lower-case letters, digits and `_`. The table is called `user_<name>`. */
  readonly name: string
  readonly topic: T
  /** ClickHouse type of each column, such as `String`, `Date`, `Decimal(38, 6)` or `Nullable(UInt32)`. */
  readonly columns: Readonly<Record<C, string>>
  /** Columns by which the table is sorted, and so quickly searched. Left out: in the order of the journal. */
  readonly orderBy?: readonly NoInfer<C>[]
  /**
   * Returns the rows of one record, and none for a record that the table leaves out. Must be pure: no clock, no
   * randomness, no state and no I/O, so that the same journal always gives the same table. Decimals are text.
   */
  readonly rows: (record: JournalRecord<T>) => readonly Readonly<Record<NoInfer<C>, Cell>>[]
}

/** Returns the projection as it is. The types of its columns and of the topic's records follow from it. */
export const defineProjection = <const T extends ProjectedTopic, const C extends string>(
  projection: UserProjection<T, C>,
): UserProjection<T, C> => projection
