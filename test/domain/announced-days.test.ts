import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReleasedOnBasis, Series } from '../../contracts/records.ts'
import { expectReleases } from '../../domain/announced-days.ts'
import { addDays } from '../../domain/day.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { expectedOn, type Publication, usualLag } from '../../domain/release-calendar.ts'
import { announcedDays, takeReleaseDates } from '../../domain/release-dates.ts'
import { releaseDates } from '../support/release-dates.ts'
import { flowSeries, testSeries } from '../support/releases.ts'

/** A series whose last print came out on a day, and those before it `lag` days after their periods. */
function tracked(
  series: Series,
  lastPeriod: string,
  releasedOn: string,
  { lag, basis = 'publisher' }: { lag?: number; basis?: ReleasedOnBasis } = {},
) {
  const print = (period: string, released_on: string, released_on_basis: ReleasedOnBasis): Publication => ({
    period,
    release_id: period,
    released_on,
    released_on_basis,
  })
  const before = lag === undefined ? [] : [-6, -5, -4, -3, -2, -1].map((by) => shiftPeriod(lastPeriod, by))
  const publications = [
    ...before.map((period) => print(period, expectedOn(period, lag) ?? '', 'publisher')),
    print(lastPeriod, releasedOn, basis),
  ]
  return { series, lastPeriod, publications }
}
type Tracked = ReturnType<typeof tracked>

/** The days of these releases of a series, each marked if it is not its publisher’s. */
function expectedDays(of: Tracked, dates: readonly string[], periods: readonly string[], isGap = (_: string) => false) {
  const days = dates.map((on) => ({ on, at: null }))
  const expectOf = expectReleases(
    [of],
    () => days,
    (_, period) => isGap(period),
  )
  return periods.map((period) => {
    const { expected_on, expected_on_basis } = expectOf(of, period)
    return expected_on === null ? 'unknown' : `${expected_on}${expected_on_basis === 'lag' ? ' lag' : ''}`
  })
}

const cpi = testSeries()
const rate = testSeries({ indicator: 'unemployment', unit: 'percent' })
const gdp = testSeries({ indicator: 'gdp', frequency: 'Q', unit: 'USD' })
const exports = flowSeries('trade-exports')

describe('announced days of pending periods', () => {
  const cpiDays = ['2026-08-12', '2026-09-11', '2026-10-14', '2026-11-10', '2026-12-10']
  const tradeDays = ['2026-09-03', '2026-10-06', '2026-11-04', '2026-12-08', '2027-01-07']
  const gdpDays = ['2026-10-29', '2026-11-25', '2026-12-23', '2027-01-28', '2027-02-25', '2027-03-25', '2027-04-29']
  const cpiOnTime = tracked(cpi, '2026-09', '2026-10-14', { lag: 13 })
  const cpiWithoutLag = tracked(cpi, '2026-09', '2026-10-14')

  it.each<[situation: string, of: Tracked, dates: readonly string[], expected: readonly string[]]>([
    ['a month that comes out in the middle of the next one', cpiOnTime, cpiDays, ['2026-11-10', '2026-12-10']],
    [
      'the same without a usual lag, and first seen days later',
      tracked(cpi, '2026-09', '2026-10-17', { basis: 'first_seen' }),
      cpiDays,
      ['2026-11-10', '2026-12-10'],
    ],
    [
      'the first Friday of the next month',
      tracked(rate, '2026-09', '2026-10-02', { lag: 4 }),
      ['2026-10-02', '2026-11-06', '2026-12-04'],
      ['2026-11-06', '2026-12-04'],
    ],
    [
      'a quarter with a second and a third estimate after the first',
      tracked(gdp, '2026-Q3', '2026-10-29', { lag: 29 }),
      gdpDays,
      ['2027-01-28', '2027-04-29'],
    ],
    [
      'a lag of more than a month, with two months to come',
      tracked(exports, '2026-08', '2026-10-06', { lag: 37 }),
      tradeDays,
      ['2026-11-04', '2026-12-08'],
    ],
    [
      'a lag of more than a month, with one month to come',
      tracked(exports, '2026-09', '2026-11-04', { lag: 37 }),
      tradeDays,
      ['2026-12-08', '2027-01-07'],
    ],
    [
      'a figure that came earlier than announced',
      tracked(exports, '2026-09', '2026-11-03', { lag: 37 }),
      tradeDays,
      ['2026-12-08', '2027-01-07'],
    ],
    [
      'a figure that was found long after it came out',
      tracked(cpi, '2026-09', '2026-11-23', { lag: 13, basis: 'first_seen' }),
      cpiDays,
      ['2026-11-10', '2026-12-10'],
    ],
    [
      'the same half a year behind, without a usual lag',
      tracked(cpi, '2026-06', '2026-11-23', { basis: 'copy' }),
      cpiDays,
      ['2026-08-12', '2026-09-11'],
    ],
    [
      'a lag of more than a month that is not known, found a week after it came out',
      tracked(exports, '2026-08', '2026-10-13', { basis: 'first_seen' }),
      tradeDays,
      ['2026-11-04', '2026-12-08'],
    ],
    [
      'a delayed figure that was found on the day on which it came out',
      tracked(exports, '2026-09', '2026-11-25', { lag: 37, basis: 'first_seen' }),
      ['2026-10-06', '2026-11-25', '2026-12-08', '2027-01-07'],
      ['2026-12-08', '2027-01-07'],
    ],
    [
      'a release that was delayed by more than half a period',
      cpiOnTime,
      ['2026-10-14', '2026-12-04', '2026-12-18'],
      ['2026-12-04', '2026-12-18'],
    ],
    ['dates that have run out', cpiOnTime, ['2026-10-14', '2026-11-10'], ['2026-11-10', '2026-12-13 lag']],
    [
      'dates that have run out, with an estimate before the last of them',
      tracked(cpi, '2026-09', '2026-11-20', { lag: 13 }),
      ['2026-10-14', '2026-11-20'],
      ['unknown', '2026-12-13 lag'],
    ],
    [
      'dates that have run out without a usual lag',
      cpiWithoutLag,
      ['2026-10-14', '2026-11-10'],
      ['2026-11-10', 'unknown'],
    ],
    [
      'a next date that is more than a year away',
      cpiOnTime,
      ['2026-10-14', '2027-11-14'],
      ['2026-11-13 lag', '2027-11-14'],
    ],
    [
      'a calendar that begins after the release',
      cpiOnTime,
      ['2026-12-10', '2027-01-13'],
      ['2026-11-13 lag', '2026-12-10'],
    ],
    [
      'a calendar that begins after the release, without a usual lag',
      cpiWithoutLag,
      ['2026-12-10', '2027-01-13'],
      ['unknown', '2026-12-10'],
    ],
    [
      'a figure that comes out before its month is over',
      tracked(cpi, '2026-09', '2026-09-29', { lag: -2 }),
      ['2026-09-29', '2026-10-29', '2026-11-27'],
      ['2026-10-29', '2026-11-27'],
    ],
    [
      'a year',
      tracked(testSeries({ frequency: 'A' }), '2025', '2026-03-01', { lag: 60 }),
      [...cpiDays, '2027-01-13'],
      ['2027-03-01 lag', '2028-02-29 lag'],
    ],
    ['no calendar', cpiOnTime, [], ['2026-11-13 lag', '2026-12-13 lag']],
  ])('%s', (_, of, dates, expected) => {
    const periods = [1, 2].map((by) => shiftPeriod(of.lastPeriod, by))
    expect(expectedDays(of, dates, periods)).toEqual(expected)
  })

  it('are not taken by a period that was never published', () => {
    const delayed = tracked(cpi, '2025-09', '2025-10-24', { lag: 13 })
    const dates = ['2025-10-24', '2025-12-18', '2026-01-13']
    const isGap = (period: string) => period === '2025-10'
    expect(expectedDays(delayed, dates, ['2025-11', '2025-12'], isGap)).toEqual(['2025-12-18', '2026-01-13'])
  })

  it('are those of the shortest periods of a figure, because an office does not announce a quarter of months', () => {
    const months = tracked(rate, '2026-09', '2026-10-02')
    const quarters = tracked(testSeries({ indicator: 'unemployment', frequency: 'Q' }), '2026-Q3', '2026-10-20')
    const dayOf = (all: readonly Tracked[]) =>
      expectReleases(
        all,
        () => [{ on: '2027-01-08', at: null }],
        () => false,
      )(quarters, '2026-Q4').expected_on
    expect(dayOf([quarters])).toBe('2027-01-08')
    expect(dayOf([months, quarters])).toBe(null)
  })

  it('are those of the calendar, each taken once, in the order of the periods, whatever it lists', () => {
    const day = fc.integer({ min: -400, max: 800 }).map((by) => addDays('2026-01-01', by))
    const lag = fc.option(fc.integer({ min: -20, max: 60 }), { nil: undefined })
    const last = fc.constantFrom('2025-11', '2025-12', '2025-Q3')
    const basis = fc.constantFrom<ReleasedOnBasis>('publisher', 'dataset', 'copy', 'first_seen')
    fc.assert(
      fc.property(fc.uniqueArray(day), lag, last, fc.nat(150), basis, (drawn, usual, lastPeriod, late, of) => {
        const dates = drawn.sort()
        const frequency = lastPeriod.includes('Q') ? 'Q' : 'M'
        const series = testSeries({ frequency })
        const one = tracked(series, lastPeriod, addDays(endOfPeriod(lastPeriod), (usual ?? 0) + late), {
          ...(usual === undefined ? {} : { lag: usual }),
          basis: of,
        })
        const expectOf = expectReleases(
          [one],
          () => dates.map((on) => ({ on, at: `${on}T12:30:00.000Z` })),
          () => false,
        )
        let before = ''
        for (let by = 1; by <= 8; by++) {
          const period = shiftPeriod(lastPeriod, by)
          const { expected_on: on, expected_at: at, expected_on_basis: from } = expectOf(one, period)
          expect(on === null).toBe(from === null)
          if (on === null) continue
          expect(on > before).toBe(true)
          before = on
          expect(at).toBe(from === 'publisher' ? `${on}T12:30:00.000Z` : null)
          if (from === 'publisher') expect(dates).toContain(on)
          else expect(on).toBe(expectedOn(period, usualLag(one.publications)))
        }
      }),
    )
  })
})

describe('announced days of what is derived', () => {
  const inflation = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
  const trade = testSeries({ indicator: 'trade', unit: 'USD', derivation: 'trade_from_flows' })
  const year = testSeries({
    indicator: 'trade',
    unit: 'USD',
    frequency: 'A',
    derivation: 'trade_from_flows:year_from_months',
  })
  const imports = flowSeries('trade-imports')
  const calendars: Readonly<Record<string, readonly string[]>> = {
    'USA/cpi': ['2026-10-14', '2026-11-10', '2026-12-10'],
    'USA/trade-exports': ['2026-10-06', '2026-11-04', '2026-12-08', '2027-01-07', '2027-02-05'],
    'USA/trade-imports': ['2026-10-06', '2026-11-05', '2026-12-08', '2027-01-07', '2027-02-09'],
  }
  const dayOf = (all: readonly Tracked[], of: Tracked, period: string, known = calendars) =>
    expectReleases(
      [...all, of],
      (country, indicator) => (known[`${country}/${indicator}`] ?? []).map((on) => ({ on, at: null })),
      () => false,
    )(of, period).expected_on

  const flows = [exports, imports].map((series) => tracked(series, '2026-08', '2026-10-06', { lag: 37 }))

  it('are the last of those of its inputs that are not on record', () => {
    const prices = tracked(cpi, '2026-09', '2026-10-14', { lag: 13 })
    expect(dayOf([prices], tracked(inflation, '2026-09', '2026-10-14'), '2026-10')).toBe('2026-11-10')
    const balance = tracked(trade, '2026-08', '2026-10-06', { lag: 37 })
    expect(dayOf(flows, balance, '2026-09')).toBe('2026-11-05')
    const [first, second] = flows as [Tracked, Tracked]
    const ahead = [tracked(imports, '2026-09', '2026-11-02', { lag: 37 }), first]
    expect(dayOf(ahead, balance, '2026-09')).toBe('2026-11-04')
    expect(dayOf([first, second], tracked(year, '2025', '2026-02-05'), '2026')).toBe('2027-02-09')
  })

  it('is the estimate where an input has no calendar, or none is missing', () => {
    const balance = tracked(trade, '2026-08', '2026-10-06', { lag: 37 })
    expect(dayOf(flows, balance, '2026-09', { 'USA/trade-exports': ['2026-10-06', '2026-11-04'] })).toBe('2026-11-06')
    const both = [exports, imports].map((series) => tracked(series, '2026-09', '2026-11-04', { lag: 37 }))
    expect(dayOf(both, balance, '2026-09')).toBe('2026-11-06')
  })
})

describe('the calendars of a figure', () => {
  it('are those of its publisher, and copies only without them', () => {
    const known = new Map()
    takeReleaseDates(known, releaseDates(['2026-11-11'], { calendar: 'fred', release: '10' }))
    expect(announcedDays(known, 'USA', 'cpi')).toEqual([{ on: '2026-11-11', at: null }])
    takeReleaseDates(known, releaseDates(['2026-11-10'], { times: ['2026-11-10T13:30:00.000Z'] }))
    expect(announcedDays(known, 'USA', 'cpi')).toEqual([{ on: '2026-11-10', at: '2026-11-10T13:30:00.000Z' }])
    expect(announcedDays(known, 'USA', 'unemployment')).toEqual([])
    // The office's calendar has lost the release.
    takeReleaseDates(known, releaseDates([]))
    expect(announcedDays(known, 'USA', 'cpi')).toEqual([{ on: '2026-11-11', at: null }])
  })

  it('give the same days in whatever order they are recorded', () => {
    const times = ['2026-11-10T13:30:00.000Z', '2026-12-10T13:30:00.000Z']
    const records = [
      releaseDates(['2026-11-10', '2026-12-10'], { release: 'With times', times }),
      releaseDates(['2026-11-10'], { release: 'At another time', times: ['2026-11-10T15:00:00.000Z'] }),
      releaseDates(['2026-11-10', '2026-11-25'], { release: 'Days only' }),
      releaseDates(['2026-11-11'], { calendar: 'fred' }),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        const known = new Map()
        for (const record of shuffled) takeReleaseDates(known, record)
        expect(announcedDays(known, 'USA', 'cpi')).toEqual([
          { on: '2026-11-10', at: '2026-11-10T13:30:00.000Z' },
          { on: '2026-11-25', at: null },
          { on: '2026-12-10', at: '2026-12-10T13:30:00.000Z' },
        ])
      }),
    )
  })

  it('are read together, and a newer record replaces its own', () => {
    const known = new Map()
    takeReleaseDates(known, releaseDates(['2026-11-10', '2026-12-10']))
    takeReleaseDates(known, releaseDates(['2026-11-10'], { release: 'Other', times: ['2026-11-10T13:30:00.000Z'] }))
    takeReleaseDates(known, releaseDates(['2026-11-10', '2026-12-18']))
    expect(announcedDays(known, 'USA', 'cpi')).toEqual([
      { on: '2026-11-10', at: '2026-11-10T13:30:00.000Z' },
      { on: '2026-12-18', at: null },
    ])
  })
})
