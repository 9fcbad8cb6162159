import { comtrade } from '../../ingest/sources/comtrade/index.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/**
 * Singapore's merchandise trade with the world in 2017. The other reporters of this file have monthly figures here from
 * elsewhere, whose yearly totals a published year of another source would keep from being served; France and the
 * Netherlands are not in it.
 */
export function comtradeFiles(recorded: Recorded): SampleFile[] {
  const path = 'asheshwor+global/data/comtrade.csv'
  const bytes = tableOf(recorded.text(path), (row) => row.includes(',Singapore,SGP,'))
  return [
    {
      path: 'figures/trade-SGP-comtrade.csv',
      origin: { ...originOf(comtrade(), 'https://comtradeplus.un.org/'), ...takenFrom(recorded, path) },
      figures: figuresThrough(comtrade(), { bytes, dataset: 'C/A/HS' }),
    },
  ]
}
