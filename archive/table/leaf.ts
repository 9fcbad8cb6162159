import type { TableColumn } from '../columns.ts'
import { areMostlyNew, TextValues } from './text-values.ts'

/** Stands for the index of a place without a value. */
export const NONE = -1

/** Numbers of a column, each once. */
export class NumberValues {
  readonly values: number[] = []
  /** False if most numbers were new. Then they are no longer searched, and one may be there several times. */
  areDistinct = true
  readonly #indexes = new Map<number, number>()
  #searched = 0
  #last = Number.NaN
  #lastIndex = NONE

  /** Returns the index of a number, which is put behind the others if it is not found. */
  add(value: number): number {
    if (value !== this.#last) {
      this.#last = value
      this.#lastIndex = this.#found(value) ?? this.#append(value)
    }
    return this.#lastIndex
  }

  clear(): void {
    this.values.length = 0
    this.areDistinct = true
    this.#indexes.clear()
    this.#searched = 0
    this.#last = Number.NaN
  }

  #found(value: number): number | undefined {
    if (!this.areDistinct) return undefined
    this.#searched++
    return this.#indexes.get(value)
  }

  #append(value: number): number {
    const index = this.values.push(value) - 1
    if (this.areDistinct) this.#indexes.set(value, index)
    if (areMostlyNew(this.values.length, this.#searched)) this.areDistinct = false
    return index
  }
}

/**
 * Values of a column by their places: for each place the index of its value, or `NONE`. A place is a row, or an entry of a
 * row's list or map.
 */
export class Leaf<Values extends TextValues | NumberValues = TextValues | NumberValues> {
  readonly values: Values
  /** What lies behind the last place is `NONE`, also beyond the array. */
  indexes = new Int32Array(64).fill(NONE)

  constructor(values: Values) {
    this.values = values
  }

  set(place: number, index: number): void {
    if (place >= this.indexes.length) {
      const larger = new Int32Array(2 * place).fill(NONE)
      larger.set(this.indexes)
      this.indexes = larger
    }
    this.indexes[place] = index
  }

  clear(): void {
    this.values.clear()
    this.indexes.fill(NONE)
  }
}

export type TextLeaf = Leaf<TextValues>
const textLeaf = (): TextLeaf => new Leaf(new TextValues(true))

/** What a place of a list or a map stands for. */
export const NULL_LIST = 0
export const EMPTY_LIST = 1
export const ENTRY = 2

/** Places of a list or a map: each of its entries, and one for each row that has none. */
class Places {
  /** `NULL_LIST`, `EMPTY_LIST` or `ENTRY` for each place. */
  readonly kinds: number[] = []
  /** For each place 0 if a row begins with it, or else 1. */
  readonly repetitions: number[] = []
  /** Number of rows that have places. */
  rows = 0

  /** Adds a row with so many entries, and returns the place of the first one. */
  addList(entries: number): number {
    const first = this.kinds.length
    this.kinds.push(entries === 0 ? EMPTY_LIST : ENTRY)
    this.repetitions.push(0)
    for (let i = 1; i < entries; i++) {
      this.kinds.push(ENTRY)
      this.repetitions.push(1)
    }
    this.rows++
    return first
  }

  /** Adds a row whose list is null. */
  addNull(): void {
    this.kinds.push(NULL_LIST)
    this.repetitions.push(0)
    this.rows++
  }

  /** Takes back the places of the last row. */
  dropRow(): void {
    this.rows--
    while (this.kinds.pop() !== undefined && this.repetitions.pop() !== 0);
  }

  clear(): void {
    this.kinds.length = 0
    this.repetitions.length = 0
    this.rows = 0
  }
}

/** Cells of a column with one value a row. */
type FlatCells = { readonly column: TableColumn; readonly leaf: Leaf }
/** Cells of a column of lists or maps. A list has no keys. */
export type ListCells = {
  readonly column: TableColumn
  readonly places: Places
  readonly keys: TextLeaf | undefined
  readonly entries: TextLeaf
}
export type ColumnCells = FlatCells | ListCells

/** Empty cells of a column. */
export function cellsOf(column: TableColumn): ColumnCells {
  switch (column.type) {
    case 'list<string>':
      return { column, places: new Places(), keys: undefined, entries: textLeaf() }
    case 'map<string, string>':
    case 'map<string, decimal>':
      return { column, places: new Places(), keys: textLeaf(), entries: textLeaf() }
    case 'bytes':
      return { column, leaf: new Leaf(new TextValues(false)) }
    case 'integer':
    case 'long':
    case 'boolean':
      return { column, leaf: new Leaf(new NumberValues()) }
    case 'timestamp':
      // The time of a record is a number. Times in its value are texts.
      return { column, leaf: column.name === '_time' ? new Leaf(new NumberValues()) : textLeaf() }
    default:
      return { column, leaf: textLeaf() }
  }
}

/** Gives a row that has got no value its place. */
export function fillRow(cells: ColumnCells, row: number): void {
  if ('leaf' in cells) return
  if (cells.places.rows <= row) cells.places.addNull()
}

/** Takes the values of a row back, which is the last one. */
export function clearRow(cells: ColumnCells, row: number): void {
  if ('leaf' in cells) {
    if (row < cells.leaf.indexes.length) cells.leaf.indexes[row] = NONE
    return
  }
  const { places, keys, entries } = cells
  if (places.rows <= row) return
  places.dropRow()
  for (const leaf of [keys, entries]) leaf?.indexes.fill(NONE, places.kinds.length)
}

export function clearCells(cells: ColumnCells): void {
  if ('leaf' in cells) cells.leaf.clear()
  else for (const part of [cells.places, cells.keys, cells.entries]) part?.clear()
}
