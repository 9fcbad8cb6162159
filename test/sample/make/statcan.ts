import { statCanMapping } from '../../../ingest/map/publishers/statcan.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import type { Origin, SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** Statistics Canada: tables as its site shows and saves them. */
const statcan = mappedSource(statCanMapping)

const tables = [
  ['36-10-0104-01', 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-current_prices.csv'],
  ['36-10-0104-01', 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-chained2017dollars.csv'],
  ['14-10-0287-01', 'ELatulippe+ConditionalForecast/data/1410028701-eng.csv'],
] as const

export const statcanFiles = (recorded: Recorded): SampleFile[] =>
  tables
    .filter(([, path]) => recorded.has(path))
    .flatMap(([dataset, path]) =>
      filesByIndicator(
        originOfTable(recorded, dataset, path),
        figuresThrough(statcan, { bytes: recorded.bytes(path), dataset }),
      ),
    )

const originOfTable = (recorded: Recorded, dataset: string, path: string): Origin => ({
  ...originOf(statcan, `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${dataset.replaceAll('-', '')}`),
  ...takenFrom(recorded, path),
})
