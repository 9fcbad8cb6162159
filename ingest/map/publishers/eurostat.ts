import { countryByAlpha2, countryByAlpha3 } from '../../../contracts/countries.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Eurostat's codes of countries that differ from ISO 3166-1 alpha-2. */
const ownCodes: Readonly<Record<string, string>> = { EL: 'GR', UK: 'GB' }

/**
 * Unions of countries, Kosovo, which has no code in ISO 3166-1, and parts of a country, whose codes are longer than the
 * country's: `EU27_2020`, `EA20`, `XK`, `DE1`. A name, or a country's code in another list (`DEU`), is none of these.
 */
const isNoCountry = (area: string): boolean => /^(?:EU|EA|XK|[A-Z0-9_]{3,})$/.test(area) && !countryByAlpha3.has(area)

const rows = readMappingRows('eurostat')

/** All periods and areas of the rows of a dataset. Their keys have the order of the data structure, whose last dimension is the area. */
function requestOf(dataset: string): string {
  const keys = (rows.get(dataset) ?? []).map(({ key }) => key)
  const codes = Object.keys(keys[0] ?? {}).map((name) => [...new Set(keys.map((key) => key[name]))].join('+'))
  return `/eurostat/api/dissemination/sdmx/2.1/data/${dataset}/${codes.join('.')}.?format=SDMX-CSV`
}

/**
 * Datasets of Eurostat by their codes in upper case. Its messages state them in either case.
 * Source: https://ec.europa.eu/eurostat/databrowser/
 */
export const eurostatMapping: MappedPublisher = {
  name: 'EUROSTAT',
  publisher: 'Eurostat',
  licence: 'Free reuse with the source acknowledged (Commission Decision 2011/833/EU)',
  agency: 'ESTAT',
  host: 'ec.europa.eu',
  countryOf: (area) => (isNoCountry(area) ? null : countryByAlpha2.get(ownCodes[area] ?? area)?.alpha3),
  datasets: {
    UNE_RT_M: {
      title: 'Unemployment rate, monthly',
      area: 'geo',
      requests: [requestOf('UNE_RT_M')],
      checked: 'JSON-stat of 20 months of the euro area',
    },
    NAMQ_10_GDP: {
      title: 'GDP at current prices in euro, its volume and its growth, quarterly',
      area: 'geo',
      requests: [requestOf('NAMQ_10_GDP')],
      checked: 'SDMX-CSV of 97 quarters, without growth, and of 16 quarters at prices of 2020',
    },
  },
  rows,
}
