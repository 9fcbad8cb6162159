import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** All data points of vectors, each with the time of its release. */
const vectors = (...ids: readonly string[]): string =>
  `/t1/wds/rest/getDataFromVectorByReferencePeriodRange?vectorIds=${ids.map((id) => `%22${id}%22`).join()}&startRefPeriod=1900-01-01&endReferencePeriod=2099-12-31`

/** Tables of Statistics Canada by their numbers. Source: https://www150.statcan.gc.ca/t1/tbl1/en/tv.action */
export const statCanMapping: MappedPublisher = {
  name: 'STATCAN',
  publisher: 'Statistics Canada',
  licence: 'Statistics Canada Open Licence',
  agency: 'StatCan',
  host: 'www150.statcan.gc.ca',
  datasets: {
    '36-10-0104-01': {
      title: 'GDP, expenditure-based, Canada, quarterly (files, as displayed)',
      checked: 'CSV as displayed of 259 quarters',
    },
    '14-10-0287-01': {
      title: 'Labour force characteristics, Canada, monthly',
      requests: [vectors('2062815', '2062816')],
      checked: 'CSV as displayed of 606 months; JSON of 120 months',
    },
    '18-10-0004-01': {
      title: 'Consumer price index, Canada, monthly',
      requests: [vectors('41690973')],
      checked: 'JSON of 120 months',
    },
  },
  rows: readMappingRows('statcan'),
}
