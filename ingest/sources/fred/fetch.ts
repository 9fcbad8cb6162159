import type { RemoteOptions } from '../../fetch/fetch-documents.ts'
import { get, getChanged, type HttpAnswer } from '../../fetch/http.ts'
import { pagesFrom } from '../../fetch/pages.ts'
import { hosts } from '../../fetch/reach.ts'
import type { FetchRequest } from '../../source.ts'

export type FredOptions = RemoteOptions & {
  /** Key from https://fredaccount.stlouisfed.org/apikeys. Without one, the CSV download is used: no release dates. */
  readonly apiKey?: string
  /**
   * Fetches all vintages of every figure; by default only today's. Set it once to fill an empty journal with its
   * history. Afterwards today's vintage is enough, because each difference is a revision.
   */
  readonly vintages?: boolean
}

/** Observations per answer; FRED's own limit. */
const PAGE = 100_000

/** Fetches one series: pages of observations, or one CSV download. */
export async function* fetchFred(
  dataset: string,
  { apiKey = '', vintages = false, address, ...http }: FredOptions,
  asked: FetchRequest,
): AsyncIterable<HttpAnswer> {
  const reach = address === undefined ? { reach: hosts('fred.stlouisfed.org', 'api.stlouisfed.org') } : {}
  const request = { ...http, ...reach, ...(asked.signal ? { signal: asked.signal } : {}) }
  if (apiKey === '') {
    const url = new URL('/graph/fredgraph.csv', address ?? 'https://fred.stlouisfed.org')
    url.search = new URLSearchParams({ id: dataset }).toString()
    yield* getChanged(url, { ...request, accept: 'text/csv' }, asked)
    return
  }
  const ask = async (page: number) => {
    const url = new URL('/fred/series/observations', address ?? 'https://api.stlouisfed.org')
    url.search = new URLSearchParams({
      series_id: dataset,
      file_type: 'json',
      limit: String(PAGE),
      offset: String((page - 1) * PAGE),
      ...(vintages ? { realtime_start: '1776-07-04', realtime_end: '9999-12-31' } : {}),
      api_key: apiKey,
    }).toString()
    return get(url, { ...request, accept: 'application/json', secrets: [apiKey] })
  }
  yield* pagesFrom(ask, 'count', (count) => Math.ceil(count / PAGE))
}
