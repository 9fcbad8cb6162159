import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../domain/day.ts'
import { periodOfDay, startOfPeriod } from '../../domain/period.ts'
import {
  type DatedValue,
  initialReleases,
  OPEN_END,
  observationsByVintage,
  onDays,
  realTimeChanges,
  realTimeObservations,
  vintageDates,
  vintagesWithin,
  withinWindow,
} from '../../domain/real-time.ts'
import { answersOn, histories, of, someDay } from './real-time-histories.ts'

const periodsOf = (values: readonly DatedValue[]) =>
  realTimeObservations(values).map(({ date, realtimeStart, realtimeEnd, value }) => [
    date,
    realtimeStart,
    realtimeEnd,
    value,
  ])

const shown = (answers: ReadonlyMap<string, string | null>) => [...answers].filter(([, value]) => value !== null)

describe('the real-time periods of values', () => {
  it('begin on the day of a value and end on the day before the next one', () => {
    expect(periodsOf(of('2014-Q1', ['2014-04-30', '17149.6'], ['2014-05-29', '17101.3']))).toEqual([
      ['2014-01-01', '2014-04-30', '2014-05-28', '17149.6'],
      ['2014-01-01', '2014-05-29', OPEN_END, '17101.3'],
    ])
  })

  it('count the last value of a day only, and go on where the value is answered again', () => {
    expect(periodsOf(of('2020', ['2021-01-05', '1'], ['2021-01-05', '2'], ['2021-02-01', '2']))).toEqual([
      ['2020-01-01', '2021-01-05', OPEN_END, '2'],
    ])
  })

  it('have a period without a value after a withdrawal, but none before the first value', () => {
    expect(periodsOf(of('2020-03', ['2021-01-05', '1'], ['2021-01-05', null]))).toEqual([])
    expect(periodsOf(of('2020-03', ['2021-01-05', '1'], ['2021-03-01', null], ['2021-03-03', '1']))).toEqual([
      ['2020-03-01', '2021-01-05', '2021-02-28', '1'],
      ['2020-03-01', '2021-03-01', '2021-03-02', null],
      ['2020-03-01', '2021-03-03', OPEN_END, '1'],
    ])
  })

  it('touch, change the value each time, and say for each day what was answered', () => {
    fc.assert(
      fc.property(histories, someDay, (values, day) => {
        const observations = realTimeObservations(values)
        for (const [i, { period, value, realtimeEnd }] of observations.entries()) {
          const next = observations[i + 1]
          if (next?.period !== period) expect(realtimeEnd).toBe(OPEN_END)
          else {
            expect(next.realtimeStart).toBe(addDays(realtimeEnd, 1))
            expect(next.value).not.toBe(value)
          }
        }
        const newest = new Map(onDays(observations, [day]).map(({ period, value }) => [period, value]))
        expect(shown(newest)).toEqual(shown(answersOn(values, day)))
      }),
    )
  })

  it('lie in a window if they have one of its days', () => {
    fc.assert(
      fc.property(histories, someDay, fc.integer({ min: 0, max: 6 }), (values, start, length) => {
        const observations = realTimeObservations(values)
        const days = Array.from({ length: length + 1 }, (_, i) => addDays(start, i))
        expect(withinWindow(observations, { start, end: addDays(start, length) })).toEqual(onDays(observations, days))
      }),
    )
  })
})

describe('vintages', () => {
  it('are read as of their days: a column is what was answered on it', () => {
    fc.assert(
      fc.property(histories, fc.uniqueArray(someDay, { maxLength: 5 }), (values, unsorted) => {
        const days = unsorted.sort()
        const rows = observationsByVintage(realTimeObservations(values), days)
        for (const [column, day] of days.entries()) {
          const inColumn = rows.map(({ date, values: cells }) => [date, cells[column] ?? null] as const)
          const answered = [...answersOn(values, day)].map(([period, value]) => [startOfPeriod(period), value] as const)
          expect(shown(new Map(inColumn))).toEqual(shown(new Map(answered)))
        }
        expect(rows.every(({ values: cells }) => cells.some((value) => value !== null))).toBe(true)
      }),
    )
  })

  it('of a window are that of its first day and each later one', () => {
    const dates = ['2020-01-30', '2020-02-27', '2020-03-26']
    expect(vintagesWithin(dates, { start: '2019-01-01', end: OPEN_END })).toEqual(dates)
    expect(vintagesWithin(dates, { start: '2020-02-01', end: '2020-03-26' })).toEqual([
      '2020-02-01',
      '2020-02-27',
      '2020-03-26',
    ])
    expect(vintagesWithin(dates, { start: '2020-02-27', end: '2020-02-27' })).toEqual(['2020-02-27'])
    expect(vintagesWithin(dates, { start: '2020-01-01', end: '2020-01-29' })).toEqual([])
  })

  it('are dated by every change, also a withdrawal', () => {
    const observations = realTimeObservations([
      ...of('2020-01', ['2020-02-10', '1'], ['2020-04-10', null]),
      ...of('2020-02', ['2020-03-10', '2'], ['2020-04-10', '3']),
    ])
    expect(vintageDates(observations)).toEqual(['2020-02-10', '2020-03-10', '2020-04-10'])
    expect(initialReleases(observations).map(({ period, value }) => [period, value])).toEqual([
      ['2020-01', '1'],
      ['2020-02', '2'],
    ])
  })

  it('of a computed period begin with its first value, and not with the days before it had one', () => {
    const quarter = (...days: readonly (readonly [string, string | null])[]) => realTimeChanges(of('2024-Q1', ...days))
    const initial = (...days: readonly (readonly [string, string | null])[]) =>
      initialReleases(quarter(...days)).map(({ realtimeStart, value }) => [realtimeStart, value])
    expect(initial(['2024-02-10', null], ['2024-04-10', '101'], ['2024-05-10', '102'])).toEqual([['2024-04-10', '101']])
    expect(initial(['2024-02-10', null])).toEqual([['2024-02-10', null]])
  })
})

it('a day lies in the period whose first and last day enclose it', () => {
  const day = fc.integer({ min: -80_000, max: 2_900_000 }).map((days) => addDays('1990-01-01', days))
  fc.assert(
    fc.property(day, fc.constantFrom('A', 'Q', 'M'), (each, frequency) => {
      const start = startOfPeriod(periodOfDay(frequency, each))
      expect(start <= each).toBe(true)
      expect(startOfPeriod(periodOfDay(frequency, start))).toBe(start)
      // The next period begins after the day: no later first day of a month is in it.
      const later = `${each.slice(0, 8)}01`
      expect(periodOfDay(frequency, later)).toBe(periodOfDay(frequency, each))
    }),
  )
})
