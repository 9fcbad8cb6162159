/** Parquet schema of a table's columns, with their field ids. */
import type { SchemaElement } from 'hyparquet'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from './cells.ts'
import { nestedId, type PlainType, type TableColumn } from './columns.ts'

type Leaf = Pick<SchemaElement, 'type' | 'type_length' | 'converted_type' | 'logical_type' | 'precision' | 'scale'>

export const textLeaf: Leaf = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
export const decimalLeaf = (scale: number): Leaf => ({
  type: 'FIXED_LEN_BYTE_ARRAY',
  type_length: 16,
  converted_type: 'DECIMAL',
  precision: DECIMAL_PRECISION,
  scale,
  logical_type: { type: 'DECIMAL', precision: DECIMAL_PRECISION, scale },
})
const decimal = decimalLeaf(DECIMAL_SCALE)

const leaves: { readonly [T in PlainType]: Leaf } = {
  string: textLeaf,
  decimal,
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  bytes: { type: 'BYTE_ARRAY' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
}

const required = (name: string, field_id: number, leaf: Leaf): SchemaElement => ({
  name,
  field_id,
  repetition_type: 'REQUIRED',
  ...leaf,
})

/** A column and what is below it, the leaves last. */
export function elementsOf(column: TableColumn): SchemaElement[] {
  const { id: field_id, name, type, isRequired } = column
  const repetition_type = isRequired ? 'REQUIRED' : 'OPTIONAL'
  const inner = nestedId(column)
  const group = { name, field_id, repetition_type, num_children: 1 } as const
  if (type === 'list<string>')
    return [
      { ...group, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      required('element', inner, textLeaf),
    ]
  if (type === 'map<string, string>' || type === 'map<string, decimal>')
    return [
      { ...group, converted_type: 'MAP', logical_type: { type: 'MAP' } },
      { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
      required('key', inner, textLeaf),
      type === 'map<string, string>'
        ? required('value', inner + 1, textLeaf)
        : { ...required('value', inner + 1, decimal), repetition_type: 'OPTIONAL' },
    ]
  return [{ name, field_id, repetition_type, ...leaves[type] }]
}

export const parquetSchemaOf = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: 'record', num_children: columns.length },
  ...columns.flatMap(elementsOf),
]
