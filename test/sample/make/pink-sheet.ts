import { pinkSheet } from '../../../ingest/sources/pink-sheet/index.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { lastPricesThrough, originOf } from './through-reader.ts'

const ADDRESS = 'https://www.worldbank.org/en/research/commodity-markets'
const MONTHS = 24

/** The Pink Sheet's averages of the last months on record. */
export function pinkSheetFiles(recorded: Recorded): SampleFile[] {
  const path = 'rejaneol+iron_ore_price_forecasting/data/CMO-Historical-Data-Monthly.xlsx'
  const bytes = recorded.bytes(path)
  return [
    {
      path: 'prices/commodities-world-bank.csv',
      origin: { ...originOf(pinkSheet(), ADDRESS), source: pinkSheet().name, ...takenFrom(recorded, path) },
      prices: lastPricesThrough(pinkSheet(), { bytes, dataset: 'pink-sheet' }, MONTHS),
    },
  ]
}
