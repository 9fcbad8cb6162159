import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** `FTD` is the FT-900, U.S. International Trade in Goods and Services, a joint release of the Census Bureau and the BEA. */
export const censusMapping: MappedPublisher = {
  name: 'CENSUS',
  publisher: 'U.S. Census Bureau and U.S. Bureau of Economic Analysis',
  licence: 'Public domain',
  host: 'api.census.gov',
  datasets: {
    FTD: {
      title:
        'Exports and imports of goods, balance of payments basis, United States, monthly (files: the FT-900 as a workbook)',
      checked: 'workbooks of 399 and 25 months',
    },
  },
  rows: readMappingRows('census'),
}
