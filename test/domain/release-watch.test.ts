import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CalendarChange, Series } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { periodNumber, shiftPeriod } from '../../domain/period.ts'
import { hasPeriod } from '../../domain/period-runs.ts'
import { dueChanges, hasArrived, nothingWatched, watchChange, watchRelease } from '../../domain/release-watch.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const release = (over: Partial<Series>, period: string, recordedAt = '2026-05-01T00:00:00.000Z') =>
  accepted(candidate(testSeries(over), period, { value: '1' }), undefined, recordedAt)

it('a release has arrived with a period as late of its own country, indicator and frequency, from any series', () => {
  const state = nothingWatched()
  for (const each of [
    release({ country: 'DEU' }, '2026-01'),
    release({ country: 'DEU', source: 'OTHER' }, '2025-12'),
    release({ country: 'USA' }, '2025-11'),
    release(
      { country: 'FRA', indicator: 'trade-exports', unit: 'EUR', frequency: 'A' },
      '2026',
      '2027-02-01T00:00:00.000Z',
    ),
    release({ country: 'USA', source: 'OTHER' }, '2025-12'),
    release({ country: 'USA', indicator: 'gdp', unit: 'USD', frequency: 'Q' }, '2026-Q1'),
  ])
    watchRelease(state, each)
  // Cast: these members name the release.
  const arrived = (country: string, indicator: string, period: string) =>
    hasArrived(state, { country, indicator, period } as CalendarChange)
  expect(arrived('USA', 'cpi', '2025-12')).toBe(true)
  expect(arrived('USA', 'cpi', '2026-01')).toBe(false)
  expect(arrived('DEU', 'cpi', '2026-01')).toBe(true)
  expect(arrived('DEU', 'gdp', '2026-Q1')).toBe(false)
  expect(arrived('USA', 'gdp', '2026-Q1')).toBe(true)
  expect(arrived('FRA', 'trade-exports', '2025')).toBe(true)
  // A year is not the months that begin before it.
  expect(arrived('FRA', 'trade-exports', '2025-12')).toBe(false)
})

it('a series is as new as its newest period and record, in whatever order they come', () => {
  const state = nothingWatched()
  for (const each of [
    release({}, '2026-02', '2026-03-02T00:00:00.000Z'),
    release({}, '2026-01', '2026-03-01T00:00:00.000Z'),
  ])
    watchRelease(state, each)
  const [track] = state.tracks.values()
  expect([track?.lastPeriod, track?.recordedAt]).toEqual(['2026-02', '2026-03-02T00:00:00.000Z'])
})

it('a derived period whose only print is voided has not arrived', () => {
  const state = nothingWatched()
  const series = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
  const derived = (period: string) =>
    accepted(candidate(series, period, { year_over_year: '1' }), undefined, '2026-05-01T00:00:00.000Z')
  for (const period of ['2026-01', '2026-02']) watchRelease(state, derived(period))
  const [track] = state.tracks.values()
  expect(track?.lastPeriod).toBe('2026-02')
  watchRelease(state, { ...derived('2026-02'), figures: {}, voids: 'rel_1' })
  expect(track?.lastPeriod).toBe('2026-01')
})

it('a figure that came though it was cancelled is no gap of what is derived from it', () => {
  const state = nothingWatched()
  const months = Array.from({ length: 14 }, (_, n) => shiftPeriod('2025-09', n))
  const publish = (over: Partial<Series>, period: string, printed: Record<string, string>) => {
    const released = { on: shiftPeriod(period, 1).concat('-15'), basis: 'publisher' } as const
    const own = candidate(testSeries(over), period, printed, { released })
    watchRelease(state, accepted(own, undefined, '2026-11-16T09:00:00.000Z'))
  }
  const inflation = { indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' } as const
  const cancelled = {
    change: 'cancelled',
    country: 'USA',
    indicator: 'cpi',
    period: '2025-11',
    reason: 'TEST',
  } as const
  const day = { expected_on: null, expected_at: null, expected_on_basis: null }
  watchChange(state, { ...cancelled, ...day, series: 's', recorded_at: '2025-11-01T00:00:00.000Z' })
  for (const period of months) if (period !== '2025-11') publish({}, period, { value: '100' })
  for (const period of ['2026-08', '2026-09', '2026-10']) publish(inflation, period, { year_over_year: '1' })
  const next = () =>
    dueChanges(state, Date.parse('2026-12-01T00:00:00Z'))
      .filter(({ change }) => change.indicator === 'inflation')
      .map(({ change }) => change.period)
  // A rate needs the index of the year before.
  expect(next()).toEqual(['2026-12'])
  publish({}, '2025-11', { value: '100' })
  expect(next()).toEqual(['2026-11'])
  const [track] = state.tracks.values()
  expect(track?.present).toHaveLength(1)
})

it('a series has the periods of which the api has figures, whatever is published, withdrawn, late or voided', () => {
  const drawn = fc.record({
    month: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom('figure', 'figure', 'withdrawal', 'late', 'voided'),
  })
  const own = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 30 }), (all) => {
      const [state, board] = [nothingWatched(), new FigureBoard()]
      for (const { month, kind } of all) {
        const plain = candidate(own, `2026-0${month}`, { year_over_year: '1' })
        const published = accepted(plain, undefined, '2026-09-01T00:00:00.000Z')
        const isEmpty = kind === 'withdrawal' || kind === 'voided'
        const changed = { late: kind === 'late', voids: kind === 'voided' ? 'rel_1' : null }
        const release = { ...published, ...changed, ...(isEmpty && { figures: {} }) }
        watchRelease(state, release)
        board.apply(release)
      }
      const present = [...state.tracks.values()].flatMap((track) => track.present)
      for (let month = 1; month <= 6; month++) {
        const period = `2026-0${month}`
        const isOnBoard = board.at(own.country, 'inflation', period) !== undefined
        expect(hasPeriod(present, periodNumber('M', period)), period).toBe(isOnBoard)
      }
    }),
  )
})
