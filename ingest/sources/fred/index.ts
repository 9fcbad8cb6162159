import { publishedSource, type RemoteOptions, withQuery } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { fredSeries, parseFred } from './parse.ts'

type FredOptions = RemoteOptions & {
  /** Key from https://fredaccount.stlouisfed.org/apikeys. Without one, the CSV download is used: no release dates. */
  readonly apiKey?: string
  /**
   * Fetches all vintages of every figure; by default only today's. Needs a key. Once is enough, because afterwards each
   * difference of today's vintage is a revision. FRED refuses such a request for a series that changed on more than 2,000
   * days (mortada/fredapi#48), as daily ones do. The series here have months and quarters.
   */
  readonly vintages?: boolean
}

/** Observations per answer; FRED's own limit. */
const PAGE = 100_000

/** FRED and ALFRED: US figures with every vintage, and figures of other publishers that FRED carries. */
export function fred({ apiKey = '', vintages = false, ...options }: FredOptions = {}): Source {
  const download = (dataset: string) => ({
    address: withQuery('https://fred.stlouisfed.org/graph/fredgraph.csv', { id: dataset }),
    accept: 'text/csv',
  })
  const observations = (dataset: string) => ({
    page: (page: number) => ({
      address: withQuery('https://api.stlouisfed.org/fred/series/observations', {
        series_id: dataset,
        file_type: 'json',
        limit: String(PAGE),
        offset: String((page - 1) * PAGE),
        ...(vintages ? { realtime_start: '1776-07-04', realtime_end: '9999-12-31' } : {}),
        api_key: apiKey,
      }),
      accept: 'application/json',
      secrets: [apiKey],
    }),
    member: 'count',
    pagesOf: (count: number) => Math.ceil(count / PAGE),
  })
  return publishedSource(
    {
      name: 'FRED',
      publisher: 'Federal Reserve Bank of St. Louis',
      licence: 'FRED Terms of Use; rights of the series’ own publishers apply',
      datasets: Object.fromEntries(Object.entries(fredSeries).map(([id, { title }]) => [id, title])),
      hosts: ['fred.stlouisfed.org', 'api.stlouisfed.org'],
      downloadable: Object.keys(fredSeries),
      questions: (dataset) => [apiKey === '' ? download(dataset) : observations(dataset)],
      ignoresFileNames: true,
      parse: parseFred,
    },
    options,
  )
}
