import { cellOf, memberAt, sortedEntries } from '../../../archive/cells.ts'
import { memberColumns, type TableColumn, tableColumns } from '../../../archive/columns.ts'
import type { Topic } from '../../../contracts/topics.ts'
import type { PortableRecord } from '../../../journal/portable-records.ts'

type ColumnData = { readonly column: TableColumn; readonly cells: unknown[] }
type TopicPartition = { readonly topic: Topic; readonly partition: number }

/** Permanent id of a record. */
const recordId = ({ headers }: PortableRecord): string | null => headers['record-id'] ?? null

/** Cells of the record columns, by name. */
const recordCells: Readonly<Record<string, (record: PortableRecord, partition: TopicPartition) => unknown>> = {
  _topic: (_, { topic }) => topic,
  _partition: (_, { partition }) => partition,
  _offset: ({ offset }) => BigInt(offset),
  _time: ({ timestamp }) => BigInt(timestamp) * 1_000n,
  _key: ({ key }) => key,
  _record_id: recordId,
  _headers: ({ headers }) => sortedEntries(headers),
  _schema: ({ schema }) => schema,
  _value: ({ body }) => body,
}

/** Cells of a topic's table, column by column. `values` are the decoded records; one that is null has null members. */
export function tableData(
  partition: TopicPartition,
  records: readonly PortableRecord[],
  values: readonly unknown[],
): readonly ColumnData[] {
  const members = new Map(memberColumns[partition.topic].map((column) => [column.id, column]))
  return tableColumns(partition.topic).map((column) => {
    const member = members.get(column.id)
    if (member) return { column, cells: values.map((value) => cellOf(member.type, memberAt(value, member.path))) }
    const cell = recordCells[column.name]
    if (!cell) throw new Error(`column ${column.name} of ${partition.topic} has no cells`)
    return { column, cells: records.map((record) => cell(record, partition)) }
  })
}
