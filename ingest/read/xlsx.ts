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

/**
 * Reads the rows of one sheet of an Office Open XML workbook (.xlsx), as Excel shows them in its general format: the
 * stored result of a formula, a number at 15 significant digits. A date is therefore its serial number.
 * Throws `DocumentError`: `no_such_sheet` with the names of all sheets, `malformed_xlsx`, or what `readZip`, `textOf`
 * and `parseXml` throw. Source: ECMA-376 part 1, sections 18.2 (workbook), 18.3 (sheet) and 18.4 (shared strings).
 */
export const readSheet = (bytes: Uint8Array, sheet: string): SheetRow[] => openWorkbook(bytes).rowsOf(sheet)

export type Workbook = {
  readonly sheets: readonly string[]
  /** Set if serial numbers of days count from 1904, as old programs for the Macintosh wrote them, and not from 1900. */
  readonly countsFrom1904: boolean
  /** Throws `DocumentError` `no_such_sheet` and `malformed_xlsx`. */
  readonly rowsOf: (sheet: string) => SheetRow[]
}

const WORKBOOK = 'xl/workbook.xml'

export const isWorkbook = (entries: readonly ZipEntry[]): boolean => entries.some(({ name }) => name === WORKBOOK)

/** Opens a workbook, to read several of its sheets. Throws what `readSheet` throws. */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const entries = readZip(bytes)
  const part = (path: string): XmlElement | undefined => {
    const entry = entries.find(({ name }) => name === path)
    return entry && parseXml(textOf({ bytes: entry.read() }))
  }
  const required = (path: string): XmlElement => {
    const root = part(path)
    if (!root) throw malformed(`it has no ${path}`)
    return root
  }
  const root = required(WORKBOOK)
  const sheets = childrenOf(childOf(root, 'sheets'), 'sheet')
  const { date1904 = '' } = childOf(root, 'workbookPr')?.attributes ?? {}
  const targets = required('xl/_rels/workbook.xml.rels').children
  const shared = (part('xl/sharedStrings.xml')?.children ?? []).map(textIn)
  const rowsOf = (sheet: string): SheetRow[] => {
    const named = sheets.find(({ attributes }) => attributes.name === sheet)
    if (!named) {
      const names = sheets.map(({ attributes }) => JSON.stringify(attributes.name)).join(', ')
      throw new DocumentError('no_such_sheet', `There is no sheet ${JSON.stringify(sheet)}; there are: ${names}.`)
    }
    const target = targets.find(({ attributes }) => attributes.Id === named.attributes.id)?.attributes.Target
    if (target === undefined) throw malformed(`no part belongs to the sheet ${JSON.stringify(sheet)}`)
    const data = childOf(required(target.startsWith('/') ? target.slice(1) : `xl/${target}`), 'sheetData')
    return childrenOf(data, 'row').map((row) => {
      const number = Number(row.attributes.r)
      if (!Number.isInteger(number)) throw malformed(`a row has no number: ${row.source().slice(0, 80)}`)
      return { number, cells: new Map(childrenOf(row, 'c').flatMap((cell) => shownIn(cell, shared))) }
    })
  }
  const names = sheets.map(({ attributes }) => attributes.name ?? '')
  return { sheets: names, countsFrom1904: /^(?:1|true|on)$/.test(date1904), rowsOf }
}

function shownIn(cell: XmlElement, shared: readonly string[]): [string, string][] {
  const column = /^([A-Z]{1,3})\d+$/.exec(cell.attributes.r ?? '')?.[1]
  if (column === undefined) throw malformed(`a cell has no place: ${cell.source()}`)
  const value = childOf(cell, 'v')?.text ?? ''
  const type = cell.attributes.t ?? 'n'
  const shown =
    type === 's'
      ? shared[Number(value)]
      : type === 'inlineStr'
        ? textIn(childOf(cell, 'is'))
        : type === 'n'
          ? at15Digits(value)
          : value
  if (shown === undefined) throw malformed(`the cell ${cell.attributes.r} has no shared string ${value}`)
  return shown === '' ? [] : [[column, shown]]
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
