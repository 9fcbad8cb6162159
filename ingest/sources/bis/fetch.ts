import type { RemoteOptions } from '../../fetch/fetch-documents.ts'
import { getChanged, type HttpAnswer } from '../../fetch/http.ts'
import { hosts } from '../../fetch/reach.ts'
import type { FetchRequest } from '../../source.ts'

export type BisOptions = RemoteOptions

/** Fetches the BIS's bulk download of a dataset, a zip with one CSV. */
export async function* fetchBis(
  dataset: string,
  { address, ...http }: BisOptions,
  request: FetchRequest,
): AsyncIterable<HttpAnswer> {
  const url = new URL(`/static/bulk/${dataset}_csv_col.zip`, address ?? 'https://data.bis.org')
  const reach = address === undefined ? { reach: hosts('data.bis.org', 'www.bis.org') } : {}
  yield* getChanged(url, { ...http, ...reach }, request)
}
