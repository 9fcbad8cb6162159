import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** The measure of a row has one unit. */
const free = { UNIT_MEASURE: 'an attribute' }

/** All periods of a key of the data API. */
const flow = (name: string, key: string): string => `/rest/data/ABS,${name}/${key}?format=csvfile`

/**
 * Catalogue numbers, under which workbooks number each series, and dataflows of the data API. Workbooks of
 * the CPI (6401.0) do not state the base of their indices, so none of their series is mapped.
 * Source: https://www.abs.gov.au/statistics, https://data.api.abs.gov.au/rest/dataflow/ABS
 */
export const absMapping: MappedPublisher = {
  name: 'ABS',
  publisher: 'Australian Bureau of Statistics',
  licence: 'CC BY 4.0',
  host: 'data.api.abs.gov.au',
  datasets: {
    '6202.0': {
      title: 'Labour force, Australia, monthly: workbook of table 1 (files)',
      series: 'SERIES_ID',
      checked: 'workbook of 577 months',
    },
    '5206.0': {
      title: 'National accounts, Australia, quarterly: workbook of table 1 (files)',
      series: 'SERIES_ID',
      checked: 'workbook of 259 quarters',
    },
    LF: {
      title: 'Labour force, Australia, monthly',
      free,
      structures: ['LF'],
      requests: [flow('LF', 'M13.3.1599.20.AUS.M')],
      checked: 'SDMX-JSON of a month',
    },
  },
  rows: readMappingRows('abs'),
}
