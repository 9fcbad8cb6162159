import avro from 'avsc'
import { expect, it } from 'vitest'
import { codecFor } from '../../journal/codec.ts'
import { newestVersion, type PortableRecord, portableAs, portableDecoder } from '../../journal/portable-records.ts'
import { RecordLines } from '../../journal/record-lines.ts'
import { localRegistry, releasedSchemas } from '../../journal/registry.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))
const head = { offset: 7, key: 'a "key"', timestamp: 5, headers: { 'record-id': 'x' } }
const line = (value: object) => `${JSON.stringify({ topic: 'releases', partition: 0, ...head, value })}\n`

async function newest(): Promise<PortableRecord> {
  const value = (await codecFor('releases', localRegistry())).encode(release)
  const [record] = portableAs(newestVersion('releases'), [{ ...head, value }])
  return record ?? expect.fail()
}

it('are JSON of the records, one behind the other', async () => {
  const lines = new RecordLines('releases')
  lines.add(0, await newest())
  lines.add(0, await newest())
  expect(lines.length).toBe(2 * Buffer.byteLength(line(release)))
  expect(lines.take().toString()).toBe(line(release).repeat(2))
  expect(lines.take()).toHaveLength(0)
})

it('have the members of this release, also of records that an earlier one wrote', async () => {
  const { schema } =
    releasedSchemas().find(({ topic, version }) => topic === 'releases' && version === 1) ?? expect.fail()
  const body = avro.Type.forSchema(schema as avro.Schema).toBuffer({ ...release })
  const record = { ...head, schema: 1, body }
  const lines = new RecordLines('releases')
  lines.add(0, record)
  const text = lines.take().toString()
  expect(text).toBe(line(portableDecoder('releases')(record)))
  expect(JSON.parse(text).value).toHaveProperty('voids', null)
})

it('say which record does not decode, and go on without it', async () => {
  const lines = new RecordLines('releases')
  const whole = await newest()
  const cut = { ...whole, body: whole.body.subarray(0, 20) }
  lines.add(0, whole)
  expect(() => lines.add(0, cut)).toThrow('releases/0 offset 7: a value of topic releases does not decode')
  lines.add(0, whole)
  expect(lines.take().toString()).toBe(line(release).repeat(2))
})
