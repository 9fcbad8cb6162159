/**
 * What every adapter of the schema registry port must do. An adapter's test calls `registryContract` with a way to reach
 * the same registry once more, as another node does.
 */
import avro from 'avsc'
import { describe, expect, it } from 'vitest'
import { type AvroSchema, avroSchemas } from '../../contracts/avro.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import { codecFor } from '../../journal/codec.ts'
import { releasedSchemas, type SchemaRegistry, UnknownSchemaError } from '../../journal/registry.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const names = Object.keys(topics) as Topic[]
const typeOf = (schema: AvroSchema): avro.Type => avro.Type.forSchema(schema as avro.Schema)

export function registryContract(name: string, connect: () => SchemaRegistry): void {
  describe(`${name} schema registry`, () => {
    it('has an id for every topic, which names the schema that the contracts derive', async () => {
      const registry = connect()
      for (const topic of names) {
        const schema = await registry.schema(await registry.register(topic))
        expect(typeOf(schema).equals(typeOf(avroSchemas[topic])), topic).toBe(true)
      }
    })
    it('gives ids that the wire format holds, one for each topic', async () => {
      const registry = connect()
      const ids = await Promise.all(names.map((topic) => registry.register(topic)))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 32)).toBe(true)
    })
    it('gives the same id again, to this node and to others that ask at the same time', async () => {
      const nodes = [connect(), connect(), connect(), connect()]
      const ids = await Promise.all([...nodes, ...nodes].map((node) => node.register('ticks')))
      expect(new Set(ids).size).toBe(1)
    })
    it('has an id for every version that was released', async () => {
      const registry = connect()
      for (const { topic, version, schema } of releasedSchemas()) {
        const found = await registry.schema(await registry.register(topic, version))
        expect(typeOf(found).equals(typeOf(schema)), `${topic} ${version}`).toBe(true)
      }
      await expect(registry.register('ticks', 99)).rejects.toThrow('topic ticks has no schema of version 99')
    })
    it('says which id it does not know', async () => {
      await expect(connect().schema(987_654)).rejects.toThrow(UnknownSchemaError)
      await expect(connect().schema(987_654)).rejects.toThrow('no schema with id 987654')
    })
    it('lets one node read what another wrote', async () => {
      const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))
      const writer = await codecFor('releases', connect())
      const reader = await codecFor('releases', connect())
      expect(await reader.decode(writer.encode(release))).toEqual(release)
    })
  })
}
