import { fetchDocuments, type RemoteOptions, type SourceIdentity } from '../../fetch/fetch-documents.ts'
import type { Source } from '../../source.ts'
import { fetchEcb } from './fetch.ts'
import { parseEcb } from './parse.ts'

const identity: SourceIdentity = {
  name: 'ECB',
  publisher: 'European Central Bank',
  licence: 'Free reuse with the source stated (https://www.ecb.europa.eu/services/using-our-site/disclaimer)',
  datasets: {
    'eurofxref-daily': 'Euro reference rates of the newest day (asked for if no dataset is named)',
    'eurofxref-hist-90d': 'Euro reference rates of the last 90 days',
    'eurofxref-hist': 'Euro reference rates since 1999',
    EXR: 'Euro reference rates since 1999, from the data API',
  },
}

/** The European Central Bank: euro foreign exchange reference rates. */
export const ecb = (options: RemoteOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    // The larger datasets contain the smaller ones, so without a choice only the smallest is fetched.
    fetchDocuments(
      identity,
      request.files || request.datasets ? request : { ...request, datasets: ['eurofxref-daily'] },
      {
        datasets: Object.keys(identity.datasets),
        answers: (dataset) => fetchEcb(dataset, options, request),
      },
    ),
  parse: parseEcb,
})
