import avro from 'avsc'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ArrowEncoder } from '../../../archive/export/arrow.ts'
import { avroSchemas } from '../../../contracts/avro.ts'
import { type Topic, topicNames } from '../../../contracts/topics.ts'
import { UndecodableRecord } from '../../../journal/codec.ts'
import { newestVersion, type PortableRecord, portableDecoder } from '../../../journal/portable-records.ts'
import { valuesOf } from '../../journal/support/avro-values.ts'
import { releaseNumber } from '../../support/journal-records.ts'
import { anyRecords, tick } from '../support/records.ts'
import { PlainArrowEncoder } from './support/plain-arrow.ts'

const start = (topic: Topic) => ({ topic, partition: 0, from: 0 })
const decoders = new Map(topicNames.map((topic) => [topic, portableDecoder(topic)]))
const decoded = (topic: Topic, record: PortableRecord): unknown => decoders.get(topic)?.(record)

/** The file of these records, whose values it takes in Avro. */
function fileOf(topic: Topic, records: readonly PortableRecord[]): Buffer {
  const encoder = new ArrowEncoder(start(topic))
  encoder.add(records.map((record) => ({ ...record, value: null })))
  return Buffer.from(encoder.finish())
}

function plainFileOf(topic: Topic, records: readonly PortableRecord[]): Buffer {
  const encoder = new PlainArrowEncoder(start(topic))
  encoder.add(records.map((record) => ({ ...record, value: decoded(topic, record) })))
  return Buffer.from(encoder.finish())
}

function expectSameFile(topic: Topic, records: readonly PortableRecord[]): void {
  // Buffers are not compared by `toEqual`, which would print them.
  expect(fileOf(topic, records).equals(plainFileOf(topic, records))).toBe(true)
}

function doesDecode(topic: Topic, record: PortableRecord): boolean {
  try {
    decoded(topic, record)
    return true
  } catch (error) {
    if (error instanceof UndecodableRecord) return false
    throw error
  }
}

it('an Arrow file of any records has the bytes of that of the decoded ones', () => {
  fc.assert(
    fc.property(anyRecords({ minLength: 1, maxLength: 25 }), fc.boolean(), ({ topic, records }, isNewest) => {
      const versioned = isNewest ? records.map((record) => ({ ...record, schema: newestVersion(topic) })) : records
      const whole = versioned.filter((record) => doesDecode(topic, record))
      fc.pre(whole.length > 0)
      expectSameFile(topic, whole)
    }),
    { numRuns: 60 },
  )
})

it.each(topicNames)('so has that of any values of %s', (topic) => {
  const type = avro.Type.forSchema(avroSchemas[topic] as avro.Schema)
  fc.assert(
    fc.property(
      fc.array(valuesOf(avroSchemas[topic], fc.stringMatching(/^[a-z]{0,3}$/)), { minLength: 1 }),
      (values) => {
        const records = values.map((value, n) => ({
          ...tick(n),
          schema: newestVersion(topic),
          body: type.toBuffer(value),
        }))
        expectSameFile(topic, records)
      },
    ),
    { numRuns: 15 },
  )
})

it('so has that of decimals, dates and times, which are null where a column cannot hold them', () => {
  const { body: _, ...head } = { ...tick(0), schema: newestVersion('releases') }
  const type = avro.Type.forSchema(avroSchemas.releases as avro.Schema)
  const records = ['1.5', '-0.000000000000000001', '1e400', `-${'9'.repeat(20)}`, '9'.repeat(21), ''].map(
    (value, n) => {
      const release = {
        ...releaseNumber(1),
        figures: { value, low: value },
        released_on: n % 2 === 0 ? '1969-12-31' : '',
      }
      return { ...head, offset: n, body: type.toBuffer(release) }
    },
  )
  expectSameFile('releases', records)
})

it('so has that of several record batches', () => {
  const many = Array.from({ length: 10_001 }, (_, n) => ({ ...tick(n), schema: newestVersion('ticks') }))
  expectSameFile('ticks', many)
})

it('a record that does not decode is named, with what the decoder says', () => {
  const whole = { ...tick(6), schema: newestVersion('ticks') }
  const cut = { ...whole, offset: 7, body: whole.body.subarray(0, 9) }
  const encoding = () => fileOf('ticks', [whole, cut])
  expect(encoding).toThrow(UndecodableRecord)
  expect(encoding).toThrow(
    `ticks/0 offset 7: a value of topic ticks does not decode with schema version ${whole.schema}`,
  )
})
