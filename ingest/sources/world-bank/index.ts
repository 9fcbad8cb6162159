import type { Source } from '../../source.ts'
import { fetchDocuments, type SourceIdentity } from '../shared/fetch-documents.ts'
import { fetchWorldBank, type WorldBankOptions } from './fetch.ts'
import { worldBankIndicators } from './indicators.ts'
import { parseWorldBank } from './parse.ts'

const identity: SourceIdentity = {
  name: 'WB',
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  datasets: Object.fromEntries(Object.entries(worldBankIndicators).map(([code, { title }]) => [code, title])),
}

/** The World Bank's World Development Indicators: annual figures of all countries. */
export const worldBank = (options: WorldBankOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: Object.keys(worldBankIndicators),
      answers: (dataset) => fetchWorldBank(dataset, options, request.signal),
    }),
  parse: parseWorldBank,
})
