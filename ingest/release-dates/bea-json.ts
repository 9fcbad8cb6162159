import { dayInZone } from '../../domain/time-zone.ts'
import { textName } from '../read/body.ts'
import { readInstant } from '../read/instant.ts'
import { isArray, isObject, parseJson, printed } from '../read/json.ts'
import { DocumentError } from '../source.ts'
import type { CalendarDate, FindRelease } from './calendar-dates.ts'
import type { PublisherCalendar } from './calendars.ts'

/**
 * Reads the BEA's JSON: `{"Gross Domestic Product": {"release_dates": ["2026-10-29T12:30:00+00:00"]}, …}` beside
 * `"file_last_updated"`.
 */
export function* readBeaDates(text: string, { zone }: PublisherCalendar, find: FindRelease): Iterable<CalendarDate> {
  const json = parseJson(text)
  if (!isObject(json) || printed(json.file_last_updated) === undefined)
    throw new DocumentError('wrong_format', `The document is ${textName(text)}, not the BEA's release dates.`)
  for (const [name, entry] of Object.entries(json)) {
    const row = find(name.replace(/\s+/g, ' ').trim())
    if (!row) continue
    const dates = isObject(entry) ? entry.release_dates : undefined
    if (!isArray(dates)) throw new DocumentError('malformed_document', 'A release has release_dates.', name)
    for (const [index, date] of dates.entries()) {
      const location = `${name}, release_dates[${index}]`
      const instant = instantOf(printed(date) ?? '', location)
      yield { release: row.release, day: dayInZone(instant, zone), instant, location }
    }
  }
}

/** Throws `DocumentError` `bad_date` for anything but a time with its offset from UTC. */
function instantOf(text: string, location: string): number {
  const instant = readInstant(text)
  if (instant !== undefined) return Date.parse(instant)
  throw new DocumentError('bad_date', `${JSON.stringify(text.slice(0, 80))} is no time with an offset.`, location)
}
