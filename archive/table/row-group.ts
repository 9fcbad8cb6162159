import type { RowGroup, SchemaElement } from 'hyparquet'
import type { ByteWriter } from 'hyparquet-writer'
import type { PlainType } from '../columns.ts'
import { elementsOf } from '../parquet-schema.ts'
import { type ChunkSource, type Levels, writeColumnChunk } from './column-chunk.ts'
import { type ColumnCells, EMPTY_LIST, type Leaf, type ListCells } from './leaf.ts'
import type { TableRows } from './table-rows.ts'

/** Columns whose least and greatest value are of no use to a query. */
const withoutStatistics = new Set(['_headers', '_value', 'data', 'state', 'bytes'])

/** Writes rows as a row group. */
export function writeRowGroup(file: ByteWriter, { columns, count }: TableRows): RowGroup {
  const start = file.offset
  const chunks = columns.flatMap((cells) => chunksOf(cells, count)).map((source) => writeColumnChunk(file, source))
  return {
    columns: chunks,
    total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
    num_rows: BigInt(count),
    total_compressed_size: BigInt(file.offset - start),
  }
}

function chunksOf(cells: ColumnCells, rows: number): ChunkSource[] {
  const { name, type } = cells.column
  const elements = elementsOf(cells.column)
  const leaves = elements.filter((element) => element.type !== undefined)
  const groups = elements.filter((element) => element.type === undefined).map((element) => element.name)
  const hasStatistics = !withoutStatistics.has(name)
  const chunk = (element: SchemaElement, leafType: PlainType, { values, indexes }: Leaf, levels?: Levels) => {
    const path = levels ? [...groups, element.name] : [name]
    return { element, path, type: leafType, values, indexes, rows, levels, hasStatistics }
  }
  // Casts: `elementsOf` gives a column that is nested these leaves, and one that is not its own type.
  if ('leaf' in cells) return [chunk(leaves[0] as SchemaElement, type as PlainType, cells.leaf)]
  const levels = levelsOf(cells)
  const entryType = type === 'map<string, decimal>' ? 'decimal' : 'string'
  const entries = chunk(leaves.at(-1) as SchemaElement, entryType, cells.entries, levels)
  return cells.keys ? [chunk(leaves[0] as SchemaElement, 'string', cells.keys, levels), entries] : [entries]
}

/** A column that is required has no level for a list that is null. */
function levelsOf({ column, places: { kinds, repetitions } }: ListCells): Levels {
  const least = column.isRequired ? EMPTY_LIST : 0
  return {
    definitions: least === 0 ? kinds : kinds.map((kind) => kind - least),
    mostDefinition: 2 - least,
    repetitions,
  }
}
