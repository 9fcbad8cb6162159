import { countryByAlpha3 } from '../../../contracts/countries.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Datasets of the IMF's portal since 2025. Codes of groups are `G` or `GX` and digits. The base of an index is an
 * attribute, and an index without it is rejected. Source: https://data.imf.org/en/datasets
 */
export const imfMapping: MappedPublisher = {
  name: 'IMF',
  publisher: 'International Monetary Fund',
  licence: 'IMF Copyright and Usage: free with the source cited',
  agency: 'IMF',
  host: 'api.imf.org',
  countryOf: (area) => (/^GX?\d+$/.test(area) ? null : countryByAlpha3.get(area)?.alpha3),
  datasets: {
    CPI: {
      title: 'Consumer price indices, monthly, countries of the world (files)',
      area: 'COUNTRY',
      checked: 'none',
    },
  },
  rows: readMappingRows('imf'),
}
