import { getUnlessKnown, type HttpAnswer, USER_AGENT } from '../fetch/http.ts'
import { fetchDocuments, type RemoteOptions } from '../fetch/published-source.ts'
import { hosts } from '../fetch/reach.ts'
import { type Document, DocumentError, type FetchRequest } from '../source.ts'
import { type PublisherCalendar, RELEASE_DATES } from './calendars.ts'
import { CALENDAR_MAX_BYTES } from './read-calendar.ts'

export type CalendarOptions = RemoteOptions & {
  /** Key of FRED's API, without which it gives no release dates. */
  readonly fredApiKey?: string
  /** E-mail address for the User-Agent, which the BLS demands of programs: https://www.bls.gov/bls/pss.htm */
  readonly contact?: string
}

/** Most dates in one answer of FRED; its own limit. The consumer prices have about a thousand since 1949. */
const FRED_ROWS = 10_000

/** Reason of the error of an installation without a key. */
export const KEY_MISSING = 'key_missing'

/** What the publisher is asked for, one after the other: a release, or undefined for the whole calendar. */
export const questionsOf = ({ format, releases }: PublisherCalendar): readonly (string | undefined)[] =>
  format === 'fred-json' ? releases.map(({ release }) => release) : [undefined]

/**
 * Yields the documents of a calendar: the local `files`, or what its publisher answers to `question`. Throws
 * `DocumentError`, also `key_missing`.
 */
export function fetchCalendar(
  name: string,
  calendar: PublisherCalendar,
  question: string | undefined,
  options: CalendarOptions,
  request: Omit<FetchRequest, 'datasets'>,
): AsyncIterable<Document> {
  const { publisher } = calendar
  return fetchDocuments(
    { name: RELEASE_DATES, publisher, licence: '', datasets: { [name]: publisher }, downloadable: [name] },
    { ...request, datasets: [name] },
    { answers: () => answerOf(calendar, question, options, request) },
  )
}

async function* answerOf(
  calendar: PublisherCalendar,
  question: string | undefined,
  { fredApiKey = '', contact = '', address, ...http }: CalendarOptions,
  request: Omit<FetchRequest, 'datasets'>,
): AsyncIterable<HttpAnswer> {
  const published = new URL(calendar.address)
  const url = new URL(published.pathname, address ?? published.origin)
  const reach = address === undefined ? hosts(published.host) : undefined
  const named = contact === '' ? {} : { userAgent: `${USER_AGENT} ${contact}` }
  const httpRequest = { maxBytes: CALENDAR_MAX_BYTES, ...named, ...http, reach }
  if (question === undefined) {
    const accept = calendar.format === 'icalendar' ? 'text/calendar' : 'application/json'
    yield* getUnlessKnown(url, { ...httpRequest, accept }, request)
    return
  }
  if (fredApiKey === '')
    throw new DocumentError(KEY_MISSING, 'FRED gives release dates only with a key: set ALMANAC_FRED_API_KEY.')
  url.search = new URLSearchParams({
    release_id: question,
    file_type: 'json',
    // Without it FRED leaves out the dates to come, because they have no data yet.
    include_release_dates_with_no_data: 'true',
    sort_order: 'asc',
    limit: String(FRED_ROWS),
    api_key: fredApiKey,
  }).toString()
  yield* getUnlessKnown(url, { ...httpRequest, accept: 'application/json', secrets: [fredApiKey] }, request)
}
