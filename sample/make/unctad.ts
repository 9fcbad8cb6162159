import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/** UNCTAD's total merchandise trade of all economies: a row for each year, economy and flow. */
const path = 'Kvon260+International_Trade/US_TradeMerchTotal.csv'
const DATASET = 'US.TradeMerchTotal'
const VALUE = 'US$ at current prices in millions'

const series = {
  source: 'UNCTAD',
  dataset: DATASET,
  unit: 'USD',
  multiplier: '1000000',
  seasonal_adjustment: 'not_seasonally_adjusted',
} as const
const flows: readonly (readonly [flow: string, indicator: SeriesDescription['indicator']])[] = [
  ['Exports', 'trade-exports'],
  ['Imports', 'trade-imports'],
]

/** The years of France, of which no months are at hand. */
export function unctadFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(path)) return []
  const rows = csvRows(recorded.text(path), ['Year', 'Economy Label', 'Flow Label', VALUE])
  return flows.map(([flow, indicator]) => {
    const description = { ...series, indicator, country: 'FRA' }
    const prints = rows
      .filter((row) => row.cell('Economy Label') === 'France' && row.cell('Flow Label') === flow)
      .map((row) => ({ period: row.cell('Year'), printed: row.cell(VALUE) }))
    return {
      path: figuresPath(description),
      origin: {
        publisher: 'UN Trade and Development (UNCTAD)',
        licence: 'CC BY 3.0 IGO',
        url: `https://unctadstat.unctad.org/datacentre/dataviewer/${DATASET}`,
        ...takenFrom(recorded, path),
      },
      figures: figuresOf(description, prints),
    }
  })
}
