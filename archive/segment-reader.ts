/** Reading of segments: what is no member of a record is read from its columns, as the library stores and reads them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type DecodedArray,
  parquetMetadataAsync,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { type PackedRecords, RecordPacker } from './packed-records.ts'

const compressors = { ZSTD: (page: Uint8Array) => zstdDecompressSync(page) }

/**
 * Yields the records of a segment, a row group at a time, from group number `first` on; −1 is the last one. Each group is a
 * turn of the event loop. Throws an Error of the library if the file is no segment.
 */
export async function* decodeSegment(bytes: Uint8Array, first = 0): AsyncGenerator<PackedRecords> {
  const file: AsyncBuffer = {
    byteLength: bytes.byteLength,
    // Cast: segments are never in shared memory.
    slice: (start, end = bytes.byteLength) =>
      bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end) as ArrayBuffer,
  }
  const metadata = await parquetMetadataAsync(file)
  const schema = parquetSchema(metadata)
  for (const group of metadata.row_groups.slice(first)) {
    yield packedGroup(bytes, schema, group)
    // The file is in memory, so that nothing else lets others run.
    await nextTurn()
  }
}

function packedGroup(bytes: Uint8Array, schema: SchemaTree, group: RowGroup): PackedRecords {
  const leaf = (...path: string[]) => readLeaf(bytes, schema, group, path)
  // Casts: the columns' types, which `recordColumns` gives them for ever.
  const offsets = leaf('_offset').values as ArrayLike<bigint>
  const times = leaf('_time').values as ArrayLike<bigint>
  const versions = leaf('_schema').values as ArrayLike<number>
  const bodies = leaf('_value').values as ArrayLike<Uint8Array>
  const keys = leaf('_key')
  const names = leaf('_headers', 'key_value', 'key')
  const [headerNames, headerValues] = [
    names.values,
    leaf('_headers', 'key_value', 'value').values,
  ] as ArrayLike<Uint8Array>[]
  const packer = new RecordPacker(Math.ceil(1.1 * Number(group.total_byte_size)))
  let [key, place, header] = [0, 0, 0]
  for (let row = 0; row < Number(group.num_rows); row++) {
    packer.begin(Number(offsets[row]), milliseconds(times[row] as bigint), versions[row] as number)
    if (keys.definitions[row] === 0) packer.noKey()
    else packer.textBytes(keys.values[key++] as Uint8Array)
    let count = names.definitions[place] === 0 ? 0 : 1
    while (names.repetitions[++place] === 1) count++
    packer.headers(count)
    for (; count > 0; count--) {
      packer.textBytes(headerNames?.[header] as Uint8Array)
      packer.textBytes(headerValues?.[header++] as Uint8Array)
    }
    packer.end(bodies[row] as Uint8Array)
  }
  return packer.finish()
}

/** Times are stored in microseconds. */
function milliseconds(time: bigint): number {
  const micros = Number(time)
  return Number.isSafeInteger(micros) ? micros / 1_000 : Number(time / 1_000n)
}

type LeafData = {
  readonly values: ArrayLike<unknown>
  /** For each place; empty for a column that is required. */
  readonly definitions: ArrayLike<number>
  /** For each place; empty for a column that is flat. */
  readonly repetitions: ArrayLike<number>
}

/** Reads the leaf column of this path: its values as they are stored, and the levels of its places. */
function readLeaf(bytes: Uint8Array, schema: SchemaTree, group: RowGroup, path: string[]): LeafData {
  const name = path.join('.')
  const chunk = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === name)?.meta_data
  if (!chunk) throw new Error(`has no column ${name}`)
  const schemaPath = getTreePath(schema, path)
  // Cast: the path leads to the element.
  const { element } = schemaPath.at(-1) as SchemaTree
  const { type, codec } = chunk
  const decoder = { pathInSchema: path, type, element, schemaPath, codec, compressors, parsers: DEFAULT_PARSERS }
  const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset)
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, Number(chunk.total_compressed_size))
  const reader = { view, offset: 0 }
  const pages: LeafData[] = []
  let dictionary: DecodedArray | undefined
  while (reader.offset < view.byteLength) {
    const header = parquetHeader(reader)
    const page = new Uint8Array(view.buffer, view.byteOffset + reader.offset, header.compressed_page_size)
    reader.offset += header.compressed_page_size
    const unpacked = () => decompressPage(page, header.uncompressed_page_size, codec, compressors)
    if (header.dictionary_page_header) {
      const { buffer, byteOffset, byteLength } = unpacked()
      const values = { view: new DataView(buffer, byteOffset, byteLength), offset: 0 }
      dictionary = readPlain(values, type, header.dictionary_page_header.num_values, element.type_length)
      continue
    }
    const head = header.data_page_header_v2 ?? header.data_page_header
    if (!head) throw new Error(`column ${name} has a page of another type`)
    const data = header.data_page_header
      ? readDataPage(unpacked(), header.data_page_header, decoder)
      : readDataPageV2(page, header, decoder)
    const { dataPage, definitionLevels, repetitionLevels } = data
    const isIndex = head.encoding === 'RLE_DICTIONARY' || head.encoding === 'PLAIN_DICTIONARY'
    pages.push({
      values: isIndex ? valuesAt(dataPage, dictionary ?? []) : dataPage,
      definitions: definitionLevels ?? [],
      repetitions: repetitionLevels,
    })
  }
  const [first] = pages
  if (first && pages.length === 1) return first
  // Segments of former releases have several pages of large columns.
  const all = <T>(part: (page: LeafData) => ArrayLike<T>) => pages.flatMap((page) => Array.from(part(page)))
  return {
    values: all((page) => page.values),
    definitions: all((page) => page.definitions),
    repetitions: all((page) => page.repetitions),
  }
}

function valuesAt(indexes: ArrayLike<unknown>, dictionary: DecodedArray): unknown[] {
  const values = new Array<unknown>(indexes.length)
  // Cast: the library gives indexes as numbers.
  for (let i = 0; i < indexes.length; i++) values[i] = dictionary[indexes[i] as number]
  return values
}
