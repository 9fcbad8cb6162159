import type { AvroSchema } from '../../contracts/avro.ts'
import { type AvroBytes, malformedAvro, readBlocks, readLength, readLong } from '../../journal/avro-bytes.ts'
import type { ColumnCells, Leaf, ListCells, TextLeaf } from './leaf.ts'
import { TextValues } from './text-values.ts'

/** Bytes of Avro that are read, and the row that takes their values. */
type Source = AvroBytes & { row: number }
type Step = (source: Source) => void

/** The cells of a record's members, by their paths with points between the names. */
type MemberCells = ReadonlyMap<string, ColumnCells>

/**
 * Returns a function that puts the members of an Avro value into a row of their columns, without an object for the value. It
 * returns false for bytes that are no value of the schema; some columns may have got values then. The schema may have what
 * `contracts/avro.ts` derives. A member without a column is passed over.
 */
export function memberFiller(schema: AvroSchema, members: MemberCells) {
  const step = stepOf(schema, '', members)
  const source: Source = { bytes: new Uint8Array(0), from: 0, end: 0, row: 0 }
  return (bytes: Uint8Array, from: number, to: number, row: number): boolean => {
    source.bytes = bytes
    source.from = from
    source.end = to
    source.row = row
    try {
      step(source)
    } catch (error) {
      if (error !== malformedAvro) throw error
      return false
    }
    return source.from === to
  }
}

function stepOf(schema: AvroSchema, path: string, members: MemberCells): Step {
  const cells = members.get(path)
  if (typeof schema === 'string') return plainStep(schema, cells && 'leaf' in cells ? cells.leaf : undefined)
  if (Array.isArray(schema)) {
    const steps = schema.map((member) => stepOf(member, path, members))
    return (source) => {
      const step = steps[readLong(source)]
      if (!step) throw malformedAvro
      step(source)
    }
  }
  // Cast: a schema that is no name and no union has these members.
  const { type, fields, items, values } = schema as {
    readonly type: AvroSchema
    readonly fields?: readonly { readonly name: string; readonly type: AvroSchema }[]
    readonly items?: AvroSchema
    readonly values?: AvroSchema
  }
  if (fields) {
    const steps = fields.map((field) => stepOf(field.type, path === '' ? field.name : `${path}.${field.name}`, members))
    return (source) => {
      for (let i = 0; i < steps.length; i++) (steps[i] as Step)(source)
    }
  }
  if (items === undefined && values === undefined) return stepOf(type, path, members)
  if ((items ?? values) !== 'string' || !cells || 'leaf' in cells) throw new Error(`no column of texts for ${path}`)
  return items === undefined ? mapStep(cells, entryLeaves(path, members)) : listStep(cells)
}

function plainStep(type: string, leaf: Leaf | undefined): Step {
  if (type === 'null') return () => undefined
  if (type === 'string' || type === 'bytes') return textStep(textsOf(leaf))
  if (type === 'long') return numberStep(leaf, readLong)
  if (type === 'boolean') return numberStep(leaf, readBoolean)
  throw new Error(`no column for Avro's type ${type}`)
}

/** The leaf of a text, which some columns read as a number later. */
function textsOf(leaf: Leaf | undefined): TextLeaf | undefined {
  if (leaf && !(leaf.values instanceof TextValues)) throw new Error('a text has a column of numbers')
  // Cast: its values were checked.
  return leaf as TextLeaf | undefined
}

function textStep(leaf: TextLeaf | undefined): Step {
  return (source) => {
    const length = readLength(source)
    const to = source.from + length
    leaf?.set(source.row, leaf.values.add(source.bytes, source.from, to))
    source.from = to
  }
}

function numberStep(leaf: Leaf | undefined, read: (source: Source) => number): Step {
  const values = leaf?.values
  if (values instanceof TextValues) throw new Error('a number has a column of texts')
  return (source) => {
    const value = read(source)
    if (values) leaf?.set(source.row, values.add(value))
  }
}

function readBoolean(source: Source): number {
  if (source.from >= source.end) throw malformedAvro
  return source.bytes[source.from++] === 0 ? 0 : 1
}

/** Columns of single entries of a map, by their keys. */
function entryLeaves(path: string, members: MemberCells): readonly (readonly [key: Buffer, leaf: TextLeaf])[] {
  return [...members].flatMap(([name, cells]) => {
    const leaf = name.startsWith(`${path}.`) && 'leaf' in cells ? textsOf(cells.leaf) : undefined
    return leaf ? [[Buffer.from(name.slice(path.length + 1)), leaf] as const] : []
  })
}

function listStep({ places, entries }: ListCells): Step {
  const indexes: number[] = []
  return (source) => {
    indexes.length = 0
    readBlocks(source, () => indexes.push(addText(source, entries)))
    let place = places.addList(indexes.length)
    for (const index of indexes) entries.set(place++, index)
  }
}

/** Reads a text of a list or a map into the values of a leaf, and returns its index. */
function addText(source: Source, leaf: TextLeaf): number {
  const length = readLength(source)
  const from = source.from
  source.from += length
  return leaf.values.add(source.bytes, from, source.from)
}

/**
 * Entries go into the order of their keys by bytes, so that the same record always gives the same cells. Of several with one key the
 * last counts, as everywhere.
 */
function mapStep({ places, keys, entries }: ListCells, single: ReturnType<typeof entryLeaves>): Step {
  if (!keys) throw new Error('a map has a column of lists')
  /** Indexes of the keys, and of their values. */
  let map: [key: number, value: number][] = []
  const readEntry = (source: Source) => {
    const key = addText(source, keys)
    for (const [name, leaf] of single) if (name.equals(keys.values.bytesOf(key))) peekText(source, leaf)
    map.push([key, addText(source, entries)])
  }
  return (source) => {
    map = []
    readBlocks(source, () => readEntry(source))
    if (map.length > 1) {
      map.sort(([a], [b]) => keys.values.compare(a, b))
      map = map.filter(([key], i) => keys.values.compare(key, map[i + 1]?.[0] ?? key) !== 0 || i === map.length - 1)
    }
    let place = places.addList(map.length)
    for (const [key, value] of map) {
      keys.set(place, key)
      entries.set(place++, value)
    }
  }
}

/** Puts the text that comes next into the row of a leaf, without going on. */
function peekText(source: Source, leaf: TextLeaf): void {
  const { from } = source
  leaf.set(source.row, addText(source, leaf))
  source.from = from
}
