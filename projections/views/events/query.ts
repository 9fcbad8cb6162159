import type { ClickHouseClient } from '@clickhouse/client'
import type { EventRecord } from '../../../contracts/records.ts'
import { endOfDay } from '../../../domain/day-of-knowledge.ts'
import { endsOfPublisherDay } from '../../../domain/publisher-day.ts'
import { read } from '../read.ts'

/** Filters: AND across members, OR within one; an absent member filters nothing. */
type EventRange = {
  /** Sequence of the first event to look at. */
  readonly from: number
  readonly families?: readonly string[] | undefined
  readonly countries?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
  readonly limit: number
}

type EventBound = { readonly sequence: number; readonly recordedAt: string }
type EventBounds = { readonly first: EventBound; readonly last: EventBound }

type EventSlice = {
  readonly events: readonly EventRecord[]
  /** Every match up to this sequence is in `events`: read on after it. Less than `from` where nothing is there yet. */
  readonly scannedTo: number
  /** The journal's ends as of this read; undefined while it is empty. */
  readonly bounds: EventBounds | undefined
}

/** Most sequences that one page looks through; a filter that matches fewer gives a short page and a later `scannedTo`. */
const PAGE_SPAN = 5_000_000

const cost = { seconds: 5, megabytes: 500, rows: 10_000 }

const COLUMNS = 'sequence, id, type, source, family, country, subject, time, dataschema, data'

const filters = {
  families: 'family IN {families:Array(String)}',
  countries: 'country IN {countries:Array(String)}',
  types: 'type IN {types:Array(String)}',
} as const
type Filters = { readonly [F in keyof typeof filters]?: readonly string[] }

/**
 * As of a day: events of releases by the latest day of what they tell, and the others by their time, until the day is over in
 * UTC or at the publishers of their country, whichever is first; those that a release caused also by its day. The day of a
 * withdrawal is not in the data if another series then has the period, whose own day may be later.
 */
const UNTIL = `AND if(
  startsWith(type, 'economics.release.'),
  greatest(released_on, JSONExtractString(data, 'released_on'), JSONExtractString(data, 'previous', 'released_on'))
    <= {until:String},
  released_on <= {until:String} AND toUnixTimestamp64Milli(time)
    < transform(ifNull(country, ''), {countries_of_ends:Array(String)}, {ends:Array(Int64)}, {end:Int64})
)`

/** The parameters of `UNTIL` for a day. */
function paramsOf(until: string) {
  const end = endOfDay(until)
  const ends = [...endsOfPublisherDay(until)].map(([country, at]) => [country, Math.min(at, end)] as const)
  return { until, end, countries_of_ends: ends.map(([country]) => country), ends: ends.map(([, at]) => at) }
}

const pageQuery = (given: Filters, until: string) => `
SELECT ${COLUMNS}
FROM events
WHERE sequence BETWEEN {from:UInt64} AND {to:UInt64} AND NOT _marker
  ${(Object.keys(given) as (keyof Filters)[]).map((name) => `AND ${filters[name]}`).join(' ')} ${until}
ORDER BY sequence
LIMIT {limit:UInt32}`

const byIdQuery = (until: string) => `SELECT ${COLUMNS} FROM events WHERE id = {id:String} ${until} LIMIT 1`

/** A marker's sequence is 0: that leaves them out by the sorting key, however many there are. */
const endsQuery = (until: string) => `
SELECT sequence, recorded_at AS recordedAt FROM
  (SELECT sequence, recorded_at FROM events WHERE sequence > 0 ${until} ORDER BY sequence LIMIT 1
   UNION ALL
   SELECT sequence, recorded_at FROM events WHERE sequence > 0 ${until} ORDER BY sequence DESC LIMIT 1)
ORDER BY sequence`

/** The clock of a node may be set back, so the times are not sorted, and the search looks at one after the other. */
const recordedFromQuery = (until: string) => `
SELECT sequence FROM events
WHERE sequence > 0 AND toUnixTimestamp64Milli(recorded_at) >= {at:Int64} ${until}
ORDER BY sequence
LIMIT 1`

export type EventQueries = ReturnType<typeof eventQueries>

/**
 * Reads of the events. Where ClickHouse is away or too busy, each throws the problem `unavailable`. With `until`, a day
 * YYYY-MM-DD, nothing is read that came later: `bounds` are then those of what came by the end of that day.
 */
export const eventQueries = (
  client: ClickHouseClient,
  { span = PAGE_SPAN, until = '' }: { readonly span?: number; readonly until?: string } = {},
) => {
  const cut = until === '' ? '' : UNTIL
  const day = until === '' ? {} : paramsOf(until)
  const [ENDS, BY_ID, RECORDED_FROM] = [endsQuery(cut), byIdQuery(cut), recordedFromQuery(cut)]

  /** The first and the last event; undefined while there is none. */
  async function bounds(): Promise<EventBounds | undefined> {
    const ends = await read<EventBound>(client, ENDS, day, cost)
    const [first, last] = [ends.at(0), ends.at(-1)]
    return first && last && { first, last }
  }

  /** The next events from `from` on that pass the filters, in sequence order. */
  async function page({ from, families, countries, types, limit }: EventRange): Promise<EventSlice> {
    // The end is read first: what the page then finds, or doesn't, is all there is up to it.
    const ends = await bounds()
    // Events that are no longer kept cost no page: the search begins at the oldest one.
    const first = Math.max(from, ends?.first.sequence ?? from)
    const to = Math.min(ends?.last.sequence ?? 0, first + span - 1)
    if (to < from) return { events: [], scannedTo: from - 1, bounds: ends }
    const given = { ...(families && { families }), ...(countries && { countries }), ...(types && { types }) }
    const found = await read<EventRecord>(client, pageQuery(given, cut), { ...given, from, to, limit, ...day }, cost)
    const scannedTo = found.length < limit ? to : (found.at(-1)?.sequence ?? to)
    return { events: withoutRepeats(found), scannedTo, bounds: ends }
  }

  /** One event; undefined if there is none of that id. */
  async function byId(id: string): Promise<EventRecord | undefined> {
    const [event] = await read<EventRecord>(client, BY_ID, { id, ...day }, cost)
    return event
  }

  /** The sequence of the first event recorded at or after an instant (UTC milliseconds); without one, that of the next event. */
  async function recordedFrom(at: number): Promise<number> {
    // Read first: an event that comes between the two reads is not skipped.
    const ends = await bounds()
    const [found] = await read<{ sequence: number }>(client, RECORDED_FROM, { at, ...day }, cost)
    return found?.sequence ?? (ends?.last.sequence ?? 0) + 1
  }

  return { page, byId, bounds, recordedFrom }
}

/** A row that two projectors wrote is there twice until ClickHouse merges it. */
const withoutRepeats = (events: readonly EventRecord[]): EventRecord[] =>
  events.filter(({ sequence }, i) => sequence !== events[i - 1]?.sequence)
