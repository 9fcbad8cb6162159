import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayInZone } from '../../../domain/time-zone.ts'
import { datesOfReleases } from '../../../ingest/release-dates/calendar-dates.ts'
import { publisherCalendars } from '../../../ingest/release-dates/calendars.ts'
import { timetable } from '../../../ingest/schedule/timetable.ts'

const rows = [{ release: 'A', covers: ['USA/cpi'] }]

it('dates are the same in any order and number of repetitions', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(days, fc.boolean(), fc.infiniteStream(fc.nat()), (numbers, isTimed, random) => {
      const stated = numbers.map((number) => ({
        release: 'A',
        day: new Date(number * 86_400_000).toISOString().slice(0, 10),
        instant: isTimed ? number * 86_400_000 + 3_600_000 : undefined,
        location: '',
      }))
      const [first] = datesOfReleases(rows, stated)
      const shuffled = [...stated, ...stated].map((date) => ({ date, rank: random.next().value ?? 0 }))
      const again = shuffled.sort((a, b) => a.rank - b.rank).map(({ date }) => date)
      expect(datesOfReleases(rows, again)).toEqual([first])
      expect(first?.dates).toEqual(stated.map(({ day }) => day).toSorted())
      expect(first?.times).toHaveLength(isTimed ? numbers.length : 0)
    }),
  )
})

it('a day that no calendar means is refused, also one that comes of a time zone', () => {
  const instant = Date.parse('0000-01-01T00:30:00Z')
  for (const [day, at] of [
    [dayInZone(instant, 'America/New_York'), instant],
    ['0000-01-01', undefined],
    ['9999-12-31', undefined],
    ['1899-12-31', undefined],
    ['2100-01-01', undefined],
  ] as const)
    expect(() => datesOfReleases(rows, [{ release: 'A', day, instant: at, location: 'event 1' }])).toThrow(
      expect.objectContaining({ reason: 'bad_date', location: 'event 1', message: expect.stringContaining(day) }),
    )
  const known = ['1900-01-01', '2099-12-31']
  const stated = known.map((day) => ({ release: 'A', day, instant: undefined, location: '' }))
  expect(datesOfReleases(rows, stated)[0]?.dates).toEqual(known)
})

it('every figure near whose announced days a publisher is asked comes out with a release of a calendar', () => {
  const releases = Object.values(publisherCalendars).flatMap((each) => each.releases)
  const covered = new Set(releases.flatMap(({ covers }) => covers))
  const figures = timetable.flatMap(({ announced }) => announced?.covers ?? [])
  expect(figures).not.toEqual([])
  expect(figures.filter((figure) => !covered.has(figure))).toEqual([])
})
