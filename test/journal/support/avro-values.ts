import fc from 'fast-check'
import type { AvroSchema } from '../../../contracts/avro.ts'

type Field = { readonly name: string; readonly type: AvroSchema }

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '\u2028', '😀') }),
)
const plain: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  long: fc.oneof(fc.integer({ min: -70, max: 70 }), fc.integer({ min: 2 - 2 ** 53, max: 2 ** 53 - 2 })),
  boolean: fc.boolean(),
  bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  null: fc.constant(null),
}

/** Keys of maps. They begin with a letter, because objects have others in another order. */
const anyKey = text.map((key) => `k${key}`)

/** Any values of a schema. */
export function valuesOf(schema: AvroSchema, key: fc.Arbitrary<string> = anyKey): fc.Arbitrary<unknown> {
  if (typeof schema === 'string') return plain[schema] ?? fc.constant(undefined)
  if (Array.isArray(schema)) return fc.oneof(...schema.map((member) => valuesOf(member, key)))
  const { fields, items, values } = schema as { fields?: Field[]; items?: AvroSchema; values?: AvroSchema }
  if (fields) return fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, valuesOf(type, key)])))
  if (items) return fc.array(valuesOf(items, key), { maxLength: 5 })
  return fc.dictionary(key, valuesOf(values as AvroSchema, key), { maxKeys: 5 })
}
