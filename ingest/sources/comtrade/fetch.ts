import { exportsCountries } from '../../../contracts/indicators.ts'
import type { Frequency } from '../../../contracts/records.ts'
import { shiftPeriod } from '../../../domain/period.ts'
import type { RemoteOptions } from '../../fetch/fetch-documents.ts'
import { getChanged, type HttpAnswer } from '../../fetch/http.ts'
import { hosts } from '../../fetch/reach.ts'
import type { FetchRequest } from '../../source.ts'
import { datasetOf } from './parse.ts'
import { reporterCode } from './reporters.ts'

export type ComtradeOptions = RemoteOptions & {
  /** Key from https://comtradedeveloper.un.org. Without one, the public preview is asked, one period per call. */
  readonly apiKey?: string
  /** ISO alpha-3 codes; by default the countries whose exports are served. */
  readonly reporters?: readonly string[]
  /** Number of months to ask for. Reporters are months late, and they revise. */
  readonly months?: number
  readonly years?: number
}

/** Periods in one call with a key: the API's limit. */
const PERIODS = 12

/** Fetches Comtrade's world totals of both flows, one answer per call. */
export async function* fetchComtrade(
  dataset: string,
  { apiKey = '', reporters = exportsCountries, months = 24, years = 10, address, ...http }: ComtradeOptions,
  request: FetchRequest,
): AsyncIterable<HttpAnswer> {
  const frequency = dataset === datasetOf('A') ? 'A' : 'M'
  const periods = periodsBefore(frequency, request.now(), frequency === 'A' ? years : months)
  const size = apiKey === '' ? 1 : PERIODS
  for (let at = 0; at < periods.length; at += size) {
    const path = apiKey === '' ? '/public/v1/preview' : '/data/v1/get'
    const url = new URL(`${path}/${dataset}`, address ?? 'https://comtradeapi.un.org')
    url.search = new URLSearchParams({
      reporterCode: reporters.map(reporterCode).join(),
      period: periods.slice(at, at + size).join(),
      partnerCode: '0',
      partner2Code: '0',
      cmdCode: 'TOTAL',
      flowCode: 'M,X',
      customsCode: 'C00',
      motCode: '0',
      includeDesc: 'true',
    }).toString()
    const options = {
      ...http,
      accept: 'application/json',
      ...(address === undefined ? { reach: hosts('comtradeapi.un.org') } : {}),
      ...(apiKey === '' ? {} : { headers: { 'Ocp-Apim-Subscription-Key': apiKey }, secrets: [apiKey] }),
    }
    yield* getChanged(url, options, request)
  }
}

/** Returns the `count` periods before the current one, oldest first, in Comtrade's form: `2025` or `202501`. */
function periodsBefore(frequency: Frequency, now: Date, count: number): string[] {
  const current = now.toISOString().slice(0, frequency === 'A' ? 4 : 7)
  return Array.from({ length: count }, (_, i) => shiftPeriod(current, i - count).replace('-', ''))
}
