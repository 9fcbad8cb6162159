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

/** Returns the released version of the schema that a registry numbers `id`. */
export type FindVersion = (topic: Topic, id: number) => Promise<number>

/**
 * Returns a function that finds the released version of a registry's schema. The function throws ForeignSchemaError, and
 * errors of the registry. Versions that were found are remembered, and failures are not.
 */
export function releasedVersions(registry: SchemaRegistry): FindVersion {
  const released = releasedSchemas()
  const found = new Map<string, number>()
  return async (topic, id) => {
    const key = `${topic} ${id}`
    const known = found.get(key)
    if (known !== undefined) return known
    const schema = await registry.schema(id).catch((error) => {
      if (error instanceof UnknownSchemaError)
        throw new ForeignSchemaError(`${topic}: ${error.message}`, { cause: error })
      throw error
    })
    const spelling = spellingOf(schema)
    const same = released.find((entry) => entry.topic === topic && spellingOf(entry.schema) === spelling)
    if (!same)
      throw new ForeignSchemaError(`schema ${id} of the source's registry is no released version of topic ${topic}`)
    found.set(key, same.version)
    return same.version
  }
}

/**
 * Returns a function that replaces the schema ids of records by those of another registry, which numbers the same
 * versions differently. The rest of each value stays byte for byte. The function throws ForeignSchemaError, and
 * errors of the registries.
 */
export function schemaTranslation(from: SchemaRegistry, to: SchemaRegistry) {
  const versionOf = releasedVersions(from)
  const known = new Map<string, number>()
  const idFor = async (topic: Topic, id: number): Promise<number> => {
    const key = `${topic} ${id}`
    const found = known.get(key) ?? (await to.register(topic, await versionOf(topic, id)))
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
