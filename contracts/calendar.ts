import { Type } from '#typebox'
import { dateBasis, expectedOnBasis, IndicatorCode, publisherOrLag } from './catalog.ts'
import {
  chargedProblems,
  csvParameters,
  limitParameter,
  literals,
  NextCursor,
  noParameters,
  type Operation,
  repeatable,
} from './operation.ts'
import { AnyPeriod, CountryCode, IsoDate, nullable, SignedDecimal, strict, Timestamp } from './scalars.ts'

/** The calendar of releases: which are expected, late, published, cancelled or never published. */

const calendarStatuses = ['expected', 'late', 'published', 'cancelled', 'never_published'] as const
export type CalendarStatus = (typeof calendarStatuses)[number]
const noticedBases = ['publisher', 'lag'] as const

const expected_at = nullable({
  ...Timestamp,
  description: 'The instant of expected_on; null if the publisher’s calendar has not announced one',
})

const CalendarEntry = strict(
  {
    country: CountryCode,
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    series: Type.String({
      description: 'Id of the series that was published; until then of the best series, which others may precede',
    }),
    period: { ...AnyPeriod, description: 'What the figure measures' },
    status: Type.Unsafe<CalendarStatus>({
      ...literals(calendarStatuses),
      description:
        '`expected`: not on record, and not due before today; `late`: the expected day has passed; `published`: on record; `cancelled`: it is on record here that it will not be published; `never_published`: it is on record here that the publisher has no figure for this period. The last two also concern what is derived from such a figure',
    }),
    expected_on: nullable({ ...IsoDate, description: 'When it is or was expected; null if that is unknown' }),
    expected_on_basis: expectedOnBasis,
    expected_at,
    published_on: nullable({ ...IsoDate, description: 'When its first print was released; null until then' }),
    published_on_basis: nullable(dateBasis),
    release_id: nullable(Type.String({ description: 'The first print; releases_get says where it comes from' })),
    stated_at: nullable({
      ...Timestamp,
      description: 'When it was recorded that it is cancelled, was never published or was withdrawn; null otherwise',
    }),
    reason: nullable(
      Type.String({
        description:
          'Why it is cancelled or was never published; of one published, the day on which its figure was withdrawn; null otherwise',
      }),
    ),
    days_late: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'Days from expected_on to published_on, or to today; 0 if not late; null if unknown, cancelled or never published',
      }),
    ),
    unit: Type.String({ description: 'Unit of the figures: ISO 4217 currency, `percent` or `index`' }),
    figure: Type.String({ description: 'Which figure of the indicator actual and previous are, e.g. year_over_year' }),
    actual: nullable({ ...SignedDecimal, description: 'The figure as first published; null until then' }),
    previous: nullable({
      ...SignedDecimal,
      description:
        'The same series’ figure of the period before, as it was known before this release, or else as it came with it; null without one',
    }),
    previous_revised: nullable({
      ...SignedDecimal,
      description: 'What previous was revised to on the day of this release; null if it was not revised then',
    }),
    title: Type.String({ description: 'What comes out, in words: Consumer prices, Germany, October 2026' }),
    publisher: Type.String({ description: 'Name of the publisher of the series, as in the catalogue' }),
  },
  { $id: 'CalendarEntry', description: 'The release of one indicator, country and period' },
)
export type CalendarEntry = Type.Static<typeof CalendarEntry>

/** Data of the events of the calendar. The event's type says what has happened. */
export const CalendarNotice = strict(
  {
    country: CountryCode,
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    series: Type.String({ description: 'Id of the series that was served then' }),
    period: AnyPeriod,
    expected_on: nullable({ ...IsoDate, description: 'When the release is or was expected; null if that is unknown' }),
    expected_on_basis: {
      ...nullable(Type.Unsafe<(typeof noticedBases)[number]>(literals(noticedBases))),
      description: `${publisherOrLag}; null if expected_on is`,
    },
    expected_at,
    reason: nullable(
      Type.String({
        description: 'Why it was cancelled, restored or never published; null for calendar.release.expected and .late',
      }),
    ),
  },
  { $id: 'CalendarNotice', description: 'A change of the release calendar' },
)
export type CalendarNotice = Type.Static<typeof CalendarNotice>

const Calendar = strict(
  {
    entries: Type.Array(CalendarEntry),
    next_cursor: NextCursor,
    as_of: {
      ...Timestamp,
      description: 'When the newest release, cancellation or publisher’s calendar behind it was recorded',
    },
  },
  {
    $id: 'Calendar',
    description:
      'Entries by published_on, or expected_on if nothing is published; without an expected day, one cancelled by the day of stated_at, and one never published by the last day of its period; unknown dates come last',
  },
)

const filters = {
  country: repeatable(CountryCode, 'Only releases of these countries. Left out: all'),
  indicator: repeatable(IndicatorCode, 'Only releases of these indicators. Left out: all'),
  status: repeatable(literals(calendarStatuses), 'Only releases of these states. Left out: all'),
}
const day = (description: string) => Type.Optional({ ...IsoDate, description })

export const calendarOperations: readonly Operation[] = [
  {
    id: 'calendar_list',
    method: 'GET',
    path: '/v1/calendar',
    summary: 'The release calendar: what is expected, late, published, cancelled or was never published',
    description:
      'For each served series the day of each first print on record, the releases that are late, cancelled or were never published, and the next one expected. An expected day is that of the publisher’s own calendar where one is on record. Otherwise it is an estimate from the usual lag of the series, or, where fewer than three first prints are dated, the last day that the Special Data Dissemination Standard of the IMF allows. A published entry has its figure as first published, and that of the period before as it was known then. Periods that were first read together with later ones are left out, because the day of their publication is not known. A series that has probably ended has no further releases here: its next figure is two years late; or, if no day can be estimated, its next month ended half a year ago, its next quarter three quarters ago or its next year two years ago. Pages read the calendar as it stands.',
    tag: 'Calendar',
    access: 'charged',
    params: noParameters,
    query: strict({
      ...filters,
      start: day('First day, inclusive. Entries without a date are left out if start or end is given'),
      end: day('Last day, inclusive'),
      limit: limitParameter,
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          // Longer than other cursors, because it carries the filters.
          maxLength: 2048,
          description: 'The next_cursor of the previous page, alone or with the same filters',
        }),
      ),
      ...csvParameters,
    }),
    response: Calendar,
    hasCsv: true,
    problems: [
      ...chargedProblems,
      'cursor_invalid',
      'cursor_mismatch',
      'cursor_foreign',
      'cursor_superseded',
      'cursor_expired',
    ],
  },
  {
    id: 'calendar_ics',
    method: 'GET',
    path: '/v1/calendar.ics',
    summary: 'The release calendar as iCalendar, to subscribe to',
    description:
      'The dated entries of calendar_list as events (RFC 5545): at the instant where it was announced, and all day otherwise. Calendar programs cannot send a key, and the feed has no figures, so it needs none. Without start it begins 92 days ago. It has at most 5,000 events; name countries or indicators if there are more.',
    tag: 'Calendar',
    access: 'none',
    params: noParameters,
    query: strict({
      ...filters,
      start: day('First day, inclusive. Left out: 92 days ago'),
      end: day('Last day, inclusive'),
    }),
    response: Type.String({ description: 'RFC 5545' }),
    mediaType: 'text/calendar',
    isOfNow: true,
    problems: ['invalid_query', 'unavailable'],
  },
]
