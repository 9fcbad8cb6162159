import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Tables of Table Builder. Its CSV names the title of a table and its JSON the number as well, so both prove it.
 * Source: https://tablebuilder.singstat.gov.sg/
 */
export const singStatMapping: MappedPublisher = {
  name: 'SINGSTAT',
  publisher: 'Singapore Department of Statistics',
  licence: 'SingStat Terms of Use',
  host: 'tablebuilder.singstat.gov.sg',
  datasets: {
    'GDP-chained-2015-dollars-quarterly-SA': {
      title: 'GDP in chained (2015) dollars, quarterly, seasonally adjusted (files)',
      structures: [
        'Key Data Of Gross Domestic Product In Chained (2015) Dollars, By Industry (SSIC 2020), Quarterly, Seasonally Adjusted',
      ],
      checked: 'CSV of 204 quarters',
    },
    M015651: {
      title: 'GDP at current prices, quarterly',
      structures: ['Gross Domestic Product At Current Prices, By Industry (SSIC 2020), Quarterly'],
      requests: ['/api/table/tabledata/M015651'],
      checked: 'JSON of 204 quarters',
    },
    M213751: {
      title: 'Consumer price index, monthly',
      structures: ['Consumer Price Index (CPI), 2024 As Base Year, Monthly'],
      requests: ['/api/table/tabledata/M213751'],
      checked: 'JSON of 788 months',
    },
  },
  rows: readMappingRows('singstat'),
}
