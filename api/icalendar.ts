/**
 * iCalendar (RFC 5545): lines end in CR LF, and a line of more than 75 octets is folded, so that no character is cut. An
 * event is a day or an instant.
 */

export type CalendarEvent = {
  /** The same for the same event at every reading. */
  readonly uid: string
  /** A number that rises when the event changes, and never falls. */
  readonly sequence: number
  /** When the event became what it is, ISO 8601 UTC. */
  readonly changedAt: string
  /** YYYY-MM-DD. */
  readonly day: string
  /** The instant, ISO 8601 UTC; null for an event of the whole day. */
  readonly at: string | null
  readonly summary: string
  readonly description: string
  readonly categories: readonly string[]
  readonly status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  /** An absolute URI. */
  readonly url: string
}

/** A calendar that programs subscribe to. `name` is shown to people; programs ask again after six hours. */
export const calendarText = (name: string, events: readonly CalendarEvent[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//Release calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...(events.length > 0 ? events.flatMap(eventLines) : noEvents),
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('')

/** A calendar must have a component (RFC 5545, 3.6). */
const noEvents = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

const eventLines = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(event.uid)}`,
  `DTSTAMP:${utc(event.changedAt)}`,
  `SEQUENCE:${event.sequence}`,
  event.at === null ? `DTSTART;VALUE=DATE:${event.day.replaceAll('-', '')}` : `DTSTART:${utc(event.at)}`,
  `SUMMARY:${escaped(event.summary)}`,
  `DESCRIPTION:${escaped(event.description)}`,
  `CATEGORIES:${event.categories.map(escaped).join(',')}`,
  `STATUS:${event.status}`,
  // A value of the type URI, which is not escaped.
  `URL:${event.url}`,
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
]

/** 20261030T123000Z */
const utc = (instant: string): string => `${instant.replace(/[-:]/g, '').slice(0, 15)}Z`

/** A value of the type TEXT. Other control characters than line breaks are not allowed, and are left out. */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')

const MOST_OCTETS = 75

/** A content line in pieces of at most 75 octets. Each piece after the first begins with a space, which counts. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > MOST_OCTETS) {
      pieces.push(piece)
      piece = ' '
    }
    piece += character
  }
  return [...pieces, piece].join('\r\n')
}
