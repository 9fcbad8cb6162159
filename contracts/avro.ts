import type Type from 'typebox'
import { type Topic, topics } from './topics.ts'

/**
 * The Avro schema of each topic, derived from its record schema so that there is one definition. Every version that was
 * ever released stands in `avro/<topic>.<version>.avsc` for readers of other languages; a test holds the newest against
 * this derivation and all versions against each other (FULL_TRANSITIVE).
 */
export type AvroSchema = string | readonly AvroSchema[] | { readonly [member: string]: unknown }

const NAMESPACE = 'almanac'

type JsonSchema = {
  readonly $id?: string
  readonly type?: string
  readonly description?: string
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

/** Throws on a construct that has no Avro counterpart here: a record schema must stay within objects, arrays, maps, scalars. */
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
      }
    })
    return { type: 'record', name: schema.$id, namespace: NAMESPACE, fields }
  }
  const primitive = primitives[schema.type ?? '']
  if (!primitive) throw new Error(`${at}: no Avro counterpart for ${JSON.stringify(schema)}`)
  return primitive
}

export const avroSchemas = Object.fromEntries(
  Object.entries(topics).map(([topic, { record }]) => [topic, avroOf(record as Type.TSchema as JsonSchema)]),
) as Readonly<Record<Topic, AvroSchema>>
