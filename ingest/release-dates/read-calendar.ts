import { refuseForeignBody } from '../read/body.ts'
import { textOf } from '../read/text.ts'
import { type Document, DocumentError } from '../source.ts'
import { type CalendarDates, type CalendarReader, datesOfReleases } from './calendar-dates.ts'
import type { PublisherCalendar } from './calendars.ts'
import { readICalendar } from './icalendar.ts'
import { readBeaDates, readFredDates } from './json.ts'

const readers: { readonly [F in PublisherCalendar['format']]: CalendarReader } = {
  icalendar: readICalendar,
  'bea-json': readBeaDates,
  'fred-json': readFredDates,
}

/** Limit on the bytes of one calendar, which is parsed in the service's own process. */
export const CALENDAR_MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads the dates of a calendar's releases. Pure. Throws `DocumentError` for a document that is another one, or states a
 * date that cannot be read; `no_known_release` if it has no date of any release in the table.
 */
export function readCalendar(calendar: PublisherCalendar, document: Pick<Document, 'bytes'>): CalendarDates[] {
  refuseForeignBody(document.bytes)
  if (document.bytes.length > CALENDAR_MAX_BYTES)
    throw new DocumentError('too_large', `A calendar has at most ${CALENDAR_MAX_BYTES} bytes.`)
  const rows = new Map(calendar.releases.map((row) => [row.release, row]))
  const stated = readers[calendar.format](textOf(document), calendar, (name) => rows.get(name))
  const dates = datesOfReleases(calendar.releases, stated)
  if (dates.length === 0) {
    const known = [...rows.keys()].join(', ')
    throw new DocumentError('no_known_release', `The calendar has no date of ${calendar.publisher}: ${known}.`)
  }
  return dates
}
