import { readdirSync, readFileSync } from 'node:fs'
import { type AvroSchema, areSameVersion, avroSchemas } from '../contracts/avro.ts'
import { program } from '../contracts/program.ts'
import type { Topic } from '../contracts/topics.ts'

/** Schema registry, as far as the codec needs one. Subjects follow Confluent's TopicNameStrategy. */
export interface SchemaRegistry {
  /**
   * Returns the id of a schema version of `topic`, by default the current one. Registers it if new and compatible.
   */
  register(topic: Topic, version?: number): Promise<number>
  /** Returns the schema with this id. Throws UnknownSchemaError if there is none. */
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

/** Registry of the schemas in this repository, with stable ids. The embedded journal uses it instead of a server. */
export function localRegistry(): SchemaRegistry {
  const released = releasedSchemas()
  const byId = new Map(released.map((entry) => [entry.id, entry.schema]))
  return {
    register: async (topic, version) => {
      const named = released.find((entry) => entry.topic === topic && entry.version === version)
      if (version !== undefined && !named) throw new Error(`topic ${topic} has no schema of version ${version}`)
      if (named) return named.id
      const newest = released.findLast((entry) => entry.topic === topic)
      if (!newest || !areSameVersion(newest.schema, avroSchemas[topic])) {
        throw new Error(`the current schema of topic ${topic} is not released: run \`${program} schemas release\``)
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
