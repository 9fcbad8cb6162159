import type { Source } from '../../source.ts'
import { fetchDocuments, type SourceIdentity } from '../shared/fetch-documents.ts'
import { datasets } from './datasets.ts'
import { fetchOecd, type OecdOptions, served } from './fetch.ts'
import { parseOecd } from './parse.ts'

const identity: SourceIdentity = {
  name: 'OECD',
  publisher: 'Organisation for Economic Co-operation and Development',
  licence: 'CC BY 4.0 (OECD Terms and Conditions)',
  datasets,
}

/** The OECD: growth of real GDP and unemployment of its members and partners. */
export const oecd = (options: OecdOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: served,
      answers: (dataset) => fetchOecd(dataset, options, request.signal),
    }),
  parse: parseOecd,
})
