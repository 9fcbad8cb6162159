import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type Print, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { dateBehind, rowOfPeriods } from './wide-table.ts'

/** Statistics Canada: tables as its site shows and saves them, and two of their series as CSV `date,value`. */
const canada = { country: 'CAN', source: 'STATCAN', seasonal_adjustment: 'seasonally_adjusted' } as const
const dollars = { unit: 'CAD', multiplier: '1000000' }

type Table = { readonly path: string; readonly read: (text: string) => Print[] }

/** A row of a table, dated by the table's own date of release. */
const row = (path: string, label: string): Table => ({
  path,
  read: (text) => {
    const on = dateBehind(text, 'Release date')
    return rowOfPeriods(text, label).map((print) => ({ ...print, released: { on, basis: 'dataset' } }))
  },
})
const dated = (path: string): Table => ({ path, read: (text) => datedValues(text) })

const product = (prices: string) =>
  row(`lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-${prices}.csv`, 'Gross domestic product at market prices')
/** 15 years and over, all genders. */
const labourForce = (label: string) => row('ELatulippe+ConditionalForecast/data/1410028701-eng.csv', label)
const trade = (flow: string) => dated(`jayzhaomurray+sibley-creek/data/raw/trade_${flow}_total.TRANSCRIBED-TAIL.csv`)

const accounts = { ...canada, ...dollars, dataset: '36-10-0104-01', annualization: 'annualized' } as const
const labour = { ...canada, dataset: '14-10-0287-01', unit: 'percent' }
/** Total of all merchandise, balance of payments basis: vectors v87008897 and v87008781. */
const merchandise = { ...canada, ...dollars, dataset: '12-10-0119-01' }

const series: readonly (readonly [Table, SeriesDescription])[] = [
  [product('current_prices'), { ...accounts, indicator: 'gdp' }],
  [product('chained2017dollars'), { ...accounts, indicator: 'gdp-volume' }],
  [labourForce('Unemployment rate'), { ...labour, indicator: 'unemployment' }],
  [labourForce('Participation rate'), { ...labour, indicator: 'labour-force-participation' }],
  [trade('exports'), { ...merchandise, indicator: 'trade-exports' }],
  [trade('imports'), { ...merchandise, indicator: 'trade-imports' }],
]

export const statcanFiles = (recorded: Recorded): SampleFile[] =>
  series
    .filter(([{ path }]) => recorded.has(path))
    .map(([{ path, read }, description]) => ({
      path: figuresPath(description),
      origin: {
        publisher: 'Statistics Canada',
        licence: 'Statistics Canada Open Licence',
        url: `https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${description.dataset.replaceAll('-', '')}`,
        ...takenFrom(recorded, path),
      },
      figures: figuresOf(description, read(recorded.text(path))),
    }))
