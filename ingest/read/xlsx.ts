import { posix } from 'node:path'
import { DocumentError } from '../source.ts'
import { textOf } from './text.ts'
import { childOf, childrenOf, parseXml, type XmlElement } from './xml.ts'
import { readZip, type ZipEntry } from './zip.ts'

export type SheetRow = {
  /** Number shown beside the row, from 1. */
  readonly number: number
  /** Shown text by column letters (`A`, `BK`), without empty cells. */
  readonly cells: ReadonlyMap<string, string>
}

export type Workbook = {
  readonly sheets: readonly string[]
  /** Set if serial numbers of days count from 1904, as old programs for the Macintosh wrote them, and not from 1900. */
  readonly countsFrom1904: boolean
  /** Throws `DocumentError` `no_such_sheet`, with the names of all sheets, or what `openWorkbook` throws. */
  readonly rowsOf: (sheet: string) => SheetRow[]
}

const WORKBOOK = 'xl/workbook.xml'

export const isWorkbook = (entries: readonly ZipEntry[]): boolean => entries.some(({ name }) => name === WORKBOOK)

/**
 * Opens an Office Open XML workbook (.xlsx), to read its sheets as Excel shows them in its general format: the stored result
 * of a formula, a number at 15 significant digits. A date is therefore its serial number.
 * Throws `DocumentError` `malformed_xlsx`, or what `readZip`, `textOf` and `parseXml` throw.
 * Source: ECMA-376 part 1, sections 18.2 (workbook), 18.3 (sheet) and 18.4 (shared strings).
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const entries = readZip(bytes)
  const part = (path: string): XmlElement => {
    // Names of parts are compared without regard to case (ECMA-376 part 2, 6.2.2).
    const entry = entries.find(({ name }) => name.toLowerCase() === path.toLowerCase())
    if (!entry) throw malformed(`it has no ${path}`)
    return parseXml(textOf({ bytes: entry.read() }))
  }
  const root = part(WORKBOOK)
  const sheets = childrenOf(childOf(root, 'sheets'), 'sheet')
  const { date1904 = '' } = childOf(root, 'workbookPr')?.attributes ?? {}
  const relations = part('xl/_rels/workbook.xml.rels').children.map(({ attributes }) => attributes)
  // Strict workbooks have the type in another namespace.
  const strings = relations.find(({ Type = '' }) => Type.endsWith('/sharedStrings'))?.Target
  const shared = strings === undefined ? [] : part(pathOf(strings)).children.map(textIn)
  const rowsOf = (sheet: string): SheetRow[] => {
    const named = sheets.find(({ attributes }) => attributes.name === sheet)
    if (!named) {
      const names = sheets.map(({ attributes }) => JSON.stringify(attributes.name)).join(', ')
      throw new DocumentError('no_such_sheet', `There is no sheet ${JSON.stringify(sheet)}; there are: ${names}.`)
    }
    const target = relations.find(({ Id }) => Id === named.attributes.id)?.Target
    if (target === undefined) throw malformed(`no part belongs to the sheet ${JSON.stringify(sheet)}`)
    let number = 0
    return childrenOf(childOf(part(pathOf(target)), 'sheetData'), 'row').map((row) => {
      number = row.attributes.r === undefined ? number + 1 : Number(row.attributes.r)
      if (!Number.isInteger(number)) throw malformed(`a row has no number: ${row.source().slice(0, 80)}`)
      return { number, cells: cellsOf(row, shared) }
    })
  }
  const names = sheets.map(({ attributes }) => attributes.name ?? '')
  return { sheets: names, countsFrom1904: /^(?:1|true|on)$/.test(date1904), rowsOf }
}

/** Path of a part in the archive, as the workbook names it: `worksheets/sheet1.xml`, `./a.xml`, `../b.xml`, `/xl/c.xml`. */
const pathOf = (target: string): string => posix.resolve('/xl', target).slice(1)

/** Cells of a row. A cell or row that does not name its place follows the one before it. */
function cellsOf(row: XmlElement, shared: readonly string[]): Map<string, string> {
  const cells = new Map<string, string>()
  let place = 0
  for (const cell of childrenOf(row, 'c')) {
    const { r } = cell.attributes
    const letters = r === undefined ? lettersOf(place + 1) : /^([A-Z]{1,3})\d+$/.exec(r)?.[1]
    if (letters === undefined) throw malformed(`a cell has no place: ${cell.source()}`)
    place = placeOf(letters)
    const shown = shownIn(cell, shared)
    if (shown !== '') cells.set(letters, shown)
  }
  return cells
}

/** Place of a column from 1: A, Z and AA are 1, 26 and 27. */
const placeOf = (letters: string): number =>
  [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0)

function lettersOf(place: number): string {
  const before = Math.floor((place - 1) / 26)
  return (before > 0 ? lettersOf(before) : '') + String.fromCharCode(65 + ((place - 1) % 26))
}

function shownIn(cell: XmlElement, shared: readonly string[]): string {
  const value = childOf(cell, 'v')?.text ?? ''
  switch (cell.attributes.t ?? 'n') {
    case 's': {
      // An empty number is 0 to JavaScript, and the first shared string is not the text of an empty cell.
      const text = value === '' ? '' : shared[Number(value)]
      if (text === undefined) throw malformed(`there is no shared string ${value}: ${cell.source()}`)
      return text
    }
    case 'inlineStr':
      return textIn(childOf(cell, 'is'))
    case 'n':
      return at15Digits(value)
    default:
      return value
  }
}

/** Text of a string item, plain or in runs, without phonetic readings (`rPh`). */
const textIn = (item: XmlElement | undefined): string =>
  [item, ...childrenOf(item, 'r')]
    .flatMap((holder) => childrenOf(holder, 't'))
    .map(({ text }) => text)
    .join('')

/**
 * Rounds a stored number to 15 significant digits, the figure that was entered and that Excel shows. A workbook stores
 * binary doubles at 17 digits, so 70.02 may stand as `70.019999999999996`.
 */
const at15Digits = (stored: string): string =>
  stored.length > 15 && /^[-+.\deE]+$/.test(stored) && Number.isFinite(Number(stored))
    ? String(Number(Number(stored).toPrecision(15)))
    : stored

const malformed = (detail: string) => new DocumentError('malformed_xlsx', `The workbook can't be read: ${detail}.`)
