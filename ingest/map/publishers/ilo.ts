import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { countryNamed } from '../ilo-gem-country-names.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Rates from labour force surveys, ages 15 and over, as offices report them to the ILO: no modelled estimates. Codes
 * `X` and digits are groups of countries. Source: https://ilostat.ilo.org/data/
 */
export const iloMapping: MappedPublisher = {
  name: 'ILO',
  publisher: 'International Labour Organization',
  licence: 'CC BY 4.0',
  host: 'rplumber.ilo.org',
  countryOf: (area) =>
    /^X\d\d$/.test(area) || area === 'KOS' || area === 'Kosovo'
      ? null
      : (countryByAlpha3.get(area)?.alpha3 ?? countryNamed(area)),
  datasets: {
    UNE_DEAP_SEX_AGE_RT_Q: {
      title: 'Unemployment rate, quarterly',
      area: 'REF_AREA',
      sharedStructures: ['Sex, Age, Quarter'],
      free: { source: 'the survey. A period that two surveys state differently is rejected' },
      requests: [
        '/data/indicator/?id=UNE_DEAP_SEX_AGE_RT_Q&sex=SEX_T&classif1=AGE_YTHADULT_YGE15&type=code&format=.csv',
      ],
      checked: 'table of the data explorer of 100 countries; no CSV with codes',
    },
  },
  rows: readMappingRows('ilo'),
}
