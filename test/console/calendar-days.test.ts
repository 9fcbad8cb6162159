import { describe, expect, it } from 'vitest'
import {
  cellText,
  countsText,
  dayOfEntry,
  daysFrom,
  figureText,
  firstEntries,
  lateSeries,
  releasesOf,
  shownDays,
  shownDaysName,
  stateText,
  titleOfSeries,
  weeksOf,
} from '../../console/browser/calendar-days.js'
import type { CalendarEntry } from '../../contracts/calendar.ts'

const entry = (over: Partial<CalendarEntry>): CalendarEntry => ({
  title: 'Consumer prices, Germany, October 2026',
  country: 'DEU',
  indicator: 'cpi',
  publisher: 'Office',
  series: 'DEU.cpi',
  period: '2026-10',
  status: 'expected',
  expected_on: '2026-11-11',
  expected_on_basis: 'standard',
  expected_at: null,
  published_on: null,
  published_on_basis: null,
  release_id: null,
  stated_at: null,
  reason: null,
  days_late: 0,
  unit: 'index',
  figure: 'value',
  actual: null,
  previous: null,
  previous_revised: null,
  ...over,
})

describe('the days of the calendar', () => {
  it('are a week from Monday, a month, or a list from 45 days before to 90 days after', () => {
    for (const day of ['2026-11-23', '2026-11-26', '2026-11-29'])
      expect(shownDays('week', day)).toEqual({ start: '2026-11-23', end: '2026-11-29' })
    expect(shownDays('month', '2028-02-10')).toEqual({ start: '2028-02-01', end: '2028-02-29' })
    expect(shownDays('list', '2026-11-29')).toEqual({ start: '2026-10-15', end: '2027-02-27' })
    expect(daysFrom('2026-12-30', '2027-01-02')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'])
  })

  it('are named as a person would', () => {
    expect(shownDaysName('month', { start: '2026-11-01', end: '2026-11-30' })).toBe('November 2026')
    expect(shownDaysName('week', { start: '2026-12-28', end: '2027-01-03' })).toBe('28 Dec 2026 to 3 Jan 2027')
    expect(shownDaysName('week', { start: '2026-12-28', end: '2026-12-28' })).toBe('28 Dec 2026')
  })

  it('have what was never published on the last day of its period, and what was cancelled on the day of that', () => {
    const undated = { expected_on: null, stated_at: '2026-11-02T08:00:00.000Z' }
    expect(dayOfEntry(entry({ ...undated, status: 'never_published' }))).toBe('2026-10-31')
    expect(dayOfEntry(entry({ ...undated, status: 'cancelled' }))).toBe('2026-11-02')
    expect(dayOfEntry(entry({ published_on: '2026-11-12' }))).toBe('2026-11-12')
  })

  it('have the entries of one release together', () => {
    const own = [entry({}), entry({ publisher: 'Another' }), entry({ indicator: 'inflation' })]
    expect(releasesOf(own)).toEqual([[own[0], own[2]], [own[1]]])
    expect(releasesOf([entry({}), entry({ status: 'published' })])).toHaveLength(2)
    // What is said of the day is said of all of them.
    expect(releasesOf([entry({}), entry({ expected_on_basis: 'lag' })])).toHaveLength(2)
  })

  it('have late releases by series, the longest wait first', () => {
    const late = [
      entry({ series: 'B', period: '2026-10', days_late: 18 }),
      entry({ series: 'A', period: '2026-09', days_late: 48 }),
      entry({ series: 'A', period: '2026-10', days_late: 18 }),
    ]
    expect(lateSeries(late).map(({ periods, days }) => [periods, days])).toEqual([
      ['Sep 2026 to Oct 2026', 48],
      ['Oct 2026', 18],
    ])
    expect(titleOfSeries(entry({}))).toBe('Consumer prices, Germany')
  })
})

it.each([
  [{ expected_on_basis: 'lag' }, 'day estimated'],
  [{ expected_on_basis: 'standard' }, 'at the latest, by the IMF’s standard'],
  [{ expected_on_basis: 'publisher' }, 'announced'],
  [{ expected_on_basis: 'publisher', expected_at: '2026-11-11T07:00:00.000Z' }, 'announced, 07:00 UTC'],
  [{ status: 'late', days_late: 1 }, 'late, 1 day'],
  [{ status: 'never_published' }, 'never published'],
] as const)('of the day of %j is said: %s', (over, text) => expect(stateText(entry(over))).toBe(text))

it.each([
  [{ status: 'published', published_on: '2026-11-12' }, 'DEU Oct'],
  [{ status: 'expected' }, 'DEU Oct'],
  [{ status: 'late', period: '2026-Q2' }, 'DEU Q2 late'],
  [{ status: 'late', period: '2025-12', expected_on: '2026-01-31' }, 'DEU Dec 2025 late'],
  [{ status: 'cancelled' }, 'DEU Oct cancelled'],
  [{ status: 'never_published', expected_on: null, period: '2025' }, 'DEU 2025 never published'],
] as const)('in a month %j is %s', (over, text) => expect(cellText(entry(over))).toBe(text))

it.each([
  ['2.6', 'percent', '2.6 %'],
  ['-0.1', 'percent', '−0.1 %'],
  ['324.8', 'index', '324.8'],
  ['32475210000000', 'USD', '32.48 trillion USD'],
  ['-46900000000', 'EUR', '−46.9 billion EUR'],
])('the figure %s in %s is written %s', (value, unit, text) => {
  expect(figureText(value, unit)).toBe(text)
})

describe('what is folded', () => {
  const day = [
    ...Array.from({ length: 7 }, () => entry({})),
    entry({ status: 'late' }),
    entry({ status: 'published', expected_on: '2026-11-15' }),
    entry({ status: 'cancelled', expected_on: '2026-11-16' }),
  ]
  it('says how many entries there are of each status', () => {
    expect(countsText(day)).toBe('7 expected, 1 late, 1 published, 1 cancelled')
    expect(countsText([])).toBe('')
  })
  it('is a week from its Monday', () =>
    expect([...weeksOf(day)].map(([monday, own]) => [monday, own.length])).toEqual([
      ['2026-11-09', 9],
      ['2026-11-16', 1],
    ]))
  it('is not what is late or cancelled in a cell of a month', () => {
    expect(firstEntries(day).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'expected'),
      'late',
      'cancelled',
    ])
    expect(firstEntries(day.slice(0, 2))).toEqual(day.slice(0, 2))
  })
})
