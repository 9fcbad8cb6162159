import { censusMapping } from '../../../ingest/map/publishers/census.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { newsIn } from './news.ts'
import type { Recorded } from './recorded.ts'
import { figuresPath, type SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/**
 * U.S. International Trade in Goods and Services (FT-900) as two workbooks: the time series of all months, and exhibit 1
 * with the months of the newest years. They are two vintages, oldest first.
 */
const workbooks = [
  {
    path: 'EIG-Research+trade-policy-targets-tracker/data/BEA/trad-time-series-0325.xlsx',
    url: 'https://www.bea.gov/data/intl-trade-investment/international-trade-goods-and-services',
  },
  {
    path: 'ericayork+trade_data/exh1.xlsx',
    url: 'https://www.census.gov/foreign-trade/Press-Release/current_press_release/index.html',
  },
] as const

export function censusFiles(recorded: Recorded): SampleFile[] {
  const census = mappedSource(censusMapping)
  const known = new Map<string, Map<string, string>>()
  return workbooks
    .filter(({ path }) => recorded.has(path))
    .flatMap(({ path, url }) => {
      const taken = takenFrom(recorded, path)
      const figures = figuresThrough(census, { bytes: recorded.bytes(path), dataset: 'FTD' })
      const day = figures[0]?.released?.on ?? taken.copy?.held_on
      return [...Map.groupBy(figures, ({ series }) => figuresPath(series))].map(([file, of]) => {
        const before = known.get(file) ?? new Map<string, string>()
        known.set(file, before)
        return {
          path: file.replace('.csv', `-${day}.csv`),
          origin: { ...originOf(census, url), ...taken },
          figures: newsIn(of, before),
        }
      })
    })
}
