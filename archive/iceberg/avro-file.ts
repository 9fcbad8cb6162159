import { hash } from 'node:crypto'
import avsc from 'avsc'

/** Avro's object container file (Avro 1.12 specification, "Object Container Files"). */
const headerType = avsc.Type.forSchema({
  type: 'record',
  name: 'Header',
  fields: [
    { name: 'magic', type: { type: 'fixed', name: 'Magic', size: 4 } },
    { name: 'meta', type: { type: 'map', values: 'bytes' } },
    { name: 'sync', type: { type: 'fixed', name: 'Sync', size: 16 } },
  ],
})
const blockType = avsc.Type.forSchema({
  type: 'record',
  name: 'Block',
  fields: [
    { name: 'count', type: 'long' },
    { name: 'records', type: 'bytes' },
    { name: 'sync', type: { type: 'fixed', name: 'BlockSync', size: 16 } },
  ],
})
const magic = Buffer.from('Obj\u0001')

/**
 * Writes an Avro file in one uncompressed block. The same records give the same bytes, because the sync marker is a hash of
 * them and not random. The file names the schema as it is given, with attributes that Avro does not know.
 */
export function avroFile(
  schema: avsc.Schema,
  meta: Readonly<Record<string, string>>,
  records: readonly object[],
): Buffer {
  const type = typeOf(schema)
  const body = Buffer.concat(records.map((record) => type.toBuffer(record)))
  const sync = hash('sha256', body, 'buffer').subarray(0, 16)
  const named = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...meta }
  const bytes = Object.fromEntries(Object.entries(named).map(([key, value]) => [key, Buffer.from(value)]))
  const header = headerType.toBuffer({ magic, meta: bytes, sync })
  if (records.length === 0) return header
  return Buffer.concat([header, blockType.toBuffer({ count: records.length, records: body, sync })])
}

const types = new WeakMap<object, avsc.Type>()

function typeOf(schema: avsc.Schema): avsc.Type {
  const known = types.get(schema as object)
  if (known) return known
  const made = avsc.Type.forSchema(schema)
  types.set(schema as object, made)
  return made
}
