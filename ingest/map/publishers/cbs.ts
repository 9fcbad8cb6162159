import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Observations of a table that a filter of OData selects. */
const observations = (table: string, filter: string): string =>
  `/odata/v1/CBS/${table}/Observations?$filter=${encodeURIComponent(filter)}`

/**
 * Tables of StatLine by their numbers. Growth of GDP (85880NED) is not read, because its yearly rate is not adjusted for seasons
 * and its quarterly rate is, and a series is one or the other. Source: https://opendata.cbs.nl/statline/
 */
export const cbsMapping: MappedPublisher = {
  name: 'CBS',
  publisher: 'Statistics Netherlands',
  licence: 'CC BY 4.0',
  host: 'datasets.cbs.nl',
  datasets: {
    '80590ned': {
      title: 'Unemployment and participation rate, 15 to 75 years, monthly and quarterly',
      requests: [observations('80590ned', "Geslacht eq 'T001038' and Leeftijd eq '52052'")],
      checked: 'JSON of 282 months',
    },
    '85429NED': {
      title: 'Trade in goods that cross the border, monthly',
      requests: [observations('85429NED', "Landen eq 'T001047' and SITC eq 'T001082'")],
      checked: 'JSON of 136 months',
    },
    '86141NED': {
      title: 'Consumer price index, monthly',
      requests: [observations('86141NED', "Bestedingscategorieen eq 'T001112'")],
      checked: 'JSON of 198 months',
    },
  },
  rows: readMappingRows('cbs'),
}
