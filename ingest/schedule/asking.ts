import { Cron } from 'croner'
import { addDays } from '../../domain/day.ts'
import { dayInZone } from '../../domain/time-zone.ts'
import type { AnnouncedDays } from './release-days.ts'
import { type Holidays, isWorkingDay, workingDayOfMonth } from './working-days.ts'

/** Times at which a publisher is asked. `timetable.ts` has the table of them. */
export type Asking = {
  /** Key of `openSources`, or `release-dates` for publishers’ calendars. */
  readonly source: string
  readonly datasets: readonly string[]
  /** IANA time zone of the publisher, whose release times are local, daylight saving included. */
  readonly zone: string
  /** Cron pattern of five fields, in local time of `zone`. */
  readonly pattern: string
  /** Restricts `pattern` to working days; with `nth`, to these working days of the month. */
  readonly workingDays?: { readonly holidays: Holidays; readonly nth?: readonly number[] }
  /** Restricts `pattern` further, as far as publishers' own calendars are on record. */
  readonly announced?: {
    /** The figures that the datasets bring, as `COUNTRY/indicator`; one for each release. */
    readonly covers: readonly string[]
    /** Cron pattern by which revisions, and releases on other days than announced, are found. */
    readonly otherwise: string
  }
  /** Shortest time between two runs, in hours, also after a late or retried run. */
  readonly leastApart: number
  readonly why: string
}

/** Working days after an announced day on which `pattern` still holds, because the release or its copy may be late. */
export const DAYS_AFTER = 2

/**
 * Returns the first time after `after` at which the publisher is asked; both in UTC milliseconds. Up to the last
 * announced day these are the times of `pattern` on announced days and the working days after them, and all times of
 * `otherwise`. After that day, or if no days are announced, they are all times of `pattern`.
 */
export function nextAsking(asking: Asking, after: number, announced?: AnnouncedDays): number {
  const { pattern, zone, workingDays, announced: rule } = asking
  const sparse = rule && announced ? otherwiseAt(rule.otherwise, zone, after, announced.last) : undefined
  for (const at of timesOf(pattern, zone, after)) {
    // Also bounds the search: the last announced day may be far away.
    if (sparse !== undefined && sparse <= at) return sparse
    const day = dayInZone(at, zone)
    if (workingDays && !isAsked(day, workingDays)) continue
    if (!rule || !announced || day > announced.last || isNear(day, announced.days, workingDays?.holidays)) return at
  }
  throw new RangeError(`${pattern} in ${zone} has no time after ${new Date(after).toISOString()}`)
}

function otherwiseAt(pattern: string, zone: string, after: number, last: string): number | undefined {
  const [at] = timesOf(pattern, zone, after)
  return at !== undefined && dayInZone(at, zone) <= last ? at : undefined
}

function* timesOf(pattern: string, timezone: string, after: number): Generator<number> {
  const cron = new Cron(pattern, { timezone, mode: '5-part' })
  for (let at = cron.nextRun(new Date(after)); at; at = cron.nextRun(at)) yield at.getTime()
}

function isAsked(day: string, { holidays, nth }: NonNullable<Asking['workingDays']>): boolean {
  return nth ? nth.includes(workingDayOfMonth(day, holidays) ?? 0) : isWorkingDay(day, holidays)
}

/** Tells whether a day is announced, or at most `DAYS_AFTER` working days after an announced one. */
function isNear(day: string, days: AnnouncedDays['days'], holidays: Holidays = 'none'): boolean {
  let left = DAYS_AFTER
  for (let at = day; !days.has(at); at = addDays(at, -1)) {
    if (isWorkingDay(at, holidays) && left-- === 0) return false
  }
  return true
}

/** Short text of the times for the docs and the command, such as `15 16,17 * * *, TARGET days`. */
export function whenOf({ pattern, workingDays, announced }: Asking): string {
  const near = announced ? ` near announced days, otherwise ${announced.otherwise}` : ''
  if (!workingDays) return `${pattern}${near}`
  const days = workingDays.holidays === 'TARGET' ? 'TARGET days' : 'working days'
  return `${pattern}, ${days}${workingDays.nth ? ` ${workingDays.nth.join(', ')} of the month` : ''}${near}`
}

/** Announced days from the day of `now` on, in order: the instant if it is known, otherwise the day. */
export function announcedFrom(now: number, { zone }: Asking, announced: AnnouncedDays | undefined): string[] {
  const today = dayInZone(now, zone)
  const coming = [...(announced?.days ?? [])].filter(([day]) => day >= today)
  return coming.sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, instant]) => instant ?? day)
}
