import type { DatedEntry } from '../domain/calendar-entries.ts'
import { statusName } from '../domain/calendar-gaps.ts'
import { derivedId } from '../domain/ids.ts'
import type { CalendarEvent } from './icalendar.ts'

/** The event of an entry in a feed; none if the entry has no day. `apiBase` is where the console is served. */
export function eventOf(entry: DatedEntry, apiBase: string): CalendarEvent[] {
  const { country, indicator, period, status, day, expected_on, expected_at } = entry
  if (day === null) return []
  const url = addressOf(entry, apiBase)
  return [
    {
      // Not of the series: another one may be served for the same figure later.
      uid: `${derivedId('cal', country, indicator, period)}@almanac`,
      sequence: sequenceAt(entry.changed_at),
      changedAt: entry.changed_at,
      day,
      at: day === expected_on ? expected_at : null,
      summary: `${entry.title}${remarkOf(entry)}`,
      // Programs that do not show the property URL make a link of an address in the text.
      description: [...textOf(entry), `Series: ${entry.series}`, url].join('\n'),
      categories: [indicator, country],
      status: states[status],
      url,
    },
  ]
}

const FIRST_SECOND = Date.UTC(2020) / 1000

/**
 * The time of a change as a number that rises with it: whole seconds since 2020. RFC 5545 wants a number below 2^31 that
 * never falls. Counting the states of an event would not do, because some of them leave no record when they pass.
 */
const sequenceAt = (changedAt: string): number => Math.max(0, Math.floor(Date.parse(changedAt) / 1000) - FIRST_SECOND)

const states = {
  expected: 'TENTATIVE',
  late: 'TENTATIVE',
  published: 'CONFIRMED',
  cancelled: 'CANCELLED',
  never_published: 'CANCELLED',
} as const satisfies Readonly<Record<DatedEntry['status'], CalendarEvent['status']>>

/** The page that says where a published figure comes from, or the calendar's page. */
function addressOf({ country, indicator, release_id }: DatedEntry, apiBase: string): string {
  const view = release_id ? { view: 'why', release: release_id } : { view: 'calendar', country, indicator }
  return `${apiBase}/?${new URLSearchParams(view)}`
}

const bases: Readonly<Record<string, string>> = {
  publisher: 'by the publisher’s own date',
  dataset: 'by the date of the dataset’s last update',
  copy: 'by the day on which a copy of the dataset had it',
  first_seen: 'the day on which it was first seen here',
}

const announcement = 'The day that its publisher’s calendar announces.'
const estimates = {
  lag: 'Expected by the usual lag of the series, an estimate and not an announcement of its publisher.',
  standard:
    'Due by then at the latest, by the data dissemination standard of the IMF; not an announcement of its publisher.',
}
const sourceOf = (basis: DatedEntry['expected_on_basis']): string =>
  basis === 'publisher' ? announcement : estimates[basis ?? 'lag']

/** What stands behind the title, unless the day is the publisher’s or the figure is there. */
function remarkOf({ status, expected_on_basis }: DatedEntry): string {
  if (status === 'published' || (status === 'expected' && expected_on_basis === 'publisher')) return ''
  if (status !== 'expected') return ` (${statusName(status)})`
  return expected_on_basis === 'standard' ? ' (at the latest, by the IMF’s standard)' : ' (day estimated)'
}

function textOf(entry: DatedEntry): string[] {
  const { status, published_on, published_on_basis, expected_on, expected_on_basis, reason } = entry
  const source = sourceOf(expected_on_basis)
  switch (status) {
    case 'expected':
      return [source]
    case 'late':
      return [source, 'Nothing is on record yet.']
    case 'cancelled':
      return [`Cancelled: ${reason}`]
    case 'never_published':
      return [`Never published: ${reason}`]
    case 'published':
      return [
        `Published ${published_on}, ${bases[published_on_basis ?? ''] ?? published_on_basis}.`,
        ...(expected_on === null ? [] : [`Expected ${expected_on}.`]),
        ...(reason === null ? [] : [`Its figure was ${reason}.`]),
        `Where it comes from: /v1/releases/${entry.release_id}`,
      ]
  }
}
