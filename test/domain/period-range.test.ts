import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfPeriod, periodsOfYear, shiftPeriod, startOfPeriod } from '../../domain/period.ts'
import { monthRange, monthToReadFrom, periodsWithin } from '../../domain/period-range.ts'

const years = ['2023', '2024', '2025']
const periods = (['M', 'Q', 'A'] as const).flatMap((frequency) =>
  years.flatMap((year) => periodsOfYear(frequency, year)),
)
const bound = fc.option(fc.constantFrom(...periods), { nil: undefined })

describe('the range of a history', () => {
  it('goes from the first month of its start to the last month of its end', () => {
    expect(monthRange('2024', '2025')).toEqual({ start: '2024-01', end: '2025-12' })
    expect(monthRange('2024-Q2', '2025-Q3')).toEqual({ start: '2024-04', end: '2025-09' })
    expect(monthRange('2024-05', undefined)).toEqual({ start: '2024-05', end: '' })
    expect(monthRange('0000', '9999')).toEqual({ start: '0000-01', end: '9999-12' })
    expect(monthRange(undefined, '9999-Q4')).toEqual({ start: '', end: '9999-12' })
  })

  it('has of each frequency the periods that lie wholly within', () => {
    fc.assert(
      fc.property(fc.constantFrom('M', 'Q', 'A'), bound, bound, (frequency, start, end) => {
        const { start: first, end: last } = periodsWithin(frequency, monthRange(start, end))
        const all = years.flatMap((year) => periodsOfYear(frequency, year))
        const inside = (period: string) =>
          (!start || startOfPeriod(period) >= startOfPeriod(start)) && (!end || endOfPeriod(period) <= endOfPeriod(end))
        expect(all.filter((period) => period >= first && (last === '' || period <= last))).toEqual(all.filter(inside))
      }),
      { numRuns: 2_000 },
    )
  })

  it('has nothing before the first year or after the last', () => {
    for (const [frequency, last] of [
      ['A', '9999'],
      ['Q', '9999-Q4'],
    ] as const) {
      expect(periodsWithin(frequency, { start: '9999-11', end: '' }).start > last).toBe(true)
      expect(
        periodsWithin(frequency, { start: '', end: '0000-01' }).end < last.replace('9999', '0000').replace('Q4', 'Q1'),
      ).toBe(true)
    }
  })
})

describe('the month to read from', () => {
  it('is so many months before the start', () => {
    expect(monthToReadFrom('2025-01', 0)).toBe('2025-01')
    expect(monthToReadFrom('2025-01', 12)).toBe('2024-01')
    expect(monthToReadFrom('2025-01', 3)).toBe('2024-10')
  })

  it('is no bound without a start', () => {
    expect(monthToReadFrom('', 12)).toBe('')
  })

  it('leaves out no month that is needed, from the first year on', () => {
    const start = fc.integer({ min: 0, max: 40 }).map((by) => shiftPeriod('0000-01', by))
    fc.assert(
      fc.property(start, fc.constantFrom(0, 1, 3, 12), (month, back) => {
        const from = monthToReadFrom(month, back)
        // Empty is no bound, and `shiftPeriod` throws at what is no month.
        if (from !== '') expect(shiftPeriod(from, back)).toBe(month)
      }),
    )
  })
})
