import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Without a key, the API gives three years of one series. */
const series = (id: string): string => `/publicAPI/v1/timeseries/data/${id}`

/** Surveys of the BLS by the letters with which their series begin. Source: https://download.bls.gov/pub/time.series/ */
export const blsMapping: MappedPublisher = {
  name: 'BLS',
  publisher: 'U.S. Bureau of Labor Statistics',
  licence: 'Public domain',
  host: 'api.bls.gov',
  datasets: {
    CU: {
      title: 'Consumer price index for all urban consumers, United States, monthly',
      series: 'SERIES_ID',
      requests: [series('CUUR0000SA0'), series('CUSR0000SA0')],
      checked: 'flat file of 63,630 rows; JSON of another survey',
    },
    LN: {
      title: 'Unemployment and participation rates of the household survey, United States, monthly',
      series: 'SERIES_ID',
      requests: [series('LNS14000000'), series('LNS11300000')],
      checked: 'workbook of 843 months; JSON of 60 months',
    },
  },
  rows: readMappingRows('bls'),
}
