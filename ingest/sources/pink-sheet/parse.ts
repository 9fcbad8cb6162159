import { endOfPeriod, isPeriodOf } from '../../../domain/period.ts'
import { rejectOf } from '../../read/items.ts'
import { datedByNewest, oldestFirst, priceOrReject } from '../../read/price.ts'
import { statedDay } from '../../read/printed-days.ts'
import { openWorkbook, type SheetRow } from '../../read/xlsx.ts'
import { type Document, DocumentError, type Item, type Price, type Reject } from '../../source.ts'
import { type CommodityColumn, columns } from './columns.ts'

const SHEET = 'Monthly Prices'
const UPDATED = 'Updated on'
/** Cells that stand for a missing price. */
const missing: readonly string[] = ['', '..', '...', '…']

/**
 * Parses monthly average commodity prices in US dollars into prices such as `XAU-USD`, oldest first. An average is
 * observed at the end of its month: 23:59:59.999 UTC of the last day. The printed figure is what the sheet shows (15
 * significant digits). Months before a column's `since` are left out. The edition is the day
 * on which the sheet says that it was updated. A column that is missing or has an unexpected unit becomes one
 * `Reject`.
 * Throws `DocumentError` `missing_column` where no column is known, `other_series` for real prices, `bad_date`, `empty`, or what `openWorkbook` and its `rowsOf` throw.
 */
export function parsePinkSheet(document: Document): readonly Item[] {
  const rows = openWorkbook(document.bytes).rowsOf(SHEET)
  const names = new Set(columns.map(({ name }) => name))
  const heading = rows.findIndex(({ cells }) => [...cells.values()].some((text) => names.has(plainName(text))))
  const header = rows[heading]
  if (!header) throw new DocumentError('missing_column', `The sheet ${SHEET} names none of our columns.`)
  refuseRealPrices(rows.slice(0, heading))
  const units = rows[heading + 1]
  const found = columns.map((column) => locateColumn(column, header, units))
  const located = found.filter((column) => 'letters' in column)
  const items = rows.slice(heading + 2).flatMap((row) => readMonth(row, located))
  if (items.length === 0) throw new DocumentError('empty', `The sheet ${SHEET} has no prices.`)
  const edition = editionOf(rows.slice(0, heading))
  const dated = items.map((item) => (edition && item.kind === 'price' ? { ...item, released: edition } : item))
  return oldestFirst(datedByNewest([...found.filter((column) => 'kind' in column), ...dated]))
}

const isReal = (text: string): boolean => /\b(?:real|constant)\b/i.test(text) && !/\bnominal\b/i.test(text)

/** Refuses prices without inflation. The lines above the names say "monthly prices in nominal US dollars, 1960 to present". */
function refuseRealPrices(rows: readonly SheetRow[]): void {
  for (const { cells, number } of rows) {
    const line = [...cells.values()].find((text) => isReal(text))
    if (line !== undefined)
      throw new DocumentError(
        'other_series',
        `The sheet has ${JSON.stringify(line)}, not prices in nominal US dollars.`,
        `${SHEET}, row ${number}`,
      )
  }
}

/**
 * The day of the line "Updated on September 02, 2021" above the names; undefined if there is none. Throws `DocumentError`
 * `bad_date` for such a line without a day that can be read.
 */
function editionOf(rows: readonly SheetRow[]): Price['released'] {
  for (const { cells, number } of rows) {
    const line = cells.get('A')?.trim() ?? ''
    if (!line.startsWith(UPDATED)) continue
    const on = statedDay(line.slice(UPDATED.length), { name: `"${UPDATED}"`, location: `${SHEET}, A${number}` })
    if (on !== undefined) return { on, basis: 'dataset' }
  }
  return undefined
}

type LocatedColumn = CommodityColumn & { readonly letters: string }

/** Removes the asterisks at the end of a name, which mark a change of method: `Potassium chloride **`. */
function plainName(text: string): string {
  const name = text.trim()
  let end = name.length
  // A loop, because a regular expression for trailing asterisks takes quadratic time on a cell full of them.
  while (name[end - 1] === '*') end--
  return name.slice(0, end).trim().replace(/\s+/g, ' ')
}

function locateColumn(column: CommodityColumn, header: SheetRow, units: SheetRow | undefined): LocatedColumn | Reject {
  const [letters, ...others] = [...header.cells].filter(([, text]) => plainName(text) === column.name).map(([at]) => at)
  const reject = (reason: string, detail: string) =>
    rejectOf(reason, detail, `${SHEET}, row ${header.number}, ${column.name}`, textOfRow(header))
  if (letters === undefined) return reject('missing_column', `There is no column ${JSON.stringify(column.name)}.`)
  if (others.length > 0)
    return reject('duplicate_column', `The columns ${[letters, ...others].join(', ')} have one name.`)
  const unit = units?.cells.get(letters)?.trim() ?? ''
  if (unit !== column.printedUnit)
    return reject('unexpected_unit', `${column.name} is in ${JSON.stringify(unit)}, not ${column.printedUnit}.`)
  return { ...column, letters }
}

/** Reads the row of a month, such as `1960M01`. A row without numbers (codes, notes, empty cells) gives nothing. */
function readMonth(row: SheetRow, located: readonly LocatedColumn[]): Item[] {
  const month = row.cells.get('A')?.trim() ?? ''
  const period = month.replace('M', '-')
  const text = textOfRow(row)
  if (!/^\d{4}M/.test(month) || !isPeriodOf('M', period)) {
    if (!located.some(({ letters }) => /^-?\d/.test(row.cells.get(letters) ?? ''))) return []
    const detail = `Column A is ${JSON.stringify(month)}, not a month like 2021M08.`
    return [rejectOf('bad_period', detail, `${SHEET}, row ${row.number}`, text)]
  }
  const observedAt = `${endOfPeriod(period)}T23:59:59.999Z`
  return located.flatMap(({ code, letters, since }) => {
    if (period < since) return []
    const printed = row.cells.get(letters)
    if (printed === undefined || missing.includes(printed.trim())) return []
    const location = `${SHEET}, ${letters}${row.number}`
    return [priceOrReject({ symbol: `${code}-USD`, printed, observedAt, location }, text)]
  })
}

const textOfRow = ({ cells }: SheetRow): string => [...cells].map(([letters, text]) => `${letters}=${text}`).join('\t')
