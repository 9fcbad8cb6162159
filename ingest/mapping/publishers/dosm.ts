import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** CSV of the static store, whose columns prove the dataset. */
const file = (path: string): string => `/${path}.csv`

/**
 * Datasets of OpenDOSM by the names of its catalogue. GDP and consumer prices share their columns with other datasets,
 * so only the JSON of the API, which names its dataset, is read. Source: https://open.dosm.gov.my/data-catalogue
 */
export const dosmMapping: MappedPublisher = {
  name: 'DOSM',
  publisher: 'Department of Statistics Malaysia',
  licence: 'CC BY 4.0',
  agency: 'DOSM',
  host: 'storage.dosm.gov.my',
  countryOf: () => undefined,
  datasets: {
    lfs_month: {
      title: 'Unemployment and participation rate, monthly',
      requests: [file('labour/lfs_month')],
      checked: 'CSV of 196 months',
    },
    lfs_month_sa: {
      title: 'Unemployment and participation rate, monthly, seasonally adjusted',
      requests: [file('labour/lfs_month_sa')],
      checked: 'none',
    },
    trade_headline: {
      title: 'Merchandise exports and imports, monthly',
      requests: [file('trade/trade_headline')],
      checked: 'CSV of 316 months',
    },
    cpi_headline: { title: 'Consumer price index, monthly (JSON of the API)', checked: 'none' },
    gdp_qtr_nominal: { title: 'GDP at current prices, quarterly (JSON of the API)', checked: 'none' },
    gdp_qtr_real_sa: {
      title: 'GDP at constant prices, quarterly, seasonally adjusted (JSON of the API)',
      checked: 'none',
    },
  },
  rows: readMappingRows('dosm'),
}
