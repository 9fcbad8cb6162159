import type { Topic } from '../../contracts/topics.ts'
import type { PackedCursor } from '../packed-records.ts'
import type { ColumnCells, Leaf, ListCells, NumberValues, TextLeaf } from './leaf.ts'

const RECORD_ID = Buffer.from('record-id')

/** Returns a function that puts what is no member of a record into a row: its position, time, key, headers and body. */
export function recordFiller(topic: Topic, partition: number, columns: readonly ColumnCells[]) {
  const cells = (name: string) => columns.find(({ column }) => column.name === name)
  // Casts: `cellsOf` gives these columns such cells.
  const texts = (name: string) => (cells(name) as { readonly leaf: TextLeaf }).leaf
  const numbers = (name: string) => (cells(name) as { readonly leaf: Leaf<NumberValues> }).leaf
  const topicName = Buffer.from(topic)
  const [topics, keys, ids, bodies] = [texts('_topic'), texts('_key'), texts('_record_id'), texts('_value')]
  const [partitions, offsets] = [numbers('_partition'), numbers('_offset')]
  const [times, schemas] = [numbers('_time'), numbers('_schema')]
  const headers = cells('_headers') as ListCells
  return (record: PackedCursor, row: number): void => {
    const { bytes, keyFrom, keyTo, bodyFrom, bodyTo } = record
    topics.set(row, topics.values.add(topicName, 0, topicName.length))
    partitions.set(row, partitions.values.add(partition))
    offsets.set(row, offsets.values.add(record.offset))
    times.set(row, times.values.add(record.timestamp))
    schemas.set(row, schemas.values.add(record.schema))
    if (keyFrom >= 0) keys.set(row, keys.values.add(bytes, keyFrom, keyTo))
    bodies.set(row, bodies.values.add(bytes, bodyFrom, bodyTo))
    const first = headers.places.addList(record.headers)
    for (let i = 0; i < record.headers; i++) {
      const [from, to] = [record.valueFrom(i), record.valueTo(i)]
      headers.keys?.set(first + i, headers.keys.values.add(bytes, record.nameFrom(i), record.nameTo(i)))
      headers.entries.set(first + i, headers.entries.values.add(bytes, from, to))
      if (bytes.compare(RECORD_ID, 0, RECORD_ID.length, record.nameFrom(i), record.nameTo(i)) === 0)
        ids.set(row, ids.values.add(bytes, from, to))
    }
  }
}
