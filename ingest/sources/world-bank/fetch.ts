import type { RemoteOptions } from '../../fetch/fetch-documents.ts'
import { get, type HttpAnswer } from '../../fetch/http.ts'
import { pagesFrom } from '../../fetch/pages.ts'
import { hosts } from '../../fetch/reach.ts'

export type WorldBankOptions = RemoteOptions

/** Rows per page; all years of all countries fit into one. */
const PAGE = 20_000

/** Fetches the pages of one indicator, all countries and years. */
export async function* fetchWorldBank(
  dataset: string,
  { address, ...http }: WorldBankOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  const reach = address === undefined ? { reach: hosts('api.worldbank.org') } : {}
  const request = { ...http, ...reach, accept: 'application/json', ...(signal ? { signal } : {}) }
  const ask = (page: number) => {
    const url = new URL(`/v2/country/all/indicator/${dataset}`, address ?? 'https://api.worldbank.org')
    url.search = new URLSearchParams({ format: 'json', per_page: String(PAGE), page: String(page) }).toString()
    return get(url, request)
  }
  yield* pagesFrom(ask, 'pages', (pages) => pages)
}
