import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, type Origin, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/**
 * The World Bank's World Development Indicators, as Gapminder's public copy has them: a table an indicator, with a row a
 * country (`fra`) and year.
 */
const COPY = 'open-numbers+ddf--open_numbers--world_development_indicators/datapoints'

type Indicator = Pick<SeriesDescription, 'indicator' | 'dataset' | 'unit' | 'decimals'>

/** Share of the population of 15 and over, from the country's labour force surveys: no modelled estimate. */
const participation: Indicator = {
  indicator: 'labour-force-participation',
  dataset: 'SL.TLF.CACT.NE.ZS',
  unit: 'percent',
}
/** Merchandise, US dollars, of the World Trade Organization. */
const exported: Indicator = { indicator: 'trade-exports', dataset: 'TX.VAL.MRCH.CD.WT', unit: 'USD', decimals: 0 }
const imported: Indicator = { ...exported, indicator: 'trade-imports', dataset: 'TM.VAL.MRCH.CD.WT' }

/**
 * Singapore's participation of 2000 and before is on another base by turns (64.1 in 1999, 49.31 in 2000, 64.4 in 2001),
 * which the table doesn't mark.
 */
const firstYears: Readonly<Record<string, string>> = { 'SGP labour-force-participation': '2001' }

export const worldBankFiles = (recorded: Recorded): SampleFile[] => [
  ...indicatorFile(recorded, participation, ['DEU', 'FRA', 'GBR', 'JPN', 'NLD', 'SGP']),
  ...indicatorFile(recorded, exported, ['FRA', 'NLD']),
  ...indicatorFile(recorded, imported, ['FRA', 'NLD']),
]

function indicatorFile(recorded: Recorded, indicator: Indicator, countries: readonly string[]): SampleFile[] {
  const name = indicator.dataset.toLowerCase().replaceAll('.', '_')
  const path = `${COPY}/ddf--datapoints--${name}--by--geo--time.csv`
  if (!recorded.has(path)) return []
  const rows = csvRows(recorded.text(path), ['geo', 'time', name])
  const figures = countries.flatMap((country) => {
    const first = firstYears[`${country} ${indicator.indicator}`] ?? ''
    return figuresOf(
      { ...indicator, country, source: 'WB', seasonal_adjustment: 'not_seasonally_adjusted' },
      rows
        .filter((row) => row.cell('geo') === country.toLowerCase() && row.cell('time') >= first)
        .map((row) => ({ period: row.cell('time'), printed: row.cell(name) })),
    )
  })
  const origin: Origin = {
    publisher: 'World Bank',
    licence: 'CC BY 4.0',
    url: `https://data.worldbank.org/indicator/${indicator.dataset}`,
    ...takenFrom(recorded, path),
  }
  return [{ path: `figures/${indicator.indicator}-wb.csv`, origin, figures }]
}
