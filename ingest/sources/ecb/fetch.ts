import type { RemoteOptions } from '../../fetch/fetch-documents.ts'
import { getChanged, type HttpAnswer } from '../../fetch/http.ts'
import { hosts } from '../../fetch/reach.ts'
import type { FetchRequest } from '../../source.ts'
import { REFERENCE_RATES } from './data-api.ts'

/** Address of each dataset. The data API is asked for data only, because its full answer has some 70 MB. */
const addresses: Readonly<Record<string, string>> = {
  'eurofxref-daily': 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  'eurofxref-hist-90d': 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml',
  'eurofxref-hist': 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  EXR: `https://data-api.ecb.europa.eu/service/data/${REFERENCE_RATES}?format=csvdata&detail=dataonly`,
}

/** Fetches a dataset of `addresses`. */
export async function* fetchEcb(
  dataset: string,
  { address, ...http }: RemoteOptions,
  request: FetchRequest,
): AsyncIterable<HttpAnswer> {
  const { href, pathname, search } = new URL(addresses[dataset] ?? '')
  const url = address === undefined ? new URL(href) : new URL(pathname + search, address)
  const reach = address === undefined ? { reach: hosts('www.ecb.europa.eu', 'data-api.ecb.europa.eu') } : {}
  yield* getChanged(url, { ...http, ...reach }, request)
}
