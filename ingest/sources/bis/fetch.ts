import type { RemoteOptions } from '../shared/fetch-documents.ts'
import { get, type HttpAnswer } from '../shared/http.ts'

export type BisOptions = RemoteOptions

/** The BIS's bulk download of a dataset, a zip with one CSV. */
export async function* fetchBis(
  dataset: string,
  { address = 'https://data.bis.org', ...http }: BisOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  yield await get(new URL(`/static/bulk/${dataset}_csv_col.zip`, address), { ...http, ...(signal ? { signal } : {}) })
}
