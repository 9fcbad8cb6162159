import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { indicators } from '../../../contracts/indicators.ts'
import { type Asking, announcedFrom, DAYS_AFTER, nextAsking, whenOf } from '../../../ingest/schedule/asking.ts'
import type { AnnouncedDays } from '../../../ingest/schedule/release-days.ts'
import { timetable } from '../../../ingest/schedule/timetable.ts'
import { isWorkingDay } from '../../../ingest/schedule/working-days.ts'

const DAY = 86_400_000
const asking: Asking = {
  source: 'TEST',
  datasets: ['a'],
  zone: 'America/New_York',
  pattern: '45 8,10 * * *',
  workingDays: { holidays: 'none' },
  announced: { covers: ['USA/cpi'], otherwise: '30 7 * * 6' },
  leastApart: 1,
  why: '',
}
const { announced: _rule, ...plain } = asking
const { workingDays: _days, ...net } = { ...plain, pattern: '30 7 * * 6' }

const announcedDays = (...days: string[]): AnnouncedDays => ({
  days: new Map(days.map((day) => [day, null])),
  last: days.toSorted().at(-1) ?? expect.fail('no days'),
})
/** All times in [from, to], as the rule gives them one after the other. */
function timesOf(of: Asking, from: number, to: number, days?: AnnouncedDays): number[] {
  const found: number[] = []
  for (let at = nextAsking(of, from - 1, days); at <= to; at = nextAsking(of, at, days)) found.push(at)
  return found
}
const local = (at: number): string => new Date(at).toLocaleString('sv-SE', { timeZone: asking.zone }).slice(0, 16)
const dayOf = (at: number): string => local(at).slice(0, 10)
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Days drawn within some months around both changes of the clocks, weekends included. */
const FIRST = Date.UTC(2026, 1, 1)
const drawnDay = fc.integer({ min: 0, max: 330 }).map((n) => isoDay(FIRST + n * DAY))
const drawnDays = fc.uniqueArray(drawnDay, { minLength: 1, maxLength: 12 }).map((days) => announcedDays(...days))
const drawnInstant = fc.integer({ min: FIRST - 20 * DAY, max: FIRST + 350 * DAY })

/** Whether a day is within the working days after an announced one, counted from the announced one on. */
function isClose(day: string, days: AnnouncedDays): boolean {
  return [...days.days.keys()].some((announced) => {
    if (announced > day) return false
    let count = 0
    for (let at = Date.parse(announced) + DAY; isoDay(at) <= day; at += DAY)
      if (isWorkingDay(isoDay(at), 'none')) count++
    return count <= DAYS_AFTER
  })
}

describe('asking by announced days', () => {
  it('asks on an announced day and the two working days after it, and once a week otherwise', () => {
    const days = announcedDays('2026-09-11', '2026-10-14', '2026-12-10')
    const to = Date.parse('2026-10-20T00:00Z')
    expect(timesOf(asking, Date.parse('2026-09-03T00:00Z'), to, days).map(local)).toEqual([
      '2026-09-05 07:30',
      '2026-09-11 08:45',
      '2026-09-11 10:45',
      '2026-09-12 07:30',
      '2026-09-14 08:45',
      '2026-09-14 10:45',
      '2026-09-15 08:45',
      '2026-09-15 10:45',
      '2026-09-19 07:30',
      '2026-09-26 07:30',
      '2026-10-03 07:30',
      '2026-10-10 07:30',
      '2026-10-14 08:45',
      '2026-10-14 10:45',
      '2026-10-15 08:45',
      '2026-10-15 10:45',
      '2026-10-16 08:45',
      '2026-10-16 10:45',
      '2026-10-17 07:30',
    ])
  })

  it('ends the restriction after the last announced day, not on it', () => {
    const from = Date.parse('2026-09-10T00:00Z')
    const until = (day: string, ...days: string[]) =>
      timesOf(asking, from, Date.parse(`${day}T23:00Z`), announcedDays(...days)).map(local)
    expect(until('2026-09-14', '2026-09-12')).toEqual(['2026-09-12 07:30', '2026-09-14 08:45', '2026-09-14 10:45'])
    expect(until('2026-09-12', '2026-09-11')).toEqual(['2026-09-11 08:45', '2026-09-11 10:45'])
  })

  it('has the times of its pattern and of its net as stated, whatever is announced', () => {
    fc.assert(
      fc.property(drawnDays, drawnInstant, (days, from) => {
        const to = from + 60 * DAY
        const near = timesOf(plain, from, to).filter((at) => dayOf(at) > days.last || isClose(dayOf(at), days))
        const sparse = timesOf(net, from, to).filter((at) => dayOf(at) <= days.last)
        expect(timesOf(asking, from, to, days)).toEqual([...near, ...sparse].sort((a, b) => a - b))
      }),
      { numRuns: 25 },
    )
  })

  it('asks next after now, no later than its net, and leaves nothing out in between', () => {
    fc.assert(
      fc.property(drawnDays, drawnInstant, fc.double({ min: 0, max: 1, noNaN: true }), (days, now, part) => {
        const next = nextAsking(asking, now, days)
        expect(next).toBeGreaterThan(now)
        const sparse = nextAsking(net, now)
        if (dayOf(sparse) <= days.last) expect(next).toBeLessThanOrEqual(sparse)
        else expect(next).toBeLessThanOrEqual(Math.max(sparse, nextAsking(plain, sparse)))
        expect(nextAsking(asking, now + Math.floor((next - now - 1) * part), days)).toBe(next)
        expect(nextAsking(asking, next, days)).toBeGreaterThan(next)
      }),
    )
  })

  it('asks on every announced working day that is still to come, at the times of its pattern', () => {
    fc.assert(
      fc.property(drawnDays, drawnInstant, (days, now) => {
        const to = Date.parse(days.last) + 2 * DAY
        const times = new Set(timesOf(asking, now, to, days))
        const wanted = timesOf(plain, now, to).filter((at) => days.days.has(dayOf(at)))
        expect(wanted.filter((at) => !times.has(at))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  it('is as before while nothing is announced, and again after the last announced day', () => {
    fc.assert(
      fc.property(drawnDays, drawnInstant, (days, now) => {
        expect(nextAsking(asking, now)).toBe(nextAsking(plain, now))
        expect(nextAsking(plain, now, days)).toBe(nextAsking(plain, now))
        const after = Date.parse(days.last) + 2 * DAY
        expect(timesOf(asking, after, after + 10 * DAY, days)).toEqual(timesOf(plain, after, after + 10 * DAY))
      }),
      { numRuns: 25 },
    )
  })

  it('keeps to the publisher’s clock and day across daylight saving', () => {
    const days = announcedDays('2026-03-06', '2026-10-30', '2026-12-01')
    const utc = (from: string, to: string) =>
      timesOf(asking, Date.parse(from), Date.parse(to), days).map((at) => new Date(at).toISOString().slice(5, 16))
    expect(utc('2026-03-06T00:00Z', '2026-03-10T00:00Z')).toEqual([
      '03-06T13:45',
      '03-06T15:45',
      '03-07T12:30',
      '03-09T12:45',
      '03-09T14:45',
    ])
    expect(utc('2026-10-30T13:00Z', '2026-11-02T14:00Z')).toEqual(['10-30T14:45', '10-31T11:30', '11-02T13:45'])
  })

  it('does not search through the years when a calendar reaches far', () => {
    const days = announcedDays('2026-09-11', '9999-12-31')
    const begun = process.cpuUsage()
    expect(local(nextAsking(asking, Date.parse('2026-09-20T00:00Z'), days))).toBe('2026-09-26 07:30')
    expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000)
  })

  it('tells the announced days from today on, with the instant where it is known', () => {
    const days: AnnouncedDays = {
      days: new Map([
        ['2026-12-10', null],
        ['2026-10-14', '2026-10-14T12:30:00.000Z'],
        ['2026-09-11', '2026-09-11T12:30:00.000Z'],
      ]),
      last: '2026-12-10',
    }
    // Still the 11th in New York.
    const tell = (now: string) => announcedFrom(Date.parse(now), asking, days)
    expect(tell('2026-09-12T03:59Z')).toEqual(['2026-09-11T12:30:00.000Z', '2026-10-14T12:30:00.000Z', '2026-12-10'])
    expect(tell('2026-09-12T04:00Z')).toEqual(['2026-10-14T12:30:00.000Z', '2026-12-10'])
    expect(announcedFrom(0, asking, undefined)).toEqual([])
  })

  it('says its rule in a line', () => {
    expect(whenOf(asking)).toBe('45 8,10 * * *, working days near announced days, otherwise 30 7 * * 6')
    expect(whenOf(plain)).toBe('45 8,10 * * *, working days')
  })

  it('names in the table figures that exist', () => {
    const covers = timetable.flatMap(({ announced }) => announced?.covers ?? [])
    expect(covers).toContain('USA/cpi')
    for (const figure of covers) {
      const [country = '', indicator = ''] = figure.split('/')
      expect([countryByAlpha3.has(country), indicator in indicators], figure).toEqual([true, true])
    }
  })
})
