import { zstdCompressSync } from 'node:zlib'
import type { ColumnChunk, Encoding, SchemaElement, Statistics } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { PlainType } from '../columns.ts'
import { NONE, NumberValues } from './leaf.ts'
import { type Extremes, type StoredValues, storedValues } from './stored-values.ts'
import type { TextValues } from './text-values.ts'

/** Chunks of fewer bytes are not compressed, which would take longer than it is worth. */
const LEAST_COMPRESSED = 256
const LENGTH_BYTES = 4

/** A leaf column of a row group. */
export type ChunkSource = {
  readonly element: SchemaElement
  readonly path: readonly string[]
  readonly type: PlainType
  readonly values: TextValues | NumberValues
  /** For each place the index of its value, or `NONE`, also for the places beyond the end. */
  readonly indexes: Int32Array
  readonly rows: number
  /** Levels of the places of a list: of the definition without an optional value, and of the repetition. */
  readonly levels: Levels | undefined
  readonly hasStatistics: boolean
}

export type Levels = {
  readonly definitions: readonly number[]
  readonly mostDefinition: number
  readonly repetitions: readonly number[]
}

type Page = {
  readonly encoding: Encoding
  readonly bytes: Uint8Array
  readonly dictionary?: StoredValues
  readonly extremes: () => Extremes | undefined
}

/** Writes a column chunk: one data page, and before it a dictionary if both are smaller then. */
export function writeColumnChunk(file: ByteWriter, source: ChunkSource): ColumnChunk {
  const { element, levels, rows } = source
  const isOptional = element.repetition_type === 'OPTIONAL'
  const mostDefinition = (levels?.mostDefinition ?? 0) + Number(isOptional)
  const places = levels?.definitions.length ?? rows
  const definitions = new Uint8Array(places)
  const stored =
    source.values instanceof NumberValues && source.type === 'boolean'
      ? undefined
      : storedValues(source.type, source.values)
  const present = new Int32Array(places)
  let count = 0
  const { indexes } = source
  const converted = stored?.indexes
  const ownLevel = isOptional ? 1 : 0
  for (let place = 0; place < places; place++) {
    const own = place < indexes.length ? (indexes[place] as number) : NONE
    const index = converted && own !== NONE ? (converted[own] as number) : own
    const hasValue = index !== NONE
    definitions[place] = (levels ? (levels.definitions[place] as number) : 0) + (hasValue ? ownLevel : 0)
    if (hasValue) present[count++] = index
  }
  const page = stored
    ? valuesPage(stored, present.subarray(0, count))
    : booleanPage(source.values as NumberValues, present.subarray(0, count))
  const raw = page.bytes.length + (page.dictionary?.plain.length ?? 0)
  const isCompressed = raw >= LEAST_COMPRESSED
  const compressed = (bytes: Uint8Array) => (isCompressed ? zstdCompressSync(bytes) : bytes)

  const start = file.offset
  let uncompressed = 0
  if (page.dictionary) uncompressed += writeDictionary(file, page.dictionary, compressed)
  const dataStart = file.offset
  const head = new ByteWriter()
  const repetitionBytes = levels ? writeRleBitPackedHybrid(head, levels.repetitions as number[], 1) : 0
  const definitionBytes = mostDefinition > 0 ? writeRleBitPackedHybrid(head, definitions, bitsOf(mostDefinition)) : 0
  const body = compressed(page.bytes)
  writePageHeader(file, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: head.offset + page.bytes.length,
    compressed_page_size: head.offset + body.length,
    data_page_header_v2: {
      num_values: places,
      num_nulls: places - count,
      num_rows: rows,
      encoding: page.encoding,
      definition_levels_byte_length: definitionBytes,
      repetition_levels_byte_length: repetitionBytes,
      is_compressed: isCompressed,
    },
  })
  uncompressed += file.offset - dataStart + head.offset + page.bytes.length
  file.appendBytes(head.getBytes())
  file.appendBytes(body)
  return {
    file_offset: BigInt(start),
    meta_data: {
      // Cast: `parquetSchemaOf` gives each leaf a type.
      type: element.type as NonNullable<SchemaElement['type']>,
      encodings: page.dictionary ? ['PLAIN', page.encoding] : [page.encoding],
      path_in_schema: [...source.path],
      codec: isCompressed ? 'ZSTD' : 'UNCOMPRESSED',
      num_values: BigInt(places),
      total_compressed_size: BigInt(file.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataStart),
      ...(page.dictionary ? { dictionary_page_offset: BigInt(start) } : {}),
      ...(source.hasStatistics ? { statistics: statisticsOf(page.extremes(), places - count) } : {}),
    },
  }
}

function writeDictionary(
  file: ByteWriter,
  { plain, count }: StoredValues,
  compressed: (bytes: Uint8Array) => Uint8Array,
): number {
  const start = file.offset
  const body = compressed(plain)
  writePageHeader(file, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: plain.length,
    compressed_page_size: body.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  })
  const headerBytes = file.offset - start
  file.appendBytes(body)
  return headerBytes + plain.length
}

function valuesPage(stored: StoredValues, present: Int32Array): Page {
  const extremes = () => stored.extremes(usedOf(stored, present))
  const plainBytes = bytesOf(stored, present)
  const bits = bitsOf(stored.count - 1)
  const indexBytes = Math.ceil((present.length * bits) / 8)
  if (present.length > 0 && 2 * (stored.plain.length + indexBytes) <= plainBytes) {
    const page = new ByteWriter(indexBytes + 64)
    page.appendUint8(bits)
    writeRleBitPackedHybrid(page, present, bits)
    return { encoding: 'RLE_DICTIONARY', bytes: page.getBytes(), dictionary: stored, extremes }
  }
  return { encoding: 'PLAIN', bytes: gathered(stored, present, plainBytes), extremes }
}

/** Booleans, which have no dictionary. */
function booleanPage({ values }: NumberValues, present: Int32Array): Page {
  const bits = new ByteWriter()
  writeRleBitPackedHybrid(
    bits,
    present.map((index) => values[index] as number),
    1,
  )
  const page = new ByteWriter(bits.offset + LENGTH_BYTES)
  page.appendUint32(bits.offset)
  page.appendBytes(bits.getBytes())
  const [least, greatest] = [
    !present.some((index) => values[index] === 0),
    present.some((index) => values[index] === 1),
  ]
  return {
    encoding: 'RLE',
    bytes: page.getBytes(),
    extremes: () => (present.length === 0 ? undefined : { least, greatest }),
  }
}

/** Size of the values of these places as a PLAIN page. */
function bytesOf({ ends }: StoredValues, present: Int32Array): number {
  if (typeof ends === 'number') return ends * present.length
  let sum = 0
  for (let i = 0; i < present.length; i++) {
    const index = present[i] as number
    sum += (ends[index] as number) - (index === 0 ? 0 : (ends[index - 1] as number))
  }
  return sum
}

/** The values of these places, one behind the other. */
function gathered({ plain, count, ends }: StoredValues, present: Int32Array, size: number): Uint8Array {
  if (present.length === count && present.every((index, place) => index === place)) return plain
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (let i = 0; i < present.length; i++) {
    const index = present[i] as number
    const to = typeof ends === 'number' ? ends * (index + 1) : (ends[index] as number)
    let from = typeof ends === 'number' ? ends * index : index === 0 ? 0 : (ends[index - 1] as number)
    while (from < to) bytes[at++] = plain[from++] as number
  }
  return bytes
}

/** For each value whether a place has it. */
function usedOf({ count }: StoredValues, present: Int32Array): Uint8Array {
  const isUsed = new Uint8Array(count)
  for (let i = 0; i < present.length; i++) isUsed[present[i] as number] = 1
  return isUsed
}

/** Number of bits that numbers up to `most` need. */
const bitsOf = (most: number): number => 32 - Math.clz32(Math.max(most, 0))

const statisticsOf = (extremes: Extremes | undefined, nulls: number): Statistics => ({
  // Casts: they have the type of the column's values.
  ...(extremes ? { min_value: extremes.least as bigint, max_value: extremes.greatest as bigint } : {}),
  null_count: BigInt(nulls),
})
