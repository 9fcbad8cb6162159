import { USER_AGENT } from '../fetch/http.ts'
import { publishedFetch, type Question, type RemoteOptions, withQuery } from '../fetch/published-source.ts'
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
 * Yields the documents of a calendar: the local `files`, or what its publisher answers about `release`, or undefined for all of
 * it. Throws `DocumentError`, also `key_missing`.
 */
export function fetchCalendar(
  name: string,
  calendar: PublisherCalendar,
  release: string | undefined,
  { fredApiKey = '', contact = '', ...options }: CalendarOptions,
  request: Omit<FetchRequest, 'datasets'>,
): AsyncIterable<Document> {
  const { publisher, address } = calendar
  const named = contact === '' ? {} : { userAgent: `${USER_AGENT} ${contact}` }
  const fetch = publishedFetch(
    {
      name: RELEASE_DATES,
      publisher,
      licence: '',
      datasets: { [name]: publisher },
      downloadable: [name],
      hosts: [new URL(address).host],
      questions: () => [questionTo(calendar, release, fredApiKey)],
    },
    { maxBytes: CALENDAR_MAX_BYTES, ...named, ...options },
  )
  return fetch({ ...request, datasets: [name] })
}

function questionTo({ address, format }: PublisherCalendar, release: string | undefined, key: string): Question {
  if (release === undefined) return { address, accept: format === 'icalendar' ? 'text/calendar' : 'application/json' }
  if (key === '')
    throw new DocumentError(KEY_MISSING, 'FRED gives release dates only with a key: set ALMANAC_FRED_API_KEY.')
  const query = {
    release_id: release,
    file_type: 'json',
    // Without it FRED leaves out the dates to come, because they have no data yet.
    include_release_dates_with_no_data: 'true',
    sort_order: 'asc',
    limit: String(FRED_ROWS),
    api_key: key,
  }
  return { address: withQuery(address, query), accept: 'application/json', secrets: [key] }
}
