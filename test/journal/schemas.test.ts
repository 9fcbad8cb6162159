import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AvroSchema, areSameVersion, avroSchemas } from '../../contracts/avro.ts'
import { program } from '../../contracts/program.ts'
import type { Release } from '../../contracts/records.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import { codecFor, UndecodableRecord } from '../../journal/codec.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry } from '../../journal/registry.ts'
import { accepted, candidate, testProvenance, testSeries } from '../support/releases.ts'

const released = releasedSchemas()
const typeOf = (schema: AvroSchema) => avro.Type.forSchema(schema as avro.Schema)

/** Whether values written with `writer` can be read with `reader`. */
const readable = (reader: AvroSchema, writer: AvroSchema): boolean => {
  try {
    typeOf(reader).createResolver(typeOf(writer))
    return true
  } catch {
    return false
  }
}

describe('released Avro schemas', () => {
  it.each(Object.keys(topics) as Topic[])('the newest of %s is the one that the contracts derive', (topic) => {
    const newest = released.findLast((entry) => entry.topic === topic)
    expect(newest && areSameVersion(newest.schema, avroSchemas[topic]), `run \`${program} schemas release\``).toBe(true)
  })
  it('are other versions if a field differs, but not if only its text does', () => {
    const record = (field: object): AvroSchema => ({ type: 'record', name: 'R', fields: [field] })
    const one = record({ name: 'a', type: 'string', doc: 'A text' })
    expect(areSameVersion(one, record({ name: 'a', type: 'string', doc: 'A better text' }))).toBe(true)
    expect(areSameVersion(one, record({ name: 'a', type: 'string' }))).toBe(true)
    expect(areSameVersion(one, record({ name: 'b', type: 'string', doc: 'A text' }))).toBe(false)
    expect(areSameVersion(one, record({ name: 'a', type: 'long', doc: 'A text' }))).toBe(false)
  })
  it('have ids of their own', () => {
    expect(new Set(released.map(({ id }) => id)).size).toBe(released.length)
  })
  it('are compatible with each other both ways (FULL_TRANSITIVE)', () => {
    for (const a of released) {
      for (const b of released) {
        if (a.topic === b.topic)
          expect(readable(a.schema, b.schema), `${a.topic}: ${b.version} read as ${a.version}`).toBe(true)
      }
    }
  })
  it('would not be, with a field taken away or added without a default: the check can fail', () => {
    const schema = avroSchemas.ticks as { fields: readonly unknown[] }
    const added = { ...schema, fields: [...schema.fields, { name: 'more', type: 'string' }] }
    const removed = { ...schema, fields: schema.fields.slice(1) }
    expect(readable(added, avroSchemas.ticks)).toBe(false)
    expect(readable(avroSchemas.ticks, removed)).toBe(false)
    const optional = {
      ...schema,
      fields: [...schema.fields, { name: 'more', type: ['null', 'string'], default: null }],
    }
    expect(readable(optional, avroSchemas.ticks) && readable(avroSchemas.ticks, optional)).toBe(true)
  })
})

describe('the codec', () => {
  const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))

  it('writes the Confluent wire format and reads it back', async () => {
    const codec = await codecFor('releases', localRegistry())
    const bytes = Buffer.from(codec.encode(release))
    expect(bytes[0]).toBe(0)
    expect(bytes.readUInt32BE(1)).toBe(released.findLast(({ topic }) => topic === 'releases')?.id)
    expect(await codec.decode(bytes)).toEqual(release)
  })
  it.each([16_000, 16_384, 17_000, 100_000])('writes a text of %i bytes whole', async (bytes) => {
    const long = { ...release, release_id: 'x'.repeat(bytes) }
    const codec = await codecFor('releases', localRegistry())
    expect(await codec.decode(codec.encode(long))).toEqual(long)
  })
  it('reads what an older version of the schema wrote', async () => {
    const current = avroSchemas.releases as { fields: readonly { name: string }[] }
    const older = { ...current, fields: current.fields.filter(({ name }) => name !== 'provenance') }
    const registry: SchemaRegistry = { register: async () => 7, schema: async () => older }
    const codec = await codecFor('releases', registry)
    const { provenance: _, ...without } = release
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 0, 8]), typeOf(older).toBuffer(without)])
    expect(await codec.decode(bytes)).toEqual({ ...release, provenance: null })
  })
  it('reads releases of the first version, whose provenance names neither copy nor file', async () => {
    const first = released.find(({ topic, version }) => topic === 'releases' && version === 1)
    if (!first) throw new Error('no first version of releases')
    const { copy: _copy, file: _file, ...provenance } = testProvenance
    const codec = await codecFor('releases', localRegistry())
    const body = typeOf(first.schema).toBuffer({ ...release, provenance })
    const id = Buffer.from([0, 0, 0, 0, 0])
    id.writeUInt32BE(first.id, 1)
    const read = await codec.decode(Buffer.concat([id, body]))
    expect(read).toEqual({ ...release, provenance: testProvenance })
  })
  it('turns what an older version wrote into what it writes itself, and leaves that as it is', async () => {
    const current = avroSchemas.releases as { fields: readonly { name: string }[] }
    const older = { ...current, fields: current.fields.filter(({ name }) => name !== 'provenance').toReversed() }
    const codec = await codecFor('releases', { register: async () => 7, schema: async () => older })
    const { provenance: _, ...without } = release
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 0, 8]), typeOf(older).toBuffer(without)])
    const own = codec.encode({ ...release, provenance: null })
    // The first time its schema has to be asked for.
    for (let time = 0; time < 2; time++) expect(await codec.upToDate(bytes)).toEqual(own)
    expect(codec.upToDate(own)).toBe(own)
  })
  it('says so of anything else, and never returns half a record', async () => {
    const codec = await codecFor('releases', localRegistry())
    const good = Buffer.from(codec.encode(release))
    const decode = async (bytes: Uint8Array): Promise<Release> => codec.decode(bytes)
    await expect(decode(Buffer.from('{"json":true}'))).rejects.toThrow(UndecodableRecord)
    await expect(decode(Buffer.alloc(0))).rejects.toThrow(UndecodableRecord)
    await expect(decode(Buffer.concat([good, Buffer.from([1])]))).rejects.toThrow(UndecodableRecord)
    await expect(decode(Buffer.concat([Buffer.from([0, 0, 0, 9, 9]), good.subarray(5)]))).rejects.toThrow(
      'no schema with id',
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: good.length - 1 }), async (length) => {
        await expect(decode(good.subarray(0, length))).rejects.toThrow(UndecodableRecord)
      }),
      { numRuns: 50 },
    )
  })
})
