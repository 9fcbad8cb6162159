import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfPeriod, startOfPeriod } from '../../domain/period.ts'
import { periodsWithin } from '../../domain/period-range.ts'
import { monthsWithin, timeSpan } from '../../domain/time-span.ts'

describe('timeSpan', () => {
  it.each([
    ['2024', '2024-01-01', '2024-12-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2024-01-15', '2024-01-15', '2024-01-15'],
    ['2024-01-15T23:59:59+01:00', '2024-01-15', '2024-01-15'],
    ['2024-01-15T10:00:00.123Z', '2024-01-15', '2024-01-15'],
    ['2024-A1', '2024-01-01', '2024-12-31'],
    ['2024-S2', '2024-07-01', '2024-12-31'],
    ['2024-T3', '2024-09-01', '2024-12-31'],
    ['2024-Q1', '2024-01-01', '2024-03-31'],
    ['2024-M02', '2024-02-01', '2024-02-29'],
    ['2024-D060', '2024-02-29', '2024-02-29'],
    ['2024-W01', '2024-01-01', '2024-01-07'],
    ['2021-W01', '2021-01-04', '2021-01-10'],
    ['2020-W53', '2020-12-28', '2021-01-03'],
  ])('reads %s', (text, first, last) => {
    expect(timeSpan(text)).toEqual({ first, last })
  })

  it.each(['', '24', '2024-13', '2024-00', '2024-02-30', '2024-Q5', '2024-Q0', '2024-A2', '2021-W53', '2023-D366'])(
    'refuses %j',
    (text) => expect(timeSpan(text)).toBeUndefined(),
  )
  it.each(['2024T10:00:00', '2024-01T10:00:00', '2024-01-15T10', '2024-X1', '2024-Q', '2024-01-15 10:00:00'])(
    'refuses %j',
    (text) => expect(timeSpan(text)).toBeUndefined(),
  )
})

describe('monthsWithin', () => {
  const days = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  it('has the periods that begin and end within the days', () => {
    fc.assert(
      fc.property(days, days, fc.constantFrom('A', 'Q', 'M'), fc.integer({ min: 0, max: 479 }), (a, b, unit, n) => {
        const [first = '', last = ''] = [a, b].sort()
        const year = 1990 + Math.floor(n / 12)
        const period =
          unit === 'A'
            ? `${year}`
            : unit === 'Q'
              ? `${year}-Q${(n % 4) + 1}`
              : `${year}-${String((n % 12) + 1).padStart(2, '0')}`
        const { start, end } = periodsWithin(unit, monthsWithin({ first, last }))
        expect(period >= start && period <= end).toBe(startOfPeriod(period) >= first && endOfPeriod(period) <= last)
      }),
    )
  })

  it.each([
    ['2024-01-31', '2024-03-01', '2024-02', '2024-02'],
    ['2023-12-02', '2024-02-29', '2024-01', '2024-02'],
    ['2024-01-01', '2024-01-31', '2024-01', '2024-01'],
  ])('has, of %s to %s, the months %s to %s', (first, last, start, end) => {
    expect(monthsWithin({ first, last })).toEqual({ start, end })
  })

  it('has no bound where there is no day', () => {
    expect(monthsWithin({ first: '', last: '' })).toEqual({ start: '', end: '' })
  })
})
