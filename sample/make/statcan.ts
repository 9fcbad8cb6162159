import { csvRows, datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  monthOfDate,
  type Origin,
  type Print,
  quarterOf,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

const table = (pid: string): Origin => ({
  publisher: 'Statistics Canada',
  licence: 'Statistics Canada Open Licence',
  url: `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${pid}`,
})
const canada = { country: 'CAN', source: 'STATCAN', seasonal_adjustment: 'seasonally_adjusted' } as const

/** Gross domestic product at market prices, current prices, $ millions, seasonally adjusted at annual rates. */
const gdp: SeriesDescription = {
  ...canada,
  indicator: 'gdp',
  dataset: '36-10-0104-01',
  unit: 'CAD',
  annualization: 'annualized',
  multiplier: '1000000',
}
/** Participation rate, both sexes, 15 years and over. */
const participation: SeriesDescription = {
  ...canada,
  indicator: 'labour-force-participation',
  dataset: '14-10-0287-01',
  unit: 'percent',
}
/** Total of all merchandise, balance of payments basis, $ millions: vector v87008897. */
const exported: SeriesDescription = {
  ...canada,
  indicator: 'trade-exports',
  dataset: '12-10-0119-01',
  unit: 'CAD',
  multiplier: '1000000',
}
/** Likewise: vector v87008781. */
const imported: SeriesDescription = { ...exported, indicator: 'trade-imports' }

export function statcanFiles(recorded: Recorded): SampleFile[] {
  const file = (
    description: SeriesDescription,
    pid: string,
    path: string,
    read: (text: string) => readonly Print[],
  ): SampleFile => ({
    path: figuresPath(description),
    origin: { ...table(pid), ...takenFrom(recorded, path) },
    figures: figuresOf(description, read(recorded.text(path))),
  })
  const trade = (flow: string) => `jayzhaomurray+sibley-creek/data/raw/trade_${flow}_total.TRANSCRIBED-TAIL.csv`
  return [
    file(gdp, '3610010401', 'PhilSmith26+NatAcctsBrowser/36-10-0104-01.gdp.csv', (text) =>
      datedValues(text, quarterOf),
    ),
    file(participation, '1410028701', 'PhilSmith26+LFStables/14-10-0287-01.canada.csv', participationRates),
    file(exported, '1210011901', trade('exports'), datedValues),
    file(imported, '1210011901', trade('imports'), datedValues),
  ]
}

const participationRates = (text: string): Print[] =>
  csvRows(text, ['REF_DATE', 'LFC', 'VALUE'])
    .filter((row) => row.cell('LFC') === 'Participation rate')
    .map((row) => ({ period: monthOfDate(row.cell('REF_DATE')), printed: row.cell('VALUE') }))
