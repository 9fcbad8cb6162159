/**
 * Calendars in the shapes of their publishers, written by hand: the BLS's iCalendar (LF, its own time zone), the BEA's
 * `release_dates.json`, and an answer of FRED's `fred/release/dates`.
 */

/** One event: its title, its `DTSTART` with parameters, and further lines. */
type Event = readonly [title: string, start: string, ...lines: string[]]

export const eastern = (time: string): string => `;TZID=US-Eastern:${time}`

const event = ([title, start, ...lines]: Event, index: number): string =>
  ['BEGIN:VEVENT', 'CLASS:PUBLIC', `DTSTART${start}`, 'DURATION:PT0M', `SUMMARY:${title}`]
    .concat(lines.some((line) => line.startsWith('UID:')) ? [] : `UID:event-${index}`)
    .concat('LOCATION:Washington\\, DC', 'CATEGORIES:IMPORTANT, BLS', lines, 'END:VEVENT')
    .join('\n')

export const blsCalendar = (...events: readonly Event[]): string => `BEGIN:VCALENDAR
PRODID:-//Department of Labor//Bureau of Labor Statistics//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:BLS.gov Economic News Release Schedule
X-WR-TIMEZONE:US-Eastern
BEGIN:VTIMEZONE
TZID:US-Eastern
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZNAME:EDT
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZNAME:EST
END:STANDARD
END:VTIMEZONE
${events.map(event).join('\n')}
END:VCALENDAR
`

export const CPI = 'Consumer Price Index'
export const JOBS = 'Employment Situation'
export const GDP = 'Gross Domestic Product'
export const TRADE = 'U.S. International Trade in Goods and Services'

export const beaDates = (releases: Readonly<Record<string, readonly unknown[]>>): string =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(releases).map(([name, dates]) => [name, { release_dates: dates }])),
    file_last_updated: '2026-10-01T14:53:19.724329',
  })

export const fredDates = (id: number, dates: readonly string[], count = dates.length): string =>
  JSON.stringify({
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    order_by: 'release_date',
    sort_order: 'asc',
    count,
    offset: 0,
    limit: 10_000,
    release_dates: dates.map((date) => ({ release_id: id, date })),
  })
