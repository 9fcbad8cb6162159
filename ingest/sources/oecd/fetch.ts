import { type RemoteOptions, supported } from '../shared/fetch-documents.ts'
import { get, type HttpAnswer } from '../shared/http.ts'
import { hosts } from '../shared/reach.ts'
import { LFS, QNA } from './datasets.ts'

export type OecdOptions = RemoteOptions

/**
 * Agency, dataflow, version and key of each dataset. A key holds the dimensions in the order of the data structure; an
 * empty one means all values. The API answers a wrong version with 404, and a key of the wrong length with 422.
 */
const flows: Readonly<Record<string, string>> = {
  [QNA]: `OECD.SDD.NAD,${QNA},1.1/Q.Y..S1.S1.B1GQ._Z._Z._Z.PC.L.G1+GY.T0102`,
  [LFS]: `OECD.SDD.TPS,${LFS},1.0/.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M`,
}

/** The datasets that the OECD still serves. */
export const served = Object.keys(flows)

/** Fetches one dataset as SDMX-CSV, all areas and periods. */
export async function* fetchOecd(
  dataset: string,
  { address, ...http }: OecdOptions,
  signal?: AbortSignal,
): AsyncIterable<HttpAnswer> {
  const path = `/public/rest/data/${supported(dataset, flows)}`
  const url = new URL(`${path}?dimensionAtObservation=AllDimensions&format=csvfile`, address ?? 'https://sdmx.oecd.org')
  const reach = address === undefined ? { reach: hosts('sdmx.oecd.org') } : {}
  yield await get(url, { ...http, ...reach, ...(signal ? { signal } : {}) })
}
