import avro from 'avsc'
import { avroSchemas } from '../contracts/avro.ts'
import type { RecordOf, Topic } from '../contracts/topics.ts'
import { AVRO_FROM, confluentValue, schemaIdOf, UndecodableRecord } from './codec.ts'
import type { FindVersion } from './copy-schemas.ts'
import type { Batch, StoredRecord } from './journal.ts'
import { releasedSchemas, type SchemaRegistry } from './registry.ts'

/**
 * A record that needs no schema registry: it names its schema by the released version, as `contracts/avro/` does, and
 * its value is the Avro body alone, byte for byte as it was written.
 */
export type PortableRecord = Omit<StoredRecord, 'value'> & {
  /** Released version of the topic's schema that the body was written with, from 1. */
  readonly schema: number
  readonly body: Uint8Array
}

export type PortableBatch = Omit<Batch, 'records'> & { readonly records: readonly PortableRecord[] }

/** Converts records of a journal. The bodies are views of the values. Throws what `findVersion` throws. */
export async function portableRecords(
  topic: Topic,
  records: readonly StoredRecord[],
  findVersion: FindVersion,
): Promise<readonly PortableRecord[]> {
  const versions = new Map<number, number>()
  const portable: PortableRecord[] = []
  for (const { offset, key, value, timestamp, headers } of records) {
    const id = schemaIdOf(topic, value)
    const schema = versions.get(id) ?? (await findVersion(topic, id))
    versions.set(id, schema)
    portable.push({ offset, key, timestamp, headers, schema, body: value.subarray(AVRO_FROM) })
  }
  return portable
}

/** Converts records whose values have this version of the schema. The bodies are views of the values. */
export const portableAs = (schema: number, records: readonly StoredRecord[]): readonly PortableRecord[] =>
  records.map(({ offset, key, timestamp, headers, value }) => ({
    offset,
    key,
    timestamp,
    headers,
    schema,
    body: value.subarray(AVRO_FROM),
  }))

/** Returns a function that converts records to those of a journal with this registry. */
export function storedRecords(registry: SchemaRegistry) {
  const ids = new Map<string, number>()
  return async (topic: Topic, records: readonly PortableRecord[]): Promise<readonly StoredRecord[]> => {
    const stored: StoredRecord[] = []
    for (const { offset, key, timestamp, headers, schema, body } of records) {
      const name = `${topic}.${schema}`
      const id = ids.get(name) ?? (await registry.register(topic, schema))
      ids.set(name, id)
      stored.push({ offset, key, timestamp, headers, value: confluentValue(id, body) })
    }
    return stored
  }
}

/** The version of the schema that this release writes. */
export const newestVersion = (topic: Topic): number =>
  Math.max(...releasedSchemas().flatMap((entry) => (entry.topic === topic ? [entry.version] : [])))

/** Returns a function that decodes bodies to this release's records. It throws UndecodableRecord. */
export function portableDecoder<T extends Topic>(
  topic: T,
): (record: Pick<PortableRecord, 'schema' | 'body'>) => RecordOf<T> {
  // Casts: released schemas are JSON, and `forSchema` itself throws for JSON that is no schema.
  const current = avro.Type.forSchema(avroSchemas[topic] as avro.Schema)
  const released = releasedSchemas().filter((entry) => entry.topic === topic)
  // The newest version is the current schema, whose values are read faster without a resolver.
  const resolvers = new Map(
    released.map(({ version, schema }, i) => [
      version,
      i === released.length - 1 ? undefined : current.createResolver(avro.Type.forSchema(schema as avro.Schema)),
    ]),
  )
  return ({ schema, body }) => {
    const resolver = resolvers.get(schema)
    if (!resolvers.has(schema))
      throw new UndecodableRecord(`topic ${topic} has no schema of version ${schema} in this release`)
    try {
      return current.fromBuffer(Buffer.from(body.buffer, body.byteOffset, body.byteLength), resolver)
    } catch (cause) {
      throw new UndecodableRecord(`a value of topic ${topic} does not decode with schema version ${schema}`, { cause })
    }
  }
}
