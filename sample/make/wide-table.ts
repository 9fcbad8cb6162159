import { readCsv } from '../../ingest/sources/shared/csv.ts'
import type { Print } from './sample-file.ts'

/** English names of the months, in order. */
export const months = 'January February March April May June July August September October November December'.split(' ')

/**
 * Reads one row of a table with a column a period, as Statistics Canada shows it (`Q1 2025`, `January 1976`, thousands
 * with commas, footnote numbers after the label) and as Singapore's Table Builder does (`2025 1Q `, newest first).
 */
export function rowOfPeriods(text: string, label: string): Print[] {
  // Footnotes of Statistics Canada hold links with quotation marks that CSV doesn't allow there.
  const [table = ''] = text.replace(/^\ufeff/, '').split(/^"?Footnotes:/m)
  const rows = readCsv(table).map(({ cells }) => cells)
  const header = rows.find((cells) => cells.slice(1, 3).some((cell) => periodIn(cell) !== undefined))
  const row = rows.find(([first = '']) => first.replace(/(?: \d+)+$/, '').trim() === label)
  if (!header || !row) throw new Error(`The table has no periods or no row ${label}`)
  return header
    .flatMap((cell, i) => {
      const period = i > 0 ? periodIn(cell) : undefined
      return period === undefined ? [] : [{ period, printed: (row[i] ?? '').replaceAll(',', '') }]
    })
    .sort((a, b) => (a.period < b.period ? -1 : 1))
}

/** The date behind a label in the lines above the table: `Release date: 2025-11-28`. Throws if there is none. */
export function dateBehind(text: string, label: string): string {
  const found = new RegExp(`${label}: (?:(\\d{4}-\\d\\d-\\d\\d)|(\\d\\d)/(\\d\\d)/(\\d{4}))`).exec(text)
  if (!found) throw new Error(`The table has no ${label}`)
  const [, date, day, month, year] = found
  return date ?? `${year}-${month}-${day}`
}

function periodIn(cell: string): string | undefined {
  const [, year, quarter] = /^(\d{4}) ([1-4])Q ?$/.exec(cell) ?? []
  if (year !== undefined) return `${year}-Q${quarter}`
  const [, first = '', second] = /^(Q[1-4]|[A-Z][a-z]+) (\d{4})$/.exec(cell) ?? []
  if (first.startsWith('Q')) return `${second}-${first}`
  const month = months.indexOf(first) + 1
  return month > 0 ? `${second}-${String(month).padStart(2, '0')}` : undefined
}
