import { expect, it } from 'vitest'
import type { CalendarChange, Series } from '../../contracts/records.ts'
import { hasArrived, nothingWatched, watchRelease } from '../../domain/release-watch.ts'
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
