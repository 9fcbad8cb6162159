import { fetchDocuments, type SourceIdentity } from '../../fetch/fetch-documents.ts'
import type { Source } from '../../source.ts'
import { type BisOptions, fetchBis } from './fetch.ts'
import { DATASET, parseBis } from './parse.ts'

const identity: SourceIdentity = {
  name: 'BIS',
  publisher: 'Bank for International Settlements',
  licence: 'BIS Terms and Conditions of Use: free with the source cited',
  datasets: { [DATASET]: 'Consumer price indices, monthly, about 60 countries' },
}

/** The Bank for International Settlements: long series of consumer prices. */
export const bis = (options: BisOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: [DATASET],
      answers: (dataset) => fetchBis(dataset, options, request),
      modifiedIsUpdate: true,
    }),
  parse: parseBis,
})
