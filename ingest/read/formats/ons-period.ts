import type { Frequency } from '../../../contracts/records.ts'
import { dayInZone } from '../../../domain/time-zone.ts'
import { readInstant } from '../instant.ts'
import { monthAbbreviated } from '../months.ts'
import { type DayForm, dayFirst, englishDay, isoDay } from '../printed-days.ts'

/** Writes the ONS's `2024`, `2024 Q1` and `2024 JAN` as SDMX does; undefined for anything else. */
export function periodOfOns(printed: string): string | undefined {
  const [, year, part] = /^(\d{4})(?: (Q[1-4]|[A-Z]{3}))?$/.exec(printed) ?? []
  if (year === undefined || part === undefined) return year
  if (part.startsWith('Q')) return `${year}-${part}`
  const month = monthAbbreviated(part.slice(0, 1) + part.slice(1).toLowerCase())
  return month === undefined ? undefined : `${year}-${month}`
}

/** Frequency of a period as `periodOfOns` writes it. */
export const frequencyOfOns = (period: string): Frequency =>
  period.length === 4 ? 'A' : period.includes('Q') ? 'Q' : 'M'

/** A day, or that of an instant in London: summer's midnight is printed as `2021-07-14T23:00:00.000Z`. */
const londonDay: DayForm = {
  example: '2026-07-31; 2026-07-30T23:00:00.000Z',
  dayOf: (text) => {
    if (!text.includes('T')) return isoDay.dayOf(text)
    const instant = readInstant(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
    return instant === undefined ? undefined : isoDay.dayOf(dayInZone(Date.parse(instant), 'Europe/London'))
  },
}

/** Forms of the day of release in the ONS's files. */
export const onsDays: readonly DayForm[] = [londonDay, dayFirst, englishDay]

/** Period in which an index is 100, from a title such as `CPI INDEX 00: ALL ITEMS 2015=100`. */
export const baseOfOns = (title: string): string | undefined => /\b(\d{4})\s?=\s?100\b/.exec(title)?.[1]
