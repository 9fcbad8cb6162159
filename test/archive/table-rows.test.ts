import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import avro from 'avsc'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { microseconds } from '../../archive/cells.ts'
import { tableColumns } from '../../archive/columns.ts'
import { packRecords, unpackedRecords } from '../../archive/packed-records.ts'
import { parquetSchemaOf } from '../../archive/parquet-schema.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { decodeSegment } from '../../archive/segment-reader.ts'
import { plainInstant } from '../../archive/table/instant.ts'
import { avroSchemas } from '../../contracts/avro.ts'
import type { Topic } from '../../contracts/topics.ts'
import { UndecodableRecord } from '../../journal/codec.ts'
import { newestVersion, type PortableRecord, portableDecoder } from '../../journal/portable-records.ts'
import { eventNumber, releaseNumber } from '../support/journal-records.ts'
import { anyRecords, plainRecord, tick } from './support/records.ts'
import { tableData } from './support/table-data.ts'

const compressors = {
  compress: (page: Uint8Array) => zstdCompressSync(page),
  unpack: (page: Uint8Array) => zstdDecompressSync(page),
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The rows of a Parquet file, as the library reads them. */
const rowsIn = (bytes: Uint8Array): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({
    // Cast: no writer's memory is shared.
    file: new Uint8Array(bytes).buffer as ArrayBuffer,
    compressors: { ZSTD: compressors.unpack },
    // The library's own parsers lose a text's byte order mark, and the microseconds of a time.
    parsers: {
      stringFromBytes: (text: Uint8Array | undefined) => text && strict.decode(text),
      timestampFromMicroseconds: (micros: bigint) => micros,
    },
    utf8: false,
  })

function fileOf(topic: Topic, records: readonly PortableRecord[]): Uint8Array {
  const writer = new SegmentWriter(topic, 0)
  writer.add(packRecords(records))
  return writer.finish()
}

/** The same table from decoded objects, cell by cell, as the library writes it. So did former releases. */
function expectedFile(topic: Topic, records: readonly PortableRecord[], pageSize?: number): Uint8Array {
  const decode = portableDecoder(topic)
  const values = records.map((record) => {
    try {
      return decode(record)
    } catch (error) {
      if (error instanceof UndecodableRecord) return null
      throw error
    }
  })
  const file = new ByteWriter()
  const writer = new ParquetWriter({
    writer: file,
    schema: parquetSchemaOf(tableColumns(topic)),
    codec: 'ZSTD',
    compressors: { ZSTD: compressors.compress },
  })
  const columns = tableData({ topic, partition: 0 }, records, values)
  writer.write({
    ...(pageSize !== undefined && { pageSize }),
    columnData: columns.map(({ column: { name }, cells }) => ({ name, data: cells, statistics: false })),
  })
  writer.finish()
  return file.getBytes()
}

async function expectSameTable(topic: Topic, records: readonly PortableRecord[]): Promise<void> {
  expect(await rowsIn(fileOf(topic, records))).toEqual(await rowsIn(expectedFile(topic, records)))
}

const newest = ({ topic, records }: { topic: Topic; records: readonly PortableRecord[] }) =>
  records.map((record) => ({ ...record, schema: newestVersion(topic) }))

/** Body of a value in the newest version of its topic's schema. */
const bodyOf = (topic: Topic, value: unknown): Buffer =>
  avro.Type.forSchema(avroSchemas[topic] as avro.Schema).toBuffer(value)

it('the table of any records is that of the decoded ones', async () => {
  await fc.assert(
    fc.asyncProperty(anyRecords({ minLength: 1, maxLength: 25 }), fc.boolean(), async (drawn, isNewest) => {
      await expectSameTable(drawn.topic, isNewest ? newest(drawn) : drawn.records)
    }),
    { numRuns: 60 },
  )
})
it('so is that of many records, of which some columns repeat and others do not', async () => {
  const many = Array.from({ length: 2_500 }, (_, n) => ({ ...tick(n), schema: newestVersion('ticks') }))
  await expectSameTable('ticks', many)
  await expectSameTable('ticks', [...many.slice(0, 700), ...many.slice(0, 700), ...many.slice(0, 700)])
})
it('so is that of members that are cut off, or begin again within a row', async () => {
  const figures = { value: '1.0', 'core.value': '1.00', low: 'n/a' }
  const value = { ...releaseNumber(1), figures, published: { b: '2', a: '1' }, inputs: ['rel_1', 'rel_2'] }
  const body = bodyOf('releases', value)
  const records = Array.from({ length: body.length + 3 }, (_, length) => ({
    ...tick(length),
    schema: newestVersion('releases'),
    body: length > body.length ? Buffer.concat([body, Buffer.alloc(1)]) : body.subarray(0, length),
  }))
  await expectSameTable('releases', records)
  const whole = (await rowsIn(fileOf('releases', records)))[body.length]
  expect(Object.entries(whole?.published ?? {})).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
})
it('so is that of a length of hundreds of bytes, and of a map that has a key twice', async () => {
  const endless = Buffer.concat([Buffer.alloc(400, 0x80), Buffer.alloc(1)])
  const twice = bodyOf('releases', { ...releaseNumber(1), figures: { value: '1', valuf: '2', low: '3' } })
  twice.write('value', twice.indexOf('valuf'))
  for (const body of [endless, twice])
    await expectSameTable('releases', [{ ...tick(0), schema: newestVersion('releases'), body }])
})
it('extremes are those of the rows, without values of a record that is cut off', async () => {
  const bodies = [7, 5, 999_999].map((sequence) => bodyOf('events', { ...eventNumber(1), sequence }))
  const records = bodies.map((body, n) => ({
    ...tick(n),
    schema: newestVersion('events'),
    body: n === 2 ? body.subarray(0, -1) : body,
  }))
  const { row_groups } = parquetMetadata(new Uint8Array(fileOf('events', records)).buffer as ArrayBuffer)
  const column = row_groups[0]?.columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === 'sequence')
  expect(column?.meta_data?.statistics).toMatchObject({ min_value: 5n, max_value: 7n, null_count: 1n })
})
it('a text that is no UTF-8 is one for a reader', async () => {
  const value = { ...releaseNumber(1), period: 'XXXX' }
  const body = bodyOf('releases', value)
  body.write('\xff\xfe\xc3X', body.indexOf('XXXX'), 'latin1')
  const [row] = await rowsIn(fileOf('releases', [{ ...tick(0), schema: newestVersion('releases'), body }]))
  expect(row?.period).toBe('\ufffd\ufffd\ufffdX')
})
it('what former releases have written is read, also columns of several pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRecords({ minLength: 1, maxLength: 25 }),
      fc.constantFrom(50, 400, 1e6),
      async (drawn, size) => {
        const found: PortableRecord[] = []
        for await (const group of decodeSegment(expectedFile(drawn.topic, drawn.records, size)))
          found.push(...unpackedRecords(group))
        expect(found.map(plainRecord)).toEqual(drawn.records.map(plainRecord))
      },
    ),
    { numRuns: 60 },
  )
})
it('packed records are unpacked as they were', () => {
  fc.assert(
    fc.property(anyRecords(), ({ records }) => {
      expect(unpackedRecords(packRecords(records)).map(plainRecord)).toEqual(records.map(plainRecord))
    }),
  )
})
it('an instant is read as Date reads it, and no other text', () => {
  const read = (text: string) => plainInstant(Buffer.from(`xx${text}yy`), 2, 2 + Buffer.byteLength(text))
  const expected = (text: string) => {
    const micros = text.length === 24 ? microseconds(text) : null
    return micros === null ? Number.NaN : Number(micros / 1_000n)
  }
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(read(date.toISOString())).toBe(date.getTime())
      },
    ),
  )
  const places = fc.tuple(fc.nat(23), fc.constantFrom(...'0123456789-T:.Z+ '))
  fc.assert(
    fc.property(fc.array(places, { maxLength: 4 }), (changes) => {
      const text = [...'2026-02-28T23:59:59.123Z']
      for (const [at, character] of changes) text[at] = character
      expect(read(text.join(''))).toBe(expected(text.join('')))
    }),
    { numRuns: 2_000 },
  )
})
