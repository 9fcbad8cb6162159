import { exportsCountries } from '../../../contracts/indicators.ts'
import type { Frequency } from '../../../contracts/records.ts'
import { shiftPeriod } from '../../../domain/period.ts'
import { type Question, withQuery } from '../../fetch/published-source.ts'
import type { FetchRequest } from '../../source.ts'
import { datasetOf } from './parse.ts'
import { reporterCode } from './reporters.ts'

export type ComtradeOptions = {
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

/** Yields the questions for Comtrade's world totals of both flows, one a call. */
export function* comtradeQuestions(
  dataset: string,
  { apiKey = '', reporters = exportsCountries, months = 24, years = 10 }: ComtradeOptions,
  { now }: Pick<FetchRequest, 'now'>,
): Generator<Question> {
  const frequency = dataset === datasetOf('A') ? 'A' : 'M'
  const periods = periodsBefore(frequency, now(), frequency === 'A' ? years : months)
  const size = apiKey === '' ? 1 : PERIODS
  const path = apiKey === '' ? '/public/v1/preview' : '/data/v1/get'
  for (let at = 0; at < periods.length; at += size)
    yield {
      address: withQuery(`https://comtradeapi.un.org${path}/${dataset}`, {
        reporterCode: reporters.map(reporterCode).join(),
        period: periods.slice(at, at + size).join(),
        partnerCode: '0',
        partner2Code: '0',
        cmdCode: 'TOTAL',
        flowCode: 'M,X',
        customsCode: 'C00',
        motCode: '0',
        includeDesc: 'true',
      }),
      accept: 'application/json',
      ...(apiKey === '' ? {} : { headers: { 'Ocp-Apim-Subscription-Key': apiKey }, secrets: [apiKey] }),
    }
}

/** Returns the `count` periods before the current one, oldest first, in Comtrade's form: `2025` or `202501`. */
function periodsBefore(frequency: Frequency, now: Date, count: number): string[] {
  const current = now.toISOString().slice(0, frequency === 'A' ? 4 : 7)
  return Array.from({ length: count }, (_, i) => shiftPeriod(current, i - count).replace('-', ''))
}
