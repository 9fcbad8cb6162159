import { fetchDocuments, type SourceIdentity } from '../../fetch/fetch-documents.ts'
import type { Source } from '../../source.ts'
import { type ComtradeOptions, fetchComtrade } from './fetch.ts'
import { datasetOf, parseComtrade } from './parse.ts'

const datasets = {
  [datasetOf('M')]: 'Merchandise exports and imports, monthly',
  [datasetOf('A')]: 'Merchandise exports and imports, annual',
}
const identity: SourceIdentity = {
  name: 'UNSD',
  publisher: 'United Nations Statistics Division',
  licence: 'UN Comtrade Terms of Use',
  datasets,
}

/** UN Comtrade: merchandise trade with the world, as its reporters declare it, in US dollars. */
export const comtrade = (options: ComtradeOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: Object.keys(datasets),
      answers: (dataset) => fetchComtrade(dataset, options, request),
    }),
  parse: parseComtrade,
})
