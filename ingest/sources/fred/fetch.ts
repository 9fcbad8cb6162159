import type { RemoteOptions } from '../shared/fetch-documents.ts'
import { get, type HttpAnswer } from '../shared/http.ts'
import { pagesFrom } from '../shared/pages.ts'
import { hosts } from '../shared/reach.ts'

export type FredOptions = RemoteOptions & {
  /** From https://fredaccount.stlouisfed.org/apikeys. Without one the CSV download is asked, which has no dates of release. */
  readonly apiKey?: string
  /**
   * All vintages of every figure, or (the default) today's only. All of them fill an empty journal with its history once;
   * after that, each day's differences are its revisions.
   */
  readonly vintages?: boolean
}

/** Observations an answer; FRED's own limit. */
const PAGE = 100_000

/** FRED's answers for one series: a page of observations each, or one CSV download. */
export async function* fetchFred(
  dataset: string,
  { apiKey = '', vintages = false, address, ...http }: FredOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  const reach = address === undefined ? { reach: hosts('fred.stlouisfed.org', 'api.stlouisfed.org') } : {}
  const request = { ...http, ...reach, ...(signal ? { signal } : {}) }
  if (apiKey === '') {
    const url = new URL('/graph/fredgraph.csv', address ?? 'https://fred.stlouisfed.org')
    url.search = new URLSearchParams({ id: dataset }).toString()
    yield await get(url, { ...request, accept: 'text/csv' })
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
