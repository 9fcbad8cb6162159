import { Type } from '#typebox'
import { CountryCode, strict, Timestamp } from './scalars.ts'

/** The public events: their families, types and form. */
export const eventFamilies = [
  'inflation',
  'labour',
  'output',
  'trade',
  'predictions',
  'commodities',
  'fx',
  'prices',
  'calendar',
] as const
export const eventTypes = [
  'economics.release.published',
  'economics.release.revised',
  'economics.release.withdrawn',
  'prices.instrument.stale',
  'prices.instrument.recovered',
  'prices.source.interrupted',
  'prices.session.opened',
  'prices.session.closed',
  'predictions.prediction.updated',
  'predictions.prediction.scored',
  'calendar.release.expected',
  'calendar.release.late',
  'calendar.release.cancelled',
  'calendar.release.restored',
  'calendar.release.never_published',
] as const
/** A public event: CloudEvents 1.0 with the extension attributes family, country and sequence. */
export const Event = strict(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({ pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$' }),
    source: Type.String({ description: '/almanac/{family}' }),
    type: Type.String({ description: 'e.g. economics.release.revised' }),
    subject: Type.String({ description: 'e.g. USA/cpi/2026-09 or XAU-USD' }),
    time: Timestamp,
    datacontenttype: Type.Literal('application/json'),
    dataschema: Type.String({ description: 'urn:almanac:schema:{name}: the schema of that name in /openapi.json' }),
    family: Type.String(),
    country: Type.Optional(CountryCode),
    sequence: Type.String({ pattern: '^\\d{20}$', description: 'Dense from 1, padded so that it sorts as text' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The body that REST serves; for a revision also `previous`, the body it replaces; for a withdrawal only its country, period and day (`released_on`), and `previous`, the body that was served',
    }),
    cursor: Type.String({ description: 'Points just after this event' }),
  },
  { $id: 'Event' },
)
export const EventPage = strict(
  {
    events: Type.Array(Event),
    next_cursor: Type.String({ description: 'Never null: polling with it follows the journal' }),
    has_more: Type.Boolean(),
    as_of: Timestamp,
  },
  { $id: 'EventPage' },
)
/** Limits of exports. They keep one client from holding a node's reads for itself. */
export const exportLimits = {
  runningPerAccount: 2,
  /** Exports of all accounts on a node. */
  running: 16,
  /** An export costs a call for each so many events begun: as much as the largest pages. */
  eventsPerCall: 1_000,
} as const

/** The last line of an export. Events have an `id`, and this line has none. */
export const ExportEnd = strict(
  {
    cursor: Type.String({ description: 'Everything before it has been examined: pages and the stream continue here' }),
    count: Type.Integer({ minimum: 0, description: 'Number of events before this line' }),
    complete: Type.Boolean({ description: 'Whether the export has reached its end' }),
    code: Type.Optional(Type.String({ description: 'If it has not: why not, as the code of a problem' })),
  },
  { $id: 'ExportEnd' },
)
export type ExportEnd = Type.Static<typeof ExportEnd>
export type Event = Type.Static<typeof Event>
export type EventPage = Type.Static<typeof EventPage>
