import avro from 'avsc'
import { type AvroSchema, avroSchemas } from '../contracts/avro.ts'
import { partitionsOf, topicNames } from '../contracts/topics.ts'
import { schemaIdOf } from './codec.ts'
import { type Journal, type PartitionAddress, type StoredRecord, startPast } from './journal.ts'
import { type SchemaRegistry, UnknownSchemaError } from './registry.ts'

/** The journal was written with another registry than the configured one. */
class OtherRegistryError extends Error {
  override readonly name = 'OtherRegistryError'
}

/**
 * Checks that the oldest record of each partition names a schema of its topic. Ids are small numbers that every
 * registry assigns anew, and reading a value with the wrong schema does not always fail.
 * Throws OtherRegistryError, and errors of journal and registry.
 */
export async function assertSameRegistry(journal: Journal, registry: SchemaRegistry, prefix: string): Promise<void> {
  await Promise.all(
    partitions.map(async ({ topic, partition }) => {
      const address = { topic: prefix + topic, partition }
      const oldest = await oldestRecord(journal, address)
      if (!oldest) return
      const id = schemaIdOf(topic, oldest.value)
      const schema = await registry.schema(id).catch((error) => {
        if (error instanceof UnknownSchemaError) return undefined
        throw error
      })
      if (nameOf(schema) === nameOf(avroSchemas[topic])) return
      const found = schema === undefined ? 'unknown' : `“${nameOf(schema)}”`
      throw new OtherRegistryError(
        `${address.topic} was written with another schema registry: schema ${id} of its oldest record is ${found} in this one`,
      )
    }),
  )
}

/** The first record that is kept. If retention deletes it between the two calls, the search starts again. */
async function oldestRecord(journal: Journal, address: PartitionAddress): Promise<StoredRecord | undefined> {
  for (;;) {
    const { start } = await journal.bounds(address)
    try {
      return (await journal.read(address, start, { maxRecords: 1 })).records[0]
    } catch (error) {
      if (startPast(start, error) === undefined) throw error
    }
  }
}

const partitions = topicNames.flatMap((topic) => partitionsOf(topic).map((partition) => ({ topic, partition })))

/**
 * Full name of a schema. Registries give the namespace by itself or within the name, so avsc has to resolve it. The
 * cast is safe because `forSchema` itself throws for a value that is no schema.
 */
const nameOf = (schema: AvroSchema | undefined): string | undefined =>
  schema && avro.Type.forSchema(schema as avro.Schema).name
