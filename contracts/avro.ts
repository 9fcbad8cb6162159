import type { Type } from '#typebox'
import { type Topic, topics } from './topics.ts'

/**
 * Avro schemas of the topics. Each is derived from the record schema of its topic, so that there is one definition.
 * Every released version is in `avro/<topic>.<version>.avsc` for readers in other languages. A test compares the newest
 * version with this derivation, and all versions with each other (FULL_TRANSITIVE).
 *
 * A released file keeps its `doc` texts for ever, because registries count them as part of a schema. A better text in
 * the record schema alone makes no new version: it is written with the next change of a field.
 */
export type AvroSchema = string | readonly AvroSchema[] | { readonly [member: string]: unknown }

const NAMESPACE = 'almanac'

type JsonSchema = {
  readonly $id?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'long',
  boolean: 'boolean',
  bytes: 'bytes',
  null: 'null',
}

/**
 * Derives an Avro schema. Throws on a construct without a counterpart: a record schema must consist of objects, arrays,
 * maps and scalars.
 */
function avroOf(schema: JsonSchema, at = '$'): AvroSchema {
  if (schema.anyOf) {
    const members = schema.anyOf.map((member, i) => avroOf(member, `${at}|${i}`))
    if (members.every((member) => member === 'string')) return 'string'
    return members.includes('null') ? ['null', ...members.filter((member) => member !== 'null')] : members
  }
  if (schema.type === 'array' && schema.items) return { type: 'array', items: avroOf(schema.items, `${at}[]`) }
  const values = Object.values(schema.patternProperties ?? {})[0]
  if (values) return { type: 'map', values: avroOf(values, `${at}{}`) }
  if (schema.type === 'object') {
    if (!schema.$id) throw new Error(`${at}: a record needs an $id to be named in Avro`)
    const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const type = avroOf(property, `${at}.${name}`)
      return {
        name,
        type,
        ...(property.description ? { doc: property.description } : {}),
        ...(Array.isArray(type) && type[0] === 'null' ? { default: null } : {}),
        ...(property.default === undefined ? {} : { default: property.default }),
      }
    })
    return { type: 'record', name: schema.$id, namespace: NAMESPACE, fields }
  }
  const primitive = primitives[schema.type ?? '']
  if (!primitive) throw new Error(`${at}: no Avro counterpart for ${JSON.stringify(schema)}`)
  return primitive
}

export const avroSchemas = Object.fromEntries(
  // Casts, because TypeBox has no type for a schema's JSON, and `Object.fromEntries` forgets the type of the keys.
  Object.entries(topics).map(([topic, { record }]) => [topic, avroOf(record as Type.TSchema as JsonSchema)]),
) as Readonly<Record<Topic, AvroSchema>>

/** Tells whether two schemas differ in nothing but their `doc` texts, which no reader or writer of records looks at. */
export const areSameVersion = (a: AvroSchema, b: AvroSchema): boolean => withoutDoc(a) === withoutDoc(b)

const withoutDoc = (schema: AvroSchema): string =>
  JSON.stringify(schema, (member, value) => (member === 'doc' ? undefined : value))
