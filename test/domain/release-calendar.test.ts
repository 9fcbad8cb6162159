import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { addDays } from '../../domain/day.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import {
  daysLate,
  estimatedDay,
  estimateOf,
  expectedOn,
  notePublication,
  type Publication,
  pendingReleases,
  unknownDay,
  usualLag,
} from '../../domain/release-calendar.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const print = (period: string, on: string, basis: Release['released_on_basis'] = 'publisher'): Release =>
  accepted(
    candidate(testSeries(), period, { value: '1' }, { released: { on, basis } }),
    undefined,
    `${on}T12:00:00.000Z`,
  )
const noted = (...releases: readonly Release[]): Publication[] => {
  const publications: Publication[] = []
  for (const release of releases) notePublication(publications, release)
  return publications
}
const dates = (publications: readonly Publication[]) =>
  publications.map(({ period, released_on }) => [period, released_on])

describe('publications', () => {
  it('of a dataset that is read for the first time are its newest period alone', () => {
    const bulk = ['2025-01', '2025-02', '2025-03'].map((period) => print(period, '2026-04-17', 'dataset'))
    expect(dates(noted(...bulk))).toEqual([['2025-03', '2026-04-17']])
    expect(dates(noted(...bulk.toReversed()))).toEqual([['2025-03', '2026-04-17']])
  })

  it('are all periods that their publisher dated himself, save the first day on record', () => {
    const [first, second, late, together] = [
      print('2025-01', '2025-03-01'),
      print('2025-02', '2025-03-01'),
      print('2025-03', '2025-05-10'),
      print('2025-04', '2025-05-10'),
    ]
    expect(dates(noted(first, second, late, together))).toEqual([
      ['2025-02', '2025-03-01'],
      ['2025-03', '2025-05-10'],
      ['2025-04', '2025-05-10'],
    ])
  })

  it('have an earlier period that is read last only where its day may be its own', () => {
    const first = print('2025-01', '2025-02-10')
    const earlier = (basis: Release['released_on_basis']) => print('2025-02', '2025-04-10', basis)
    const later = (basis: Release['released_on_basis']) => print('2025-03', '2025-04-10', basis)
    const periods = (...releases: readonly Release[]) => noted(...releases).map(({ period }) => period)
    expect(periods(first, later('publisher'), earlier('publisher'))).toEqual(['2025-01', '2025-02', '2025-03'])
    expect(periods(first, later('dataset'), earlier('publisher'))).toEqual(['2025-01', '2025-03'])
    expect(periods(later('publisher'), earlier('publisher'))).toEqual(['2025-03'])
    // Two dates in the wrong order: the later one is not that of a first print.
    expect(periods(first, later('publisher'), print('2025-02', '2025-04-11'))).toEqual(['2025-01', '2025-03'])
  })

  it('have the earliest print of a period, however the one that was read first is dated afterwards', () => {
    const copied = { ...print('2026-01', '2026-07-10', 'copy'), release_id: 'rel_copied' }
    const better = (on: string): Release => ({
      ...print('2026-01', on),
      release_id: `rel_${on}`,
      redates: copied.release_id,
    })
    expect(dates(noted(copied, print('2026-01', '2026-04-29'), better('2026-06-25')))).toEqual([
      ['2026-01', '2026-04-29'],
    ])
    expect(dates(noted(copied, better('2026-06-25')))).toEqual([['2026-01', '2026-06-25']])
    // A copy may also have been dated too early.
    expect(dates(noted(copied, better('2026-07-11')))).toEqual([['2026-01', '2026-07-11']])
  })

  it('are those of all vintages, also if a copy of today’s figures was read before', () => {
    const periods = Array.from({ length: 30 }, (_, i) => shiftPeriod('2023-01', i))
    const day = (i: number) => addDays(endOfPeriod(shiftPeriod('2023-01', i)), 35)
    const copies = periods.map((period) => ({ ...print(period, '2026-07-10', 'copy'), release_id: `copy_${period}` }))
    // Each month is revised on the day of the next one's first print, to what the copy has.
    const vintages = periods.flatMap((period, i) => [
      ...(i === 0 ? [] : [{ ...print(periods[i - 1] ?? '', day(i)), redates: `copy_${periods[i - 1]}` }]),
      print(period, day(i)),
    ])
    const publications = noted(...copies, ...vintages)
    expect(publications).toHaveLength(30)
    expect(usualLag(publications)).toBe(35)
  })

  it('do not have what was voided, and go on with the first print that is true', () => {
    const [january, february] = [print('2025-01', '2025-02-10'), print('2025-02', '2025-03-10')]
    const voids = { ...february, release_id: 'rel_voids', figures: {}, voids: february.release_id }
    const again = print('2025-02', '2025-03-12')
    expect(dates(noted(january, february, voids))).toEqual([['2025-01', '2025-02-10']])
    expect(dates(noted(january, february, voids, again))).toEqual([
      ['2025-01', '2025-02-10'],
      ['2025-02', '2025-03-12'],
    ])
    // One that is none of them takes none away.
    expect(noted(january, { ...voids, voids: 'rel_other' })).toHaveLength(1)
  })

  it('are neither revisions nor periods before the newest', () => {
    const first = print('2025-03', '2025-04-10')
    const revised = accepted(
      candidate(testSeries(), '2025-03', { value: '2' }, { released: { on: '2025-05-10', basis: 'publisher' } }),
      first,
      '2025-05-10T12:00:00.000Z',
    )
    expect(dates(noted(first, revised, print('2024-12', '2025-06-01')))).toEqual([['2025-03', '2025-04-10']])
  })

  it('have no later date than a later period, whatever is taken in, in any order', () => {
    const period = fc.integer({ min: 0, max: 40 }).map((by) => shiftPeriod('2020-01', by))
    const day = fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2020-02-01', days))
    const basis = fc.constantFrom('publisher', 'dataset', 'copy', 'first_seen')
    fc.assert(
      fc.property(fc.array(fc.tuple(period, day, basis), { maxLength: 40 }), (drawn) => {
        const publications = noted(...drawn.filter(([of, on]) => on >= endOfPeriod(of)).map((each) => print(...each)))
        for (const [i, { period, released_on }] of publications.entries()) {
          const before = publications[i - 1]
          if (before) expect([before.period < period, before.released_on <= released_on]).toEqual([true, true])
        }
      }),
    )
  })
})

describe('the expected date', () => {
  const withLags = (lags: readonly number[], basis: Release['released_on_basis'] = 'publisher') =>
    noted(
      ...lags.map((lag, i) => {
        const period = shiftPeriod('2000-Q1', i)
        return {
          ...print('2020-01', '2020-02-01'),
          period,
          released_on: addDays(endOfPeriod(period), lag),
          released_on_basis: basis,
        }
      }),
    )

  it('needs three dated first prints, and is never made of the day on which a figure was first seen', () => {
    expect(usualLag(withLags([30, 31]))).toBeUndefined()
    expect(usualLag(withLags([30, 31, 32]))).toBe(31)
    expect(usualLag(withLags([30, 31, 32, 33]))).toBe(32)
    expect(usualLag(withLags([30, 31, 32, 33, 34], 'first_seen'))).toBeUndefined()
    expect(usualLag(withLags([30, 31, 32, 33, 34], 'copy'))).toBeUndefined()
    expect(expectedOn('2026-Q3', undefined)).toBeNull()
    expect(daysLate(null, '2026-01-01')).toBeNull()
  })

  it('is the end of the period and the median of the latest 24 lags', () => {
    // Lags of less than a quarter keep the dates in the order of the periods.
    const lags = fc.array(fc.integer({ min: -20, max: 65 }), { minLength: 3, maxLength: 60 })
    fc.assert(
      fc.property(lags, (drawn) => {
        const lag = usualLag(withLags(drawn)) ?? Number.NaN
        const latest = drawn.slice(-24)
        expect(latest).toContain(lag)
        expect(latest.filter((each) => each < lag).length).toBeLessThanOrEqual(latest.length / 2)
        expect(latest.filter((each) => each > lag).length).toBeLessThanOrEqual(latest.length / 2)
        expect(expectedOn('2026-Q3', lag)).toBe(addDays('2026-09-30', lag))
      }),
    )
  })

  it('is late by whole days after it has passed', () => {
    expect(daysLate('2026-10-28', '2026-10-27')).toBe(0)
    expect(daysLate('2026-10-28', '2026-10-28')).toBe(0)
    expect(daysLate('2026-10-28', '2026-11-01')).toBe(4)
  })
})

describe('pending releases', () => {
  const byLag = (lag?: number) => (period: string) => estimatedDay(expectedOn(period, lag))
  const day = fc.integer({ min: 0, max: 2000 }).map((days) => addDays('2024-01-01', days))

  it('are the missing periods up to the first that is not late, without the cancelled ones', () => {
    const last = fc.constantFrom('2023', '2024-Q2', '2024-11', '2025-12')
    const cancelled = fc.uniqueArray(fc.integer({ min: 1, max: 8 }))
    fc.assert(
      fc.property(last, fc.integer({ min: -30, max: 900 }), day, cancelled, (lastPeriod, lag, today, off) => {
        const isGap = (period: string) => off.some((by) => shiftPeriod(lastPeriod, by) === period)
        const pending = pendingReleases(lastPeriod, byLag(lag), today, isGap)
        const missing = Array.from({ length: 40 }, (_, i) => shiftPeriod(lastPeriod, i + 1)).filter((of) => !isGap(of))
        expect(pending.map(({ period }) => period)).toEqual(missing.slice(0, pending.length))
        const isLate = pending.map(({ expected_on }) => expected_on !== null && expected_on < today)
        expect(pending.map(({ days_late }) => (days_late ?? 0) > 0)).toEqual(isLate)
        const firstIsLateBy = daysLate(expectedOn(missing[0] ?? '', lag), today) ?? 0
        // One is to come, and it is the last; none, if the first is late by more than two years.
        expect(isLate).toEqual(firstIsLateBy > 731 ? [] : [...isLate.slice(1).map(() => true), false])
      }),
    )
  })

  it('are the next period without a date if no lag is known', () => {
    const next = { period: '2025-01', ...unknownDay, days_late: null }
    for (const [last, period, day, dayAfter] of [
      ['2024-12', '2025-01', '2025-08-02', '2025-08-03'],
      ['2024-Q4', '2025-Q1', '2025-12-30', '2025-12-31'],
      ['2024', '2025', '2027-12-31', '2028-01-02'],
    ] as const) {
      expect(pendingReleases(last, byLag(), day)).toEqual([{ ...next, period }])
      expect(pendingReleases(last, byLag(), dayAfter)).toEqual([])
    }
    expect(pendingReleases('2024-12', byLag(), '2025-01-01', (period) => period === '2025-01')).toEqual([
      { ...next, period: '2025-02' },
    ])
  })

  it('become publications, each expected by what was known before it', () => {
    const publications = noted(
      print('2025-01', '2025-02-28'),
      print('2025-02', '2025-03-28'),
      print('2025-03', '2025-04-28'),
      print('2025-04', '2025-05-20'),
      print('2025-05', '2025-07-05'),
    )
    const known = publications.map(({ period }) => estimateOf(period, publications))
    // Lags of 28, 28 and 28 days before April, to which 20 is added before May.
    expect(dates(publications).length).toBe(5)
    expect(known).toEqual([null, null, null, '2025-05-28', '2025-06-28'])
  })
})
