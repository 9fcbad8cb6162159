import { monthAbbreviated } from '../months.ts'
import { type DayForm, dayFirst, unambiguousDays } from '../printed-days.ts'

/** Forms of the day of update in files of Table Builder, which writes `10/02/2026`. */
export const singStatDays: readonly DayForm[] = [dayFirst, ...unambiguousDays]

/** Writes Table Builder's `2025 4Q` and `2025 Jan` as SDMX does; any other text stays as it is printed. */
export function periodOfSingStat(printed: string): string {
  const [, year, quarter, name = ''] = /^(\d{4}) (?:([1-4])Q|([A-Z][a-z]{2}))$/.exec(printed.trim()) ?? []
  if (year === undefined) return printed.trim()
  if (quarter !== undefined) return `${year}-Q${quarter}`
  const month = monthAbbreviated(name)
  return month === undefined ? printed.trim() : `${year}-${month}`
}

/** `na` is not available, and `-` is nil or negligible, which is no figure either. */
export const valueOfSingStat = (printed: string): string | null => (/^(?:na|-)$/.test(printed) ? null : printed)

/** Attributes that a title states: the base in `Consumer Price Index (CPI), 2024 As Base Year, Monthly`. */
export function statedByTitle(title: string): { readonly BASE?: string } {
  const base = /\b(\d{4}) As Base Year\b/i.exec(title)?.[1]
  return base === undefined ? {} : { BASE: base }
}
