import ICAL from 'ical.js'
import { errorMessage } from '../../base/errors.ts'
import { isDate } from '../../domain/day.ts'
import { dayInZone, instantOfLocalTime, isTimeZone } from '../../domain/time-zone.ts'
import { textName } from '../read/body.ts'
import { DocumentError } from '../source.ts'
import type { CalendarDate, FindRelease } from './calendar-dates.ts'
import type { PublisherCalendar } from './calendars.ts'

/**
 * Reads an iCalendar (RFC 5545). Cancelled events are left out, and of the versions of one event (`UID`) the latest
 * (`SEQUENCE`) counts. Times of a named zone are converted by the time zone database, not by the rules that the document
 * brings along: those are a program of a stranger, and grow old.
 */
export function* readICalendar(folded: string, calendar: PublisherCalendar, find: FindRelease): Iterable<CalendarDate> {
  const text = folded.replace(/\r?\n[ \t]/g, '')
  const root = calendarIn(text)
  const producer = String(root.getFirstPropertyValue('prodid') ?? '')
  if (calendar.producer !== undefined && !producer.includes(calendar.producer))
    throw new DocumentError(
      'other_calendar',
      `The iCalendar was made by ${JSON.stringify(producer.slice(0, 100))}, not by ${calendar.producer}.`,
    )
  refuseOddStarts(text)
  const events = root.getAllSubcomponents('vevent').map((event, index) => ({ event, location: `event ${index + 1}` }))
  for (const { event, location } of latestOf(events)) {
    const row = find(titleOf(event))
    if (!row || String(event.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED') continue
    const { release } = row
    if (event.hasProperty('rrule') || event.hasProperty('rdate'))
      throw new DocumentError('recurring_event', `${release} recurs by a rule, and such dates are not read.`, location)
    yield { release, location, ...startOf(event, calendar, `${location}, ${release}`) }
  }
}

const LINE_MAX = 65_536

/** Throws `DocumentError` `wrong_format` or `malformed_document`. */
function calendarIn(text: string): ICAL.Component {
  if (!/^\s*BEGIN:VCALENDAR\s*$/im.test(text.slice(0, 200)))
    throw new DocumentError('wrong_format', `The document is ${textName(text)}, not an iCalendar.`)
  // The library's time grows with the square of the parameters in a line.
  const long = text.split(/[\r\n]/).find(({ length }) => length > LINE_MAX)
  if (long !== undefined) {
    const start = JSON.stringify(long.slice(0, 60))
    throw new DocumentError(
      'malformed_document',
      `A line, which begins ${start}, has more than ${LINE_MAX} characters.`,
    )
  }
  let parsed: unknown
  try {
    parsed = ICAL.parse(text)
  } catch (cause) {
    throw new DocumentError('malformed_document', `Not an iCalendar: ${errorMessage(cause).slice(0, 200)}.`, '', {
      cause,
    })
  }
  // One component is an array that begins with its name; several are an array of such arrays.
  if (!Array.isArray(parsed) || parsed[0] !== 'vcalendar')
    throw new DocumentError('malformed_document', 'The document has more than one iCalendar, or none.')
  return new ICAL.Component(parsed)
}

/**
 * Throws `DocumentError` `bad_date` for a start in another form than the standard's. The library drops what follows a date,
 * such as the offset in `20261014T123000+0000`.
 */
function refuseOddStarts(text: string): void {
  const starts = text.matchAll(/^DTSTART(?:;[^":\r\n]*(?:"[^"\r\n]*"[^":\r\n]*)*)?:(.*)$/gim)
  for (const [line, value = ''] of starts) {
    if (!/^\d{8}(?:T\d{6}Z?)?[ \t]*$/.test(value))
      throw new DocumentError('bad_date', `${JSON.stringify(line.slice(0, 100))} has no date or time of an iCalendar.`)
  }
}

type Located = { readonly event: ICAL.Component; readonly location: string }

/** The events of the highest sequence for each UID, and those without a UID. */
function latestOf(events: readonly Located[]): readonly Located[] {
  const sequenceOf = ({ event }: Located) => Number(event.getFirstPropertyValue('sequence') ?? 0)
  const highest = new Map<string, number>()
  const uidOf = ({ event }: Located) => String(event.getFirstPropertyValue('uid') ?? '')
  for (const event of events)
    highest.set(uidOf(event), Math.max(sequenceOf(event), highest.get(uidOf(event)) ?? Number.NEGATIVE_INFINITY))
  return events.filter((event) => uidOf(event) === '' || sequenceOf(event) === highest.get(uidOf(event)))
}

/** The event's title without its period: `Consumer Price Index for August 2026` is the release of that name. */
const titleOf = (event: ICAL.Component): string =>
  String(event.getFirstPropertyValue('summary') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ for (?:[A-Z][a-z]+|\S+ Quarter) \d{4}$/, '')

/** Throws `DocumentError` `bad_date` or `unknown_time_zone`. */
function startOf(
  event: ICAL.Component,
  { zone, zoneNames }: PublisherCalendar,
  location: string,
): Pick<CalendarDate, 'day' | 'instant'> {
  const start = event.getFirstProperty('dtstart')
  // The text of the value, because the library's own dates turn 31 February into a day of March.
  const value = String(start?.jCal[3] ?? '')
  const [, day = '', time, utc] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(Z?))?$/.exec(value) ?? []
  if (!isDate(day) || (time !== undefined && !/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time)))
    throw new DocumentError('bad_date', `DTSTART is ${JSON.stringify(value)}, no date or time.`, location)
  if (time === undefined) return { day, instant: undefined }
  const name = String(start?.getParameter('tzid') ?? '')
  const named = zoneNames && Object.hasOwn(zoneNames, name) ? zoneNames[name] : name
  if (utc === '' && named && !isTimeZone(named))
    throw new DocumentError('unknown_time_zone', `The time zone ${JSON.stringify(name)} is not known.`, location)
  const shown = Date.parse(`${day}T${time}Z`)
  // A time without a zone is the publisher's.
  const instant = utc === 'Z' ? shown : instantOfLocalTime(shown, named || zone)
  return { day: dayInZone(instant, zone), instant }
}
