/** Clocks by time zone. Making one costs more than all its readings of a calendar. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    clocks.set(timeZone, clock)
  }
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
 * The instant of a local time (`YYYY-MM-DDThh:mm:ss`), UTC milliseconds. As RFC 5545 (3.3.5) has it, a time that occurs
 * twice is the first of both, and one that the clocks skip counts from the offset before the skip.
 */
export function instantOfLocalTime(local: string, timeZone: string): number {
  const wanted = Date.parse(`${local}Z`)
  const [before, after] = [wanted - DAY_MS, wanted + DAY_MS].map((at) => wanted - offsetMs(at, timeZone))
  const isIts = (at: number | undefined): at is number => at !== undefined && at + offsetMs(at, timeZone) === wanted
  if (isIts(before)) return before
  return isIts(after) ? after : (before ?? wanted)
}

/** Day of an instant in a time zone, `YYYY-MM-DD`. */
export const dayInZone = (at: number, timeZone: string): string =>
  new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)

/** Offset of a time zone from UTC at an instant, ms. */
function offsetMs(at: number, timeZone: string): number {
  const name = clockOf(timeZone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  const minutesEast = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return (sign === '-' ? -minutesEast : minutesEast) * 60_000
}
