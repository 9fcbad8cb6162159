import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Download of one series. Its page belongs to a topic and a release. */
const series = (topic: string, cdid: string, release: string): string =>
  `/generator?format=csv&uri=/${topic}/timeseries/${cdid.toLowerCase()}/${release}`

const LABOUR = 'employmentandlabourmarket'
const GDP = 'economy/grossdomesticproductgdp'

/**
 * Time series of the ONS by their CDID. Monthly rates of the labour market are averages of three months and stand at
 * the middle one. Source: https://www.ons.gov.uk/timeseriestool
 */
export const onsMapping: MappedPublisher = {
  name: 'ONS',
  publisher: 'Office for National Statistics',
  licence: 'Open Government Licence v3.0',
  host: 'www.ons.gov.uk',
  skipsOtherDatasets: true,
  datasets: {
    MGSX: {
      title: 'Unemployment rate, 16 and over, monthly, quarterly and annual',
      requests: [series(`${LABOUR}/peoplenotinwork/unemployment`, 'MGSX', 'lms')],
      checked: 'JSON of 603 months',
    },
    YBHA: {
      title: 'GDP at current prices, quarterly',
      requests: [series(GDP, 'YBHA', 'pn2')],
      checked: 'CSV of a whole release, to September 2024',
    },
    ABMI: {
      title: 'GDP, chained volumes, quarterly',
      requests: [series(GDP, 'ABMI', 'pn2')],
      checked: 'CSV of a whole release, to September 2024',
    },
    BOKG: {
      title: 'Exports of goods, monthly',
      requests: [series('economy/nationalaccounts/balanceofpayments', 'BOKG', 'mret')],
      checked: 'CSV of a whole release, to August 2017',
    },
    BOKH: {
      title: 'Imports of goods, monthly',
      requests: [series('economy/nationalaccounts/balanceofpayments', 'BOKH', 'mret')],
      checked: 'CSV of a whole release, to August 2017',
    },
  },
  rows: readMappingRows('ons'),
}
