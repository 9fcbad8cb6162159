import { publishedSource, type RemoteOptions } from '../../fetch/published-source.ts'
import type { Source } from '../../source.ts'
import { DATASET, parseBis } from './parse.ts'

/** The Bank for International Settlements: long series of consumer prices. */
export const bis = (options: RemoteOptions = {}): Source =>
  publishedSource(
    {
      name: 'BIS',
      publisher: 'Bank for International Settlements',
      licence: 'BIS Terms and Conditions of Use: free with the source cited',
      datasets: { [DATASET]: 'Consumer price indices, monthly, about 60 countries' },
      hosts: ['data.bis.org', 'www.bis.org'],
      downloadable: [DATASET],
      // The bulk download, a zip with one CSV.
      questions: (dataset) => [{ address: `https://data.bis.org/static/bulk/${dataset}_csv_col.zip` }],
      modifiedIsUpdate: true,
      parse: parseBis,
    },
    options,
  )
