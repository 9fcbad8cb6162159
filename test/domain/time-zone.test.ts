import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayInZone, instantOfLocalTime, isTimeZone } from '../../domain/time-zone.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC')
const seconds = (from: number, to: number) =>
  fc.integer({ min: from / SECOND, max: to / SECOND }).map((second) => second * SECOND)
const anyInstant = seconds(Date.UTC(1880, 0, 1), Date.UTC(2040, 0, 1))

const clocks = new Map<string, Intl.DateTimeFormat>()
/** What the clocks of a zone show, as if they were in UTC. Reads the date and time themselves, where the code reads offsets. */
function shownAt(at: number, timeZone: string): number {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`)
}

/** The next time at which the clocks of a zone are changed; `from` itself if they are not within 400 days. */
function nextChange(timeZone: string, from: number): number {
  const offset = (at: number) => shownAt(at, timeZone) - at
  let [before, after] = [from, from]
  while (offset(after) === offset(from)) {
    if (after > from + 400 * DAY) return from
    before = after
    after += 7 * DAY
  }
  while (after - before > SECOND) {
    const middle = before + Math.floor((after - before) / SECOND / 2) * SECOND
    if (offset(middle) === offset(before)) before = middle
    else after = middle
  }
  return after
}

/** All instants at which the clocks show a time, by every offset that the zone has near it. */
function instantsThatShow(shown: number, timeZone: string): number[] {
  const near = Array.from({ length: 53 }, (_, hour) => shown + (hour - 26) * HOUR)
  const candidates = new Set(near.map((at) => shown - (shownAt(at, timeZone) - at)))
  return [...candidates].filter((at) => shownAt(at, timeZone) === shown)
}

function expectRight(shown: number, timeZone: string): void {
  const found = instantOfLocalTime(shown, timeZone)
  const right = instantsThatShow(shown, timeZone)
  if (right.length > 0) {
    expect(found).toBe(Math.min(...right))
    return
  }
  // The clocks skip it. By the offset before the change, it is as much later as they skip.
  const skipped = shownAt(found, timeZone) - shown
  expect(skipped).toBeGreaterThan(0)
  expect(shownAt(found - skipped, timeZone)).toBe(shown - skipped)
}

describe('the instant of a local time', () => {
  it('is the first at which the clocks of the zone show it, in every zone', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, at) => {
        const shown = shownAt(at, zone)
        expect(instantOfLocalTime(shown, zone)).toBeLessThanOrEqual(at)
        expectRight(shown, zone)
      }),
      { numRuns: 1_000 },
    )
  })

  it('counts from the offset before if the clocks skip it, and is the first of two if they are put back', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, seconds(-2 * HOUR, 2 * HOUR), (zone, from, apart) => {
        const before = nextChange(zone, from) - SECOND
        expectRight(shownAt(before, zone) + SECOND + apart, zone)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00', 'is skipped'],
    ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00', 'comes twice'],
    ['Europe/Berlin', '2026-03-29T14:15:00', '2026-03-29T12:15:00', 'comes after a change of the same day'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00', 'is in a skip of half an hour'],
    ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00', 'is in a day that was skipped'],
    ['America/New_York', '1880-01-01T00:00:00', '1880-01-01T04:56:02', 'is older than standard time'],
    ['UTC', '2026-03-08T02:30:00', '2026-03-08T02:30:00', 'is that of UTC'],
  ])('in %s of %s is %s UTC, which %s', (zone, shown, instant) =>
    expect(instantOfLocalTime(Date.parse(`${shown}Z`), zone)).toBe(Date.parse(`${instant}Z`)),
  )
})

it('the day of an instant is the one that the clocks of the zone show', () => {
  fc.assert(
    fc.property(anyZone, anyInstant, (zone, at) => {
      expect(dayInZone(at, zone)).toBe(new Date(shownAt(at, zone)).toISOString().slice(0, 10))
    }),
    { numRuns: 1_000 },
  )
})

it('time zones are those of the time zone database', () => {
  const names = ['Europe/Berlin', 'UTC', 'US-Eastern', 'Atlantis/Capital', '']
  expect(names.map(isTimeZone)).toEqual([true, true, false, false, false])
})
