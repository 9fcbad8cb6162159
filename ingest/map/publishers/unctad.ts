import { countryByNumeric } from '../../../contracts/countries.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** M49 codes of states that are no more, and of parts of a state. */
const former: ReadonlySet<string> = new Set('200 230 278 280 530 590 720 736 810 886 890 891 960'.split(' '))

/**
 * Totals of all economies. Those with four digits are groups. South Africa's to 1979 are those of its customs union, and
 * are left out. Source: https://unctadstat.unctad.org/datacentre/dataviewer/US.TradeMerchTotal
 */
export const unctadMapping: MappedPublisher = {
  name: 'UNCTAD',
  publisher: 'UN Trade and Development (UNCTAD)',
  licence: 'CC BY 3.0 IGO',
  host: 'unctadstat.unctad.org',
  countryOf: (area) => (/^\d{4}$/.test(area) || former.has(area) ? null : countryByNumeric.get(area)?.alpha3),
  datasets: {
    'US.TradeMerchTotal': {
      title: 'Merchandise exports and imports, annual (files)',
      area: 'ECONOMY',
      unmapped: 'reject',
      sharedStructures: ['Economy, Flow: US$ at current prices in millions'],
      checked: 'CSV of 77 years',
    },
  },
  rows: readMappingRows('unctad'),
}
