import { type Document, DocumentError, type FetchRequest } from '../source.ts'
import { fetchDocuments, type RemoteOptions } from '../sources/shared/fetch-documents.ts'
import { getChanged, type HttpAnswer, USER_AGENT } from '../sources/shared/http.ts'
import { hosts } from '../sources/shared/reach.ts'
import { type PublisherCalendar, publisherCalendars, RELEASE_DATES } from './calendars.ts'
import { CALENDAR_MAX_BYTES } from './read-calendar.ts'

export type CalendarOptions = RemoteOptions & {
  /** Key of FRED's API, without which it gives no release dates. */
  readonly fredApiKey?: string
  /** E-mail address for the User-Agent, which the BLS demands of programs: https://www.bls.gov/bls/pss.htm */
  readonly contact?: string
}

/** Most dates in one answer of FRED; its own limit. The consumer prices have about a thousand since 1949. */
const FRED_ROWS = 10_000

/**
 * Yields the documents of a calendar: the local `files`, or what its publisher answers. Throws `DocumentError`, also
 * `key_missing`.
 */
export function fetchCalendar(
  name: string,
  options: CalendarOptions,
  request: Omit<FetchRequest, 'datasets'>,
): AsyncIterable<Document> {
  const datasets = Object.fromEntries(Object.entries(publisherCalendars).map(([key, each]) => [key, each.publisher]))
  const identity = { name: RELEASE_DATES, publisher: datasets[name] ?? '', licence: '', datasets }
  return fetchDocuments(
    identity,
    { ...request, datasets: [name] },
    { datasets: Object.keys(datasets), answers: () => answersOf(publisherCalendars[name], options, request) },
  )
}

async function* answersOf(
  calendar: PublisherCalendar | undefined,
  { fredApiKey = '', contact = '', address, ...http }: CalendarOptions,
  asked: Omit<FetchRequest, 'datasets'>,
): AsyncIterable<HttpAnswer> {
  if (!calendar) return
  const published = new URL(calendar.address)
  const url = new URL(published.pathname, address ?? published.origin)
  const reach = address === undefined ? { reach: hosts(published.host) } : {}
  const named = contact === '' ? {} : { userAgent: `${USER_AGENT} ${contact}` }
  const request = { maxBytes: CALENDAR_MAX_BYTES, ...named, ...http, ...reach }
  if (calendar.format !== 'fred-json') {
    const accept = calendar.format === 'icalendar' ? 'text/calendar' : 'application/json'
    yield* getChanged(url, { ...request, accept }, asked)
    return
  }
  if (fredApiKey === '')
    throw new DocumentError('key_missing', 'FRED gives release dates only with a key: set ALMANAC_FRED_API_KEY.')
  for (const { release } of calendar.releases) {
    url.search = new URLSearchParams({
      release_id: release,
      file_type: 'json',
      // Without it FRED leaves out the dates to come, because they have no data yet.
      include_release_dates_with_no_data: 'true',
      sort_order: 'asc',
      limit: String(FRED_ROWS),
      api_key: fredApiKey,
    }).toString()
    yield* getChanged(url, { ...request, accept: 'application/json', secrets: [fredApiKey] }, asked)
  }
}
