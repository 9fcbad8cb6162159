/** Iceberg schemas of the tables (Iceberg table spec, "Schemas and Data Types" and Appendix C). */
import type { Topic } from '../../contracts/topics.ts'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../cells.ts'
import { nestedId, type PlainType, type TableColumn, tableColumns } from '../columns.ts'

const DECIMAL = `decimal(${DECIMAL_PRECISION}, ${DECIMAL_SCALE})`

const primitives: { readonly [T in PlainType]: string } = {
  string: 'string',
  integer: 'int',
  long: 'long',
  boolean: 'boolean',
  bytes: 'binary',
  decimal: DECIMAL,
  timestamp: 'timestamptz',
  date: 'date',
}

function typeOf(column: TableColumn): string | object {
  const inner = nestedId(column)
  const map = { type: 'map', 'key-id': inner, key: 'string', 'value-id': inner + 1 }
  switch (column.type) {
    case 'list<string>':
      return { type: 'list', 'element-id': inner, element: 'string', 'element-required': true }
    case 'map<string, string>':
      return { ...map, value: 'string', 'value-required': true }
    case 'map<string, decimal>':
      return { ...map, value: DECIMAL, 'value-required': false }
    default:
      return primitives[column.type]
  }
}

/** Schema of a topic's table. Columns are only ever added, so their number tells the versions of a schema apart. */
export function icebergSchema(topic: Topic) {
  const columns = tableColumns(topic)
  return {
    type: 'struct',
    'schema-id': columns.length,
    fields: columns.map((column) => ({
      id: column.id,
      name: column.name,
      required: column.isRequired,
      type: typeOf(column),
    })),
  }
}

/** Greatest field id of a table, those of list elements and map members included. */
export const lastColumnId = (topic: Topic): number =>
  Math.max(...tableColumns(topic).map((column) => (column.type.includes('<') ? nestedId(column) + 1 : column.id)))
