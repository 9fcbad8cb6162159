import { csvRows, datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  monthOfDate,
  type Origin,
  type Print,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'

const table = (pid: string): Origin => ({
  publisher: 'Statistics Canada',
  licence: 'Statistics Canada Open Licence',
  url: `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${pid}`,
})
const canada = { country: 'CAN', source: 'STATCAN', seasonal_adjustment: 'seasonally_adjusted' } as const

/** Participation rate, both sexes, 15 years and over. */
const participation: SeriesDescription = {
  ...canada,
  indicator: 'labour-force-participation',
  dataset: '14-10-0287-01',
  unit: 'percent',
  lastUpdated: '2021-07-10',
}
/** Total of all merchandise, balance of payments basis, $ millions: vector v87008897. The copy isn't dated. */
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
  const file = (description: SeriesDescription, pid: string, prints: readonly Print[]): SampleFile => ({
    path: figuresPath(description),
    origin: table(pid),
    figures: figuresOf(description, prints),
  })
  const labour = recorded.text('PhilSmith26+LFStables/14-10-0287-01.canada.csv')
  const trade = (flow: string) =>
    datedValues(recorded.text(`jayzhaomurray+sibley-creek/data/raw/trade_${flow}_total.TRANSCRIBED-TAIL.csv`))
  return [
    file(participation, '1410028701', participationRates(labour)),
    file(exported, '1210011901', trade('exports')),
    file(imported, '1210011901', trade('imports')),
  ]
}

const participationRates = (text: string): Print[] =>
  csvRows(text, ['REF_DATE', 'LFC', 'VALUE'])
    .filter((row) => row.cell('LFC') === 'Participation rate')
    .map((row) => ({ period: monthOfDate(row.cell('REF_DATE')), printed: row.cell('VALUE') }))
