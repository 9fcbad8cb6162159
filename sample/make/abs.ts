import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  type Origin,
  type Print,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'

/** Australian Bureau of Statistics: two series of its workbooks as CSV `date,value`. */
const origin = (url: string): Origin => ({ publisher: 'Australian Bureau of Statistics', licence: 'CC BY 4.0', url })
const australia = { country: 'AUS', source: 'ABS', seasonal_adjustment: 'seasonally_adjusted' } as const

const TRADE = 'https://www.abs.gov.au/statistics/economy/international-trade/international-trade-goods'

/** 5368.0 Table 1: Credits, total goods, seasonally adjusted, $ millions, balance of payments basis. */
const exported: SeriesDescription = {
  ...australia,
  indicator: 'trade-exports',
  dataset: 'A2718577A',
  unit: 'AUD',
  multiplier: '1000000',
  lastUpdated: '2026-08-10',
}
/** The same of debits, which the ABS prints as negative numbers and the recorded copy as positive ones. */
const imported: SeriesDescription = {
  ...exported,
  indicator: 'trade-imports',
  dataset: 'A2718603V',
  lastUpdated: '2026-06-11',
}

export function absFiles(recorded: Recorded): SampleFile[] {
  const file = (description: SeriesDescription, url: string, prints: readonly Print[]): SampleFile => ({
    path: figuresPath(description),
    origin: origin(url),
    figures: figuresOf(description, prints),
  })
  const copy = (path: string) => recorded.text(`Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/${path}`)
  return [
    file(exported, TRADE, datedValues(copy('export.csv'))),
    file(imported, TRADE, datedValues(copy('import.csv'))),
  ]
}
