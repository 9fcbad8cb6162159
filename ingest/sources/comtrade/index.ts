import { exportsCountries } from '../../../contracts/indicators.ts'
import { shiftPeriod } from '../../../domain/period.ts'
import { publishedSource, type Question, type RemoteOptions, withQuery } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { datasetOf, parseComtrade } from './parse.ts'
import { reporterCode } from './reporters.ts'

const datasets = {
  [datasetOf('M')]: 'Merchandise exports and imports, monthly',
  [datasetOf('A')]: 'Merchandise exports and imports, annual',
}

type ComtradeOptions = RemoteOptions & {
  /** Key from https://comtradedeveloper.un.org. Without one, the public preview is asked, one period per call. */
  readonly apiKey?: string
}

/** UN Comtrade: merchandise trade with the world, as its reporters declare it, in US dollars. */
export const comtrade = ({ apiKey = '', ...options }: ComtradeOptions = {}): Source =>
  publishedSource(
    {
      name: 'UNSD',
      publisher: 'United Nations Statistics Division',
      licence: 'UN Comtrade Terms of Use',
      datasets,
      hosts: ['comtradeapi.un.org'],
      downloadable: Object.keys(datasets),
      questions: (dataset, { now }) => comtradeQuestions(dataset, apiKey, now()),
      parse: parseComtrade,
    },
    options,
  )

/** Periods in one call with a key: the API's limit. */
const PERIODS = 12

/** Numbers of periods before the current one to ask for. Reporters are months late, and they revise. */
const MONTHS = 24
const YEARS = 10

/** Yields the questions for Comtrade's world totals of both flows, one a call, oldest first. */
function* comtradeQuestions(dataset: string, apiKey: string, now: Date): Generator<Question> {
  const isAnnual = dataset === datasetOf('A')
  const count = isAnnual ? YEARS : MONTHS
  const current = now.toISOString().slice(0, isAnnual ? 4 : 7)
  // In Comtrade's form: `2025` or `202501`.
  const periods = Array.from({ length: count }, (_, i) => shiftPeriod(current, i - count).replace('-', ''))
  const size = apiKey === '' ? 1 : PERIODS
  const path = apiKey === '' ? '/public/v1/preview' : '/data/v1/get'
  for (let at = 0; at < periods.length; at += size)
    yield {
      address: withQuery(`https://comtradeapi.un.org${path}/${dataset}`, {
        reporterCode: exportsCountries.map(reporterCode).join(),
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
