import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/** Unemployment rate by sex and age, quarterly, from labour force surveys, not seasonally adjusted. */
const unemployment: SeriesDescription = {
  indicator: 'unemployment',
  country: 'SGP',
  source: 'ILO',
  dataset: 'UNE_DEAP_SEX_AGE_RT_Q',
  unit: 'percent',
  seasonal_adjustment: 'not_seasonally_adjusted',
}

const PATH = 'mvanaltvorst+seminar/assets/unemployment-ilo.csv'

/** ILOSTAT's wide table: a row a quarter, in no order of time, and a column a country. */
export function iloFiles(recorded: Recorded): SampleFile[] {
  const quarters = csvRows(recorded.text(PATH), ['Quarter', 'Singapore'])
    .map((row) => ({ period: row.cell('Quarter').replace('Q', '-Q'), printed: row.cell('Singapore') }))
    .sort((a, b) => (a.period < b.period ? -1 : 1))
  const origin = {
    publisher: 'International Labour Organization',
    licence: 'CC BY 4.0',
    url: 'https://rshiny.ilo.org/dataexplorer/?id=UNE_DEAP_SEX_AGE_RT_Q',
    ...takenFrom(recorded, PATH),
  }
  return [{ path: figuresPath(unemployment), origin, figures: figuresOf(unemployment, quarters) }]
}
