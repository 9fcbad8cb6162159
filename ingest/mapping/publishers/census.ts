import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Programmes of the economic indicators. `FTD` is the FT-900, U.S. International Trade in Goods and Services. The detailed
 * trade datasets (`intltrade`) do not name themselves and are refused.
 */
export const censusMapping: MappedPublisher = {
  name: 'CENSUS',
  publisher: 'U.S. Census Bureau',
  licence: 'Public domain',
  agency: 'CENSUS',
  host: 'api.census.gov',
  countryOf: () => undefined,
  datasets: {
    FTD: {
      title:
        'Exports and imports of goods, balance of payments basis, United States, monthly (files, with program_code)',
      checked: 'none',
    },
  },
  rows: readMappingRows('census'),
}
