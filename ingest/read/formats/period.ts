import type { Frequency } from '../../../contracts/records.ts'
import { isPeriodOf } from '../../../domain/period.ts'

/**
 * Returns a printed period in Almanac's form, or undefined if it is no period of the frequency. SDMX, the IMF and
 * Eurostat print a month as `2024-03`, `2024-M03`, `2024M03` or `2024-M3`, a quarter as `2024-Q1` or `2024Q1`, and a
 * year as `2024`, `2024-A1` or `2024A00`. A day is no period: whether it stands for a month is not the reader's guess.
 */
export function periodOf(frequency: Frequency, printed: string): string | undefined {
  const [, year = '', mark, number = ''] = /^(\d{4})(?:-?([AQM])(\d{1,2}))?$/.exec(printed) ?? []
  if (mark === undefined) return isPeriodOf(frequency, printed) ? printed : undefined
  if (mark !== frequency) return undefined
  if (mark === 'A') return /^0*1?$/.test(number) ? year : undefined
  const period = mark === 'Q' ? `${year}-Q${Number(number)}` : `${year}-${number.padStart(2, '0')}`
  return isPeriodOf(frequency, period) ? period : undefined
}
