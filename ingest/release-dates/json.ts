import { isDate } from '../../domain/day.ts'
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
      const stated = printed(date) ?? ''
      const instant = Date.parse(readInstant(stated) ?? '')
      if (Number.isNaN(instant))
        throw new DocumentError(
          'bad_date',
          `${JSON.stringify(stated.slice(0, 80))} is no time with an offset.`,
          location,
        )
      yield { release: row.release, day: dayInZone(instant, zone), instant, location }
    }
  }
}

/**
 * Reads an answer of FRED's `fred/release/dates`, which has the days of one release.
 * Source: https://fred.stlouisfed.org/docs/api/fred/release_dates.html
 */
export function* readFredDates(text: string, _: PublisherCalendar, find: FindRelease): Iterable<CalendarDate> {
  const json = parseJson(text)
  const rows = isObject(json) ? json.release_dates : undefined
  if (!isObject(json) || !isArray(rows))
    throw new DocumentError('wrong_format', `The document is ${textName(text)}, not release dates of FRED's API.`)
  const count = printed(json.count)
  if (count === undefined) throw new DocumentError('truncated', 'The document states no count of its dates.')
  if (Number(count) !== rows.length)
    throw new DocumentError('truncated', `The document has ${rows.length} of ${count} dates.`)
  for (const [index, row] of rows.entries()) {
    const location = `release_dates[${index}]`
    const [id, day] = isObject(row) ? [row.release_id, row.date].map(printed) : []
    if (id === undefined || day === undefined)
      throw new DocumentError('malformed_document', 'A row has release_id and date.', location)
    const release = find(id)?.release
    if (release === undefined) continue
    if (!isDate(day)) throw new DocumentError('bad_date', `date is ${JSON.stringify(day.slice(0, 80))}.`, location)
    yield { release, day, instant: undefined, location }
  }
}
