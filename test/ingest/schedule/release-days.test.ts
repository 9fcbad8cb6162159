import { describe, expect, it } from 'vitest'
import type { ReleaseDates } from '../../../contracts/release-dates.ts'
import { ReleaseDays } from '../../../ingest/schedule/release-days.ts'
import { releaseDates } from '../../support/release-dates.ts'

const record = (release: string, covers: string[], dates: string[], rest: Partial<ReleaseDates> = {}): ReleaseDates =>
  releaseDates(dates, { release, covers, ...rest })
const fold = (...records: ReleaseDates[]): ReleaseDays => {
  const days = new ReleaseDays()
  for (const each of records) days.apply(each)
  return days
}
const announcedDays = (days: ReleaseDays, ...figures: string[]) => {
  const found = days.of(figures)
  return found && { last: found.last, days: [...found.days.keys()].sort() }
}

describe('days of releases', () => {
  it('are those of the calendar that has the figure, with their instants', () => {
    const times = ['2026-10-14T12:30:00.000Z', '2026-11-13T13:30:00.000Z']
    const days = fold(
      record('CPI', ['USA/cpi'], ['2026-10-14', '2026-11-13'], { times }),
      record('Employment', ['USA/unemployment'], ['2026-10-02']),
    )
    expect(days.of(['USA/cpi'])).toEqual({
      days: new Map([
        ['2026-10-14', times[0]],
        ['2026-11-13', times[1]],
      ]),
      last: '2026-11-13',
    })
    expect(days.of(['USA/unemployment'])?.days).toEqual(new Map([['2026-10-02', null]]))
  })

  it('are unknown without a record, and with an empty one', () => {
    expect(fold().of(['USA/cpi'])).toBeUndefined()
    expect(fold(record('CPI', ['USA/cpi'], [])).of(['USA/cpi'])).toBeUndefined()
    expect(fold(record('CPI', ['USA/cpi'], ['2026-10-14'])).of(['USA/cpi', 'USA/gdp'])).toBeUndefined()
    expect(fold(record('CPI', ['USA/cpi'], ['2026-10-14'])).of([])).toBeUndefined()
  })

  it('are those of the newest record of a calendar’s release', () => {
    const days = fold(
      record('CPI', ['USA/cpi'], ['2026-10-14', '2026-11-13', '2026-12-10']),
      record('CPI', ['USA/cpi'], ['2026-10-14', '2026-11-20']),
    )
    expect(announcedDays(days, 'USA/cpi')).toEqual({ last: '2026-11-20', days: ['2026-10-14', '2026-11-20'] })
    days.apply(record('CPI', ['USA/unemployment'], ['2026-10-14']))
    expect(days.of(['USA/cpi'])).toBeUndefined()
  })

  it('are those of all calendars that have the figure, up to where the longest reaches', () => {
    const times = ['2026-10-14T12:30:00.000Z']
    const bls = record('CPI', ['USA/cpi'], ['2026-10-14'], { times })
    const fred = record('10', ['USA/cpi'], ['2026-10-14', '2026-11-13'], { calendar: 'fred' })
    expect(announcedDays(fold(bls, fred), 'USA/cpi')).toEqual({
      last: '2026-11-13',
      days: ['2026-10-14', '2026-11-13'],
    })
    for (const days of [fold(bls, fred), fold(fred, bls)])
      expect(days.of(['USA/cpi'])?.days.get('2026-10-14')).toBe(times[0])
  })

  it('reach, for several figures, as far as those of each', () => {
    const cpi = record('CPI', ['USA/cpi'], ['2026-10-14', '2026-12-10'])
    const gdp = record('GDP', ['USA/gdp'], ['2026-10-29', '2026-11-25'], { calendar: 'bea' })
    expect(announcedDays(fold(cpi, gdp), 'USA/cpi', 'USA/gdp')).toEqual({
      last: '2026-11-25',
      days: ['2026-10-14', '2026-10-29', '2026-11-25', '2026-12-10'],
    })
  })
})
