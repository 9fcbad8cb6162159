import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AvroSchema, avroSchemas } from '../../contracts/avro.ts'
import { topicNames } from '../../contracts/topics.ts'
import { jsonWriter, TextBuffer } from '../../journal/avro-json.ts'
import { valuesOf } from './support/avro-values.ts'

const inBase64 = (value: object): object =>
  'bytes' in value ? { ...value, bytes: (value.bytes as Buffer).toString('base64') } : value

function written(schema: AvroSchema, value: Uint8Array): string | undefined {
  const buffer = new TextBuffer()
  buffer.write('before ')
  const isWritten = jsonWriter(schema)(buffer, value)
  const all = buffer.take().toString()
  expect(all.startsWith('before ')).toBe(true)
  if (!isWritten) expect(all).toBe('before ')
  return isWritten ? all.slice('before '.length) : undefined
}

describe('JSON of Avro', () => {
  it.each(topicNames)('is what JSON.stringify makes of decoded records of %s, and cut ones are refused', (topic) => {
    const schema = avroSchemas[topic]
    const type = avro.Type.forSchema(schema as avro.Schema)
    fc.assert(
      fc.property(valuesOf(schema), fc.nat(), (value, at) => {
        const bytes = type.toBuffer(value)
        expect(written(schema, bytes)).toBe(JSON.stringify(inBase64(type.fromBuffer(bytes))))
        expect(written(schema, Buffer.concat([bytes, bytes]).subarray(0, bytes.length + 1))).toBeUndefined()
        if (bytes.length > 0) expect(written(schema, bytes.subarray(0, at % bytes.length))).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })

  it('reads arrays and maps in several blocks, also those that say their size', () => {
    // Two blocks of one entry each; the second one is preceded by its size of two bytes.
    const array = Buffer.from([2, 2, 0x61, 1, 4, 2, 0x62, 0])
    expect(written({ type: 'array', items: 'string' }, array)).toBe('["a","b"]')
    const map = Buffer.from([2, 2, 0x61, 2, 0x31, 1, 8, 2, 0x62, 2, 0x32, 0])
    expect(written({ type: 'map', values: 'string' }, map)).toBe('{"a":"1","b":"2"}')
    expect(written({ type: 'array', items: 'string' }, Buffer.from([0]))).toBe('[]')
  })

  it('refuses what is not well-formed', () => {
    for (const [schema, bytes] of [
      ['string', [2, 0xff]], // no UTF-8
      ['string', [1]], // a negative length
      ['string', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
      [['null', 'string'], [4]], // no such member
      ['boolean', [2]],
      [{ type: 'array', items: 'null' }, [0x7f]],
      // 2^53 − 1, twice it in seven bits a byte.
      ['long', [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f]],
      ['string', [...Array<number>(400).fill(0x80), 0]],
    ] as const)
      expect(written(schema, Buffer.from(bytes))).toBeUndefined()
  })
})
