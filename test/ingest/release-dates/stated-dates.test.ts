import fc from 'fast-check'
import { expect, it } from 'vitest'
import { publisherCalendars } from '../../../ingest/release-dates/calendars.ts'
import { dayInZone, instantOfLocalTime } from '../../../ingest/release-dates/local-time.ts'
import { datesOfReleases } from '../../../ingest/release-dates/stated-dates.ts'
import { calendar } from '../../../ingest/schedule/calendar.ts'

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

it('local times are those of the clock on the wall, but for those that it skips', () => {
  const zones = fc.constantFrom('America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC')
  const instants = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 })
  fc.assert(
    fc.property(zones, instants, (timeZone, second) => {
      const local = new Date(second * 1000).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
      const found = instantOfLocalTime(local, timeZone)
      // The first of two hours is taken where the clocks go back, so the instant may be earlier, and shows the same time.
      expect(found).toBeLessThanOrEqual(second * 1000)
      expect(new Date(found).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')).toBe(local)
      expect(dayInZone(found, timeZone)).toBe(local.slice(0, 10))
    }),
    { numRuns: 500 },
  )
})

it('every figure near whose announced days a publisher is asked comes out with a release of a calendar', () => {
  const releases = Object.values(publisherCalendars).flatMap((each) => each.releases)
  const covered = new Set(releases.flatMap(({ covers }) => covers))
  const asked = calendar.flatMap(({ announced }) => announced?.covers ?? [])
  expect(asked).not.toEqual([])
  expect(asked.filter((figure) => !covered.has(figure))).toEqual([])
})
