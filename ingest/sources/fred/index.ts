import { fetchDocuments, type SourceIdentity } from '../../fetch/fetch-documents.ts'
import type { Source } from '../../source.ts'
import { type FredOptions, fetchFred } from './fetch.ts'
import { parseFred } from './parse.ts'
import { fredSeries } from './series.ts'

const identity: SourceIdentity = {
  name: 'FRED',
  publisher: 'Federal Reserve Bank of St. Louis',
  licence: 'FRED Terms of Use; rights of the series’ own publishers apply',
  datasets: Object.fromEntries(Object.entries(fredSeries).map(([id, { title }]) => [id, title])),
}

/** FRED and ALFRED: US figures with every vintage, and figures of other publishers that FRED carries. */
export const fred = (options: FredOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: Object.keys(fredSeries),
      ignoresFileNames: true,
      answers: (dataset) => fetchFred(dataset, options, request),
    }),
  parse: parseFred,
})
