import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** CSV of the static store, whose columns prove the dataset. */
const file = (path: string): string => `/${path}.csv`

/**
 * Datasets of OpenDOSM by the names of its catalogue. Those of GDP share their columns, so the user must name one. Source: https://open.dosm.gov.my/data-catalogue
 */
export const dosmMapping: MappedPublisher = {
  name: 'DOSM',
  publisher: 'Department of Statistics Malaysia',
  licence: 'CC BY 4.0',
  host: 'storage.dosm.gov.my',
  datasets: {
    lfs_month: {
      title: 'Unemployment and participation rate, monthly',
      requests: [file('labour/lfs_month')],
      checked: 'CSV of 196 months',
    },
    trade_headline: {
      title: 'Merchandise exports and imports, monthly',
      requests: [file('trade/trade_headline')],
      checked: 'CSV of 316 months',
    },
    gdp_qtr_nominal: {
      title: 'GDP at current prices, quarterly (files)',
      sharedStructures: ['series,date,value by quarters'],
      checked: 'CSV of 3 quarters',
    },
    gdp_qtr_real_sa: {
      title: 'GDP at constant prices, quarterly, seasonally adjusted (files)',
      sharedStructures: ['series,date,value by quarters'],
      checked: 'CSV of 3 quarters',
    },
  },
  rows: readMappingRows('dosm'),
}
