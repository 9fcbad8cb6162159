import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { dosmMapping } from '../../ingest/mapping/publishers/dosm.ts'
import type { Recorded } from './recorded.ts'
import type { Origin, SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const dosm = mappedSource(dosmMapping)

/** Department of Statistics Malaysia: data sets of OpenDOSM. */
export const catalogue = (dataset: string): Origin =>
  originOf(dosm, `https://open.dosm.gov.my/data-catalogue/${dataset}`)

const documents = [
  ['lfs_month', 'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv'],
  ['trade_headline', 'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv'],
] as const

export const dosmFiles = (recorded: Recorded): SampleFile[] =>
  documents.flatMap(([dataset, path]) =>
    filesByIndicator(
      { ...catalogue(dataset), ...takenFrom(recorded, path) },
      figuresThrough(dosm, { bytes: recorded.bytes(path), dataset }),
    ),
  )
