import avro from 'avsc'
import type { AvroSchema } from '../contracts/avro.ts'
import type { Topic } from '../contracts/topics.ts'
import { schemaIdOf, withSchemaId } from './codec.ts'
import type { StoredRecord } from './journal.ts'
import { releasedSchemas, type SchemaRegistry, UnknownSchemaError } from './registry.ts'

/** A value of the source names a schema that no release has had for its topic. */
export class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError'
}

/**
 * Gives records the schema ids of another registry: the same versions have other numbers there. All else of a value stays
 * byte for byte. Throws ForeignSchemaError, and what the registries throw.
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
    throw new ForeignSchemaError(`schema ${id} of the registry is none that values of ${topic} were ever written with`)
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

/** One spelling of a schema, documentation and defaults included, for a registry may answer with another. */
const spellingOf = (schema: AvroSchema): string =>
  JSON.stringify(avro.Type.forSchema(schema as avro.Schema).schema({ exportAttrs: true }))
