import { textOf } from '../shared/document.ts'
import type { RemoteOptions } from '../shared/fetch-documents.ts'
import { get, type HttpAnswer } from '../shared/http.ts'
import { isArray, isObject, parseJson, printed } from '../shared/json.ts'

export type WorldBankOptions = RemoteOptions

/** Rows a page; all years of all countries fit into one. */
const PAGE = 20_000

/** The World Bank's pages of one indicator, all countries and years. */
export async function* fetchWorldBank(
  dataset: string,
  { address = 'https://api.worldbank.org', ...http }: WorldBankOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  const request = { ...http, accept: 'application/json', ...(signal ? { signal } : {}) }
  for (let page = 1, pages = 1; page <= pages; page++) {
    const url = new URL(`/v2/country/all/indicator/${dataset}`, address)
    url.search = new URLSearchParams({ format: 'json', per_page: String(PAGE), page: String(page) }).toString()
    const answer = await get(url, request)
    yield answer
    const root = parseJson(textOf(answer))
    const meta = isArray(root) ? root[0] : undefined
    pages = isObject(meta) ? Number(printed(meta.pages) ?? 0) : 0
  }
}
