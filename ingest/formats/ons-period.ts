import type { Frequency } from '../../contracts/records.ts'

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** Writes the ONS's `2024`, `2024 Q1` and `2024 JAN` as SDMX does; undefined for anything else. */
export function periodOfOns(printed: string): string | undefined {
  const [, year, part] = /^(\d{4})(?: (Q[1-4]|[A-Z]{3}))?$/.exec(printed) ?? []
  if (year === undefined || part === undefined) return year
  if (part.startsWith('Q')) return `${year}-${part}`
  const month = months.indexOf(part) + 1
  return month === 0 ? undefined : `${year}-${String(month).padStart(2, '0')}`
}

/** Frequency of a period as `periodOfOns` writes it. */
export const frequencyOfOns = (period: string): Frequency =>
  period.length === 4 ? 'A' : period.includes('Q') ? 'Q' : 'M'

/** Period in which an index is 100, from a title such as `CPI INDEX 00: ALL ITEMS 2015=100`. */
export const baseOfOns = (title: string): string | undefined => /\b(\d{4})\s?=\s?100\b/.exec(title)?.[1]
