/** Clocks by time zone. Making one costs more than all its readings of a calendar. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  clocks.set(timeZone, clock)
  return clock
}

export function isTimeZone(name: string): boolean {
  try {
    clockOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const DAY_MS = 86_400_000

/**
 * The instant at which the clocks of a time zone show `shown`: both UTC milliseconds, `shown` as if the clocks were in UTC.
 * As RFC 5545 (3.3.5) has it, a time that occurs twice is the first of both, and one that the clocks skip counts from the
 * offset before the skip.
 */
export function instantOfLocalTime(shown: number, timeZone: string): number {
  // No zone is a day away from UTC, or changes its clocks twice in two days.
  const before = shown - offsetMs(shown - DAY_MS, timeZone)
  const after = shown - offsetMs(shown + DAY_MS, timeZone)
  const shows = (at: number) => at + offsetMs(at, timeZone) === shown
  return !shows(before) && shows(after) ? after : before
}

/** The day last asked for, by time zone: all figures of a document ask for one instant, and reading a clock takes 5 µs. */
const lastDays = new Map<string, { readonly at: number; readonly day: string }>()

/** Day of an instant in a time zone, `YYYY-MM-DD`. */
export function dayInZone(at: number, timeZone: string): string {
  const last = lastDays.get(timeZone)
  if (last?.at === at) return last.day
  const day = new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)
  lastDays.set(timeZone, { at, day })
  return day
}

/** Offset of a time zone from UTC at an instant, ms. Before standard time, offsets have seconds: `GMT-04:56:02`. */
function offsetMs(at: number, timeZone: string): number {
  const name = clockOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}
