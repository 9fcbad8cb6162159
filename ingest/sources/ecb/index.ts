import { publishedSource, type RemoteOptions } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { REFERENCE_RATES } from './data-api.ts'
import { parseEcb } from './parse.ts'

const files = 'https://www.ecb.europa.eu/stats/eurofxref'
/** Address of each dataset. The data API is asked for data only, because its full answer has some 70 MB. */
const addresses: Readonly<Record<string, string>> = {
  'eurofxref-daily': `${files}/eurofxref-daily.xml`,
  'eurofxref-hist-90d': `${files}/eurofxref-hist-90d.xml`,
  'eurofxref-hist': `${files}/eurofxref-hist.zip`,
  EXR: `https://data-api.ecb.europa.eu/service/data/${REFERENCE_RATES}?format=csvdata&detail=dataonly`,
}

/** The European Central Bank: euro foreign exchange reference rates. */
export function ecb(options: RemoteOptions = {}): Source {
  const source = publishedSource(
    {
      name: 'ECB',
      publisher: 'European Central Bank',
      licence: 'Free reuse with the source stated (https://www.ecb.europa.eu/services/using-our-site/disclaimer)',
      datasets: {
        'eurofxref-daily': 'Euro reference rates of the newest day (asked for if no dataset is named)',
        'eurofxref-hist-90d': 'Euro reference rates of the last 90 days',
        'eurofxref-hist': 'Euro reference rates since 1999',
        EXR: 'Euro reference rates since 1999, from the data API',
      },
      hosts: ['www.ecb.europa.eu', 'data-api.ecb.europa.eu'],
      downloadable: Object.keys(addresses),
      questions: (dataset) => [{ address: addresses[dataset] ?? '' }],
      parse: parseEcb,
    },
    options,
  )
  return {
    ...source,
    // The larger datasets contain the smaller ones, so without a choice only the smallest is fetched.
    fetch: (request) =>
      source.fetch(request.files || request.datasets ? request : { ...request, datasets: ['eurofxref-daily'] }),
  }
}
