import { fetchDocuments, type RemoteOptions, type SourceIdentity } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { fetchPinkSheet } from './fetch.ts'
import { parsePinkSheet } from './parse.ts'

const DATASET = 'pink-sheet'

const identity: SourceIdentity = {
  name: 'WB',
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  datasets: { [DATASET]: 'Commodity Price Data (The Pink Sheet): monthly averages since 1960' },
  downloadable: [DATASET],
}

/** The World Bank's Pink Sheet: commodity prices. */
export const pinkSheet = (options: RemoteOptions = {}): Source => ({
  ...identity,
  fetch: (request) => fetchDocuments(identity, request, { answers: () => fetchPinkSheet(options, request) }),
  parse: parsePinkSheet,
})
