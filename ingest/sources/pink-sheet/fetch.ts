import { DocumentError } from '../../source.ts'
import type { RemoteOptions } from '../shared/fetch-documents.ts'
import { get, type HttpAnswer } from '../shared/http.ts'

const WORKBOOK = 'CMO-Historical-Data-Monthly.xlsx'

/**
 * The World Bank's workbook. Its address changes every year, so it is looked up on the page that links to it.
 * Throws `DocumentError` `link_not_found`, or what `get` throws.
 */
export async function* fetchPinkSheet(
  { address = 'https://www.worldbank.org', ...http }: RemoteOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  const request = { ...http, ...(signal ? { signal } : {}) }
  const page = await get(new URL('/en/research/commodity-markets', address), { ...request, accept: 'text/html' })
  yield await get(workbookOn(new TextDecoder().decode(page.bytes), page.url), request)
}

function workbookOn(html: string, page: string): URL {
  const links = [...html.matchAll(/href\s*=\s*["']([^"']+)["']/gi)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
  const url = URL.parse(links.find((link) => link.includes(WORKBOOK)) ?? '', page)
  if (!url?.pathname.endsWith(WORKBOOK))
    throw new DocumentError('link_not_found', `${page} has no link to ${WORKBOOK}.`)
  return url
}
