import { readdirSync, readFileSync } from 'node:fs'
import { type AvroSchema, avroSchemas } from '../contracts/avro.ts'
import { program } from '../contracts/program.ts'
import type { Topic } from '../contracts/topics.ts'

/** A schema registry as the codec needs it; subjects follow Confluent's TopicNameStrategy. */
export interface SchemaRegistry {
  /**
   * The id under which values of `topic` are written, or were in an earlier version of the schema; registers the schema
   * where it is new and compatible.
   */
  register(topic: Topic, version?: number): Promise<number>
  /** The schema a value was written with. Throws if the id is not known. */
  schema(id: number): Promise<AvroSchema>
}

export class UnknownSchemaError extends Error {}

type Released = { readonly id: number; readonly topic: Topic; readonly version: number; readonly schema: AvroSchema }

const directory = new URL('../contracts/avro/', import.meta.url)

/** Every schema version ever released, oldest first within a topic. */
export function releasedSchemas(): readonly Released[] {
  const ids = JSON.parse(readFileSync(new URL('ids.json', directory), 'utf8')) as Record<string, number>
  return readdirSync(directory)
    .filter((name) => name.endsWith('.avsc'))
    .map((name) => {
      const [topic, version] = name.split('.') as [Topic, string]
      const id = ids[`${topic}.${version}`]
      if (id === undefined) throw new Error(`contracts/avro/${name} has no id in ids.json`)
      return {
        id,
        topic,
        version: Number(version),
        schema: JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as AvroSchema,
      }
    })
    .sort((a, b) => a.topic.localeCompare(b.topic) || a.version - b.version)
}

/** The repository's own schemas with their stable ids: what the embedded journal uses instead of a server. */
export function localRegistry(): SchemaRegistry {
  const released = releasedSchemas()
  const byId = new Map(released.map((entry) => [entry.id, entry.schema]))
  return {
    register: async (topic, version) => {
      const named = released.find((entry) => entry.topic === topic && entry.version === version)
      if (version !== undefined && !named) throw new Error(`topic ${topic} has no schema of version ${version}`)
      if (named) return named.id
      const newest = released.findLast((entry) => entry.topic === topic)
      if (!newest || JSON.stringify(newest.schema) !== JSON.stringify(avroSchemas[topic])) {
        throw new Error(`the schema of topic ${topic} is not released: run \`${program} schemas release\``)
      }
      return newest.id
    },
    schema: async (id) => {
      const schema = byId.get(id)
      if (!schema) throw new UnknownSchemaError(`no schema with id ${id} in this release; upgrade this process`)
      return schema
    },
  }
}
