import { isPeriodOf, yearOf } from '../../../domain/period.ts'
import { DocumentError } from '../../source.ts'
import { monthAbbreviated, monthNamed, requiredDay } from '../printed-days.ts'
import type { SheetRow, Workbook } from '../xlsx.ts'
import type { Dataset, MessageObservation, WorkbookReader } from './observation.ts'
import { labelOf, type PeriodRow, refuseGap, textIn } from './workbook-rows.ts'

/**
 * U.S. International Trade in Goods and Services (FT-900), the joint release of the Census Bureau and the BEA, as two
 * workbooks. The BEA's time series has all months on the sheet `Table 1`; exhibit 1 has those of the newest years on the
 * sheet `1`. Both have the same columns, and the months of a year are held against its total.
 * Source: https://www.census.gov/foreign-trade/Press-Release/current_press_release/index.html,
 * https://www.bea.gov/data/intl-trade-investment/international-trade-goods-and-services
 */
export const ft900Workbook: WorkbookReader = {
  name: 'workbook of the FT-900',
  recognises: (workbook) => tableOf(workbook) !== undefined,
  read: readFt900Workbook,
}

/** Sheet that has the table, and how its title begins. */
const titles = { 'Table 1': 'Table 1.', '1': 'Exhibit 1.' } as const
const TITLE = 'U.S. International Trade in Goods and Services'

type Table = { readonly sheet: string; readonly rows: readonly SheetRow[] }

function tableOf(workbook: Workbook): Table | undefined {
  for (const [sheet, number] of Object.entries(titles)) {
    if (!workbook.sheets.includes(sheet)) continue
    const rows = workbook.rowsOf(sheet)
    if (rows.slice(0, 5).some((row) => labelOf(row) === `${number} ${TITLE}`)) return { sheet, rows }
  }
  return undefined
}

/** A column such as goods among exports. `mark` is the number of its note below the table. */
type FlowColumn = { readonly letters: string; readonly flow: string; readonly item: string; readonly mark: string }

/** Begins the cell with the day of update: `Last updated May 6, 2025`. Exhibit 1 has none. */
const UPDATED = 'Last updated'

function* readFt900Workbook(workbook: Workbook): Generator<MessageObservation> {
  const { sheet, rows } = tableOf(workbook) ?? { sheet: '', rows: [] }
  const at = rows.findIndex(({ cells }) => cells.get('B')?.trim() === 'Total')
  const [groups, heads] = [rows[at - 1], rows[at]]
  if (!groups || !heads) throw new DocumentError('missing_row', 'There is no row of columns from "Total" on.', sheet)
  const columns = columnsOf(groups, heads, sheet)
  const lines = linesOf(rows.slice(at + 1), columns)
  const months = lines.filter(({ period }) => !isPeriodOf('A', period))
  refuseGap(months, sheet, 'M')
  for (const column of columns) refuseOtherTotal(column, lines, sheet)
  const head = rows.slice(0, at).map(labelOf)
  const notes = rows.slice(at + 1).map(labelOf)
  const [first = ''] = head
  const updated = first.startsWith(UPDATED)
    ? requiredDay(first.slice(UPDATED.length), { name: `"${UPDATED}"`, location: `${sheet}, A1` })
    : undefined
  const dataset: Dataset = {
    format: ft900Workbook.name,
    dataflow: { agency: 'CENSUS', id: 'FTD' },
    updated,
  }
  const stated = {
    UNIT: firstMatch(head, /\b\w+ of dollars\b/i),
    ADJUSTMENT: firstMatch(head, /\b(?:not )?seasonally adjusted\b/i),
  }
  for (const { row, period } of months)
    for (const { letters, flow, item, mark } of columns) {
      const value = textIn(row, letters)
      yield {
        kind: 'observation',
        dataset,
        codes: { FLOW: flow, ITEM: item },
        period,
        value,
        attributes: { ...stated, BASIS: basisIn(notes, mark) },
        location: `${sheet}, ${letters}${row.number}`,
        text: `${flow}\t${item}\t${labelOf(row)}\t${value}`,
      }
    }
}

/**
 * Each group of columns begins with `Total`. Its name stands above one of its columns: the first in exhibit 1, the
 * middle one in the time series.
 */
function columnsOf(groups: SheetRow, heads: SheetRow, sheet: string): FlowColumn[] {
  const found: Omit<FlowColumn, 'flow'>[][] = []
  for (const [letters, head] of heads.cells) {
    if (letters === 'A') continue
    const [, item = '', mark = ''] = /^(.*?)(?: \(?(\d)\)?)?$/.exec(head.trim()) ?? []
    if (item === 'Total') found.push([])
    found.at(-1)?.push({ letters, item, mark })
  }
  return found.flatMap((group) => {
    const names = group.flatMap(({ letters }) => groups.cells.get(letters)?.trim() ?? [])
    const [flow] = names
    if (flow === undefined || names.length > 1) {
      const location = `${sheet}, ${group[0]?.letters}${groups.number}`
      throw new DocumentError(
        'malformed_document',
        `A group of columns has ${names.length} headings, not one.`,
        location,
      )
    }
    return group.map((column) => ({ ...column, flow }))
  })
}

/**
 * Rows with figures, by month or year. A row without a label repeats what was published last month for one month. The
 * year to date (`Jan. - Mar.`) is part of a year, for comparison.
 */
function linesOf(rows: readonly SheetRow[], columns: readonly FlowColumn[]): PeriodRow[] {
  let above = ''
  let year = ''
  return rows.flatMap((row): PeriodRow[] => {
    const label = labelOf(row).replace(/ \(R\)$/, '')
    const hasFigures = columns.some(({ letters }) => textIn(row, letters) !== '')
    const isRepeated = label === '' && above.endsWith('as published last month:')
    above = label
    if (!hasFigures) {
      if (isPeriodOf('A', label)) year = label
      return []
    }
    if (isRepeated || (/^Jan\. -/.test(label) && label !== WHOLE_YEAR)) return []
    return [{ row, period: periodOfLabel(label, year) }]
  })
}

const WHOLE_YEAR = 'Jan. - Dec.'

/** Reads `2025 Feb`, `February` below a row of its year, `2024` and `Jan. - Dec.`; returns any other label as it is. */
function periodOfLabel(label: string, year: string): string {
  if (label === WHOLE_YEAR) return year
  const [, before = year, name = ''] = /^(?:(\d{4}) )?([A-Z][a-z]+)$/.exec(label) ?? []
  const month = before === year ? monthNamed(name) : monthAbbreviated(name)
  return month === undefined ? label : `${before}-${month}`
}

/** Twelve months and their total are rounded each by itself, to half a unit at most. */
const ROUNDING = 13 / 2

/** A year's months must add up to its total. Years before the first month have a total alone. */
function refuseOtherTotal({ letters, flow, item }: FlowColumn, lines: readonly PeriodRow[], sheet: string): void {
  const months = lines.filter(({ period }) => isPeriodOf('M', period))
  const byYear = Map.groupBy(months, ({ period }) => yearOf(period))
  for (const { row, period } of lines) {
    const ofYear = isPeriodOf('A', period) ? byYear.get(period) : undefined
    if (!ofYear) continue
    const sum = ofYear.reduce((sum, month) => sum + Number(textIn(month.row, letters)), 0)
    const total = textIn(row, letters)
    // A cell that is no number is rejected by itself.
    if (!(Math.abs(sum - Number(total)) > ROUNDING)) continue
    const detail = `${flow}, ${item}: the total of ${period} is ${total}, and its months add up to ${sum}.`
    throw new DocumentError('wrong_total', detail, `${sheet}, ${letters}${row.number}`)
  }
}

/** Basis of a column's figures, as the note of its number says; `''` without such a note. */
function basisIn(notes: readonly string[], mark: string): string {
  const note = notes.find((text) => text.startsWith(`(${mark}) `) || text.startsWith(`${mark} `))
  return /\bare presented on a (.+?)(?: \(BOP\))? basis\b/.exec(note ?? '')?.[1] ?? ''
}

const firstMatch = (texts: readonly string[], pattern: RegExp): string =>
  texts.flatMap((text) => pattern.exec(text)?.[0].toLowerCase() ?? [])[0] ?? ''
