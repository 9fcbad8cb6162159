import { get, getUnlessKnown, type HttpAnswer } from '../../fetch/http.ts'
import { fetchDocuments, type RemoteOptions, type SourceIdentity } from '../../fetch/published-source.ts'
import { hostOf, hosts } from '../../fetch/reach.ts'
import { DocumentError, type FetchRequest, type Source } from '../../source.ts'
import { parsePinkSheet } from './parse.ts'

const DATASET = 'pink-sheet'

const identity: SourceIdentity = {
  name: 'WB',
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  datasets: { [DATASET]: 'Commodity Price Data (The Pink Sheet): monthly averages since 1960' },
  downloadable: [DATASET],
}

/** The World Bank's Pink Sheet: commodity prices. */
export const pinkSheet = (options: RemoteOptions = {}): Source => ({
  ...identity,
  fetch: (request) => fetchDocuments(identity, request, { answers: () => fetchPinkSheet(options, request) }),
  parse: parsePinkSheet,
})

const WORKBOOK = 'CMO-Historical-Data-Monthly.xlsx'
/** Largest page that is searched for the link; small, because the service's own process searches it. */
const PAGE_BYTES = 4 * 1024 * 1024

/**
 * Fetches the World Bank's workbook. Its address changes every year, so it is looked up on the page that links to it.
 * Throws `DocumentError` `link_not_found`, or what `get` throws.
 */
async function* fetchPinkSheet({ address, ...http }: RemoteOptions, request: FetchRequest): AsyncIterable<HttpAnswer> {
  const home = new URL('/en/research/commodity-markets', address ?? 'https://www.worldbank.org')
  // The page names the workbook's address, so a changed page could name any host.
  const reach = address === undefined ? hosts('www.worldbank.org', 'thedocs.worldbank.org') : hostOf(home)
  const httpRequest = { ...http, reach, ...(request.signal ? { signal: request.signal } : {}) }
  const page = await get(home, { ...httpRequest, accept: 'text/html', maxBytes: PAGE_BYTES })
  yield* getUnlessKnown(workbookOn(new TextDecoder().decode(page.bytes), page.url), httpRequest, request)
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
