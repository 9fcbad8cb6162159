import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Collections of Stats NZ. Its CPI is quarterly, and its base is 1000, so it is not mapped. */
export const statsNzMapping: MappedPublisher = {
  name: 'STATSNZ',
  publisher: 'Stats NZ',
  licence: 'CC BY 4.0',
  agency: 'STATSNZ',
  host: 'www.stats.govt.nz',
  countryOf: () => undefined,
  datasets: {
    HLFQ: {
      title: 'Household labour force survey, New Zealand, quarterly (files)',
      series: 'SERIES_ID',
      checked: 'none',
    },
  },
  rows: readMappingRows('statsnz'),
}
