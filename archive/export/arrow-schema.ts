import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Int32,
  Int64,
  List,
  Map_,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow'
import type { Topic } from '../../contracts/topics.ts'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../cells.ts'
import { type ColumnType, tableColumns } from '../columns.ts'

/** Rows of a record batch. */
export const BATCH_ROWS = 10_000

const decimal = () => new Decimal(DECIMAL_SCALE, DECIMAL_PRECISION, 128)
const map = (value: DataType, isOptional: boolean) => {
  const members = [new Field('key', new Utf8(), false), new Field('value', value, isOptional)]
  // Cast: the library's own types allow no other fields than those of a literal type.
  return new Map_(new Field('entries', new Struct(members), false) as never)
}

const typeOf: { readonly [T in ColumnType]: () => DataType } = {
  string: () => new Utf8(),
  integer: () => new Int32(),
  long: () => new Int64(),
  boolean: () => new Bool(),
  bytes: () => new Binary(),
  decimal,
  timestamp: () => new TimestampMicrosecond('UTC'),
  date: () => new DateDay(),
  'list<string>': () => new List(new Field('element', new Utf8(), false)),
  'map<string, string>': () => map(new Utf8(), false),
  'map<string, decimal>': () => map(decimal(), true),
}

/** A field for each column of the archive's table of a topic, in order. */
export const arrowSchema = (topic: Topic): Schema =>
  new Schema(tableColumns(topic).map(({ name, type, isRequired }) => new Field(name, typeOf[type](), !isRequired)))
