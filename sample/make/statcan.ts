import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { statCanMapping } from '../../ingest/mapping/publishers/statcan.ts'
import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type Origin, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** Statistics Canada: tables as its site shows and saves them, and two series as CSV `date,value`. */
const statcan = mappedSource(statCanMapping)

const tables = [
  ['36-10-0104-01', 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-current_prices.csv'],
  ['36-10-0104-01', 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-chained2017dollars.csv'],
  ['14-10-0287-01', 'ELatulippe+ConditionalForecast/data/1410028701-eng.csv'],
] as const

/** Total of all merchandise, balance of payments basis: vectors v87008897 and v87008781. */
const merchandise = {
  country: 'CAN',
  source: 'STATCAN',
  dataset: '12-10-0119-01',
  unit: 'CAD',
  multiplier: '1000000',
  seasonal_adjustment: 'seasonally_adjusted',
} as const
const trade: readonly (readonly [SeriesDescription, path: string])[] = [
  [
    { ...merchandise, indicator: 'trade-exports' },
    'jayzhaomurray+sibley-creek/data/raw/trade_exports_total.TRANSCRIBED-TAIL.csv',
  ],
  [
    { ...merchandise, indicator: 'trade-imports' },
    'jayzhaomurray+sibley-creek/data/raw/trade_imports_total.TRANSCRIBED-TAIL.csv',
  ],
]

export const statcanFiles = (recorded: Recorded): SampleFile[] => [
  ...tables
    .filter(([, path]) => recorded.has(path))
    .flatMap(([dataset, path]) =>
      filesByIndicator(
        originOfTable(recorded, dataset, path),
        figuresThrough(statcan, { bytes: recorded.bytes(path), dataset }),
      ),
    ),
  ...trade
    .filter(([, path]) => recorded.has(path))
    .map(([description, path]) => ({
      path: figuresPath(description),
      origin: originOfTable(recorded, description.dataset, path),
      figures: figuresOf(description, datedValues(recorded.text(path))),
    })),
]

const originOfTable = (recorded: Recorded, dataset: string, path: string): Origin => ({
  ...originOf(statcan, `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${dataset.replaceAll('-', '')}`),
  ...takenFrom(recorded, path),
})
