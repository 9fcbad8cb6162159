import avro from 'avsc'
import type { AvroSchema } from '../contracts/avro.ts'
import type { Topic } from '../contracts/topics.ts'
import { schemaIdOf, withSchemaId } from './codec.ts'
import type { StoredRecord } from './journal.ts'
import { releasedSchemas, type SchemaRegistry, UnknownSchemaError } from './registry.ts'

/** The schema of a value at the source is none of the released versions for its topic. */
export class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError'
}

/**
 * Returns a function that replaces the schema ids of records by those of another registry, which numbers the same
 * versions differently. The rest of each value stays byte for byte. The function throws ForeignSchemaError, and
 * errors of the registries.
 */
export function schemaTranslation(from: SchemaRegistry, to: SchemaRegistry) {
  const released = releasedSchemas()
  const known = new Map<string, Promise<number>>()
  const find = async (topic: Topic, id: number): Promise<number> => {
    const schema = await from.schema(id).catch((error) => {
      if (error instanceof UnknownSchemaError)
        throw new ForeignSchemaError(`${topic}: ${error.message}`, { cause: error })
      throw error
    })
    const spelling = spellingOf(schema)
    const same = released.find((entry) => entry.topic === topic && spellingOf(entry.schema) === spelling)
    if (same) return to.register(topic, same.version)
    throw new ForeignSchemaError(`schema ${id} of the source's registry is no released version of topic ${topic}`)
  }
  const idFor = (topic: Topic, id: number): Promise<number> => {
    const key = `${topic} ${id}`
    const found = known.get(key) ?? find(topic, id)
    known.set(key, found)
    return found
  }
  return async (topic: Topic, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> => {
    const ids = new Map<number, number>()
    for (const id of new Set(records.map(({ value }) => schemaIdOf(topic, value)))) ids.set(id, await idFor(topic, id))
    return records.map((record) => {
      const id = schemaIdOf(topic, record.value)
      const becomes = ids.get(id) ?? id
      return becomes === id ? record : { ...record, value: withSchemaId(record.value, becomes) }
    })
  }
}

/**
 * Canonical JSON of a schema, documentation and defaults included. A registry may answer with other spacing and member
 * order. The cast is safe because `forSchema` itself throws for a value that is no schema.
 */
const spellingOf = (schema: AvroSchema): string =>
  JSON.stringify(avro.Type.forSchema(schema as avro.Schema).schema({ exportAttrs: true }))
