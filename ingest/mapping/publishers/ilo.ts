import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { countryNamed } from '../country-names.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Attributes that SDMX-CSV and structure-specific SDMX-ML do not tell from dimensions. */
const free = Object.fromEntries(
  `
UNIT_MEASURE UNIT_MEASURE_TYPE FREE_TEXT_NOTE NOTE_CLASSIF NOTE_INDICATOR NOTE_SOURCE SOURCE LOWER_BOUND UPPER_BOUND
`
    .trim()
    .split(/\s+/)
    .map((name) => [name, 'an attribute']),
)

/**
 * Rates from labour force surveys, ages 15 and over, as offices report them to the ILO: no modelled estimates. Codes
 * `X` and digits are groups of countries. Source: https://ilostat.ilo.org/data/
 */
export const iloMapping: MappedPublisher = {
  name: 'ILO',
  publisher: 'International Labour Organization',
  licence: 'CC BY 4.0',
  agency: 'ILO',
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
    DF_UNE_DEAP_SEX_AGE_RT: {
      title: 'Unemployment rate, monthly, quarterly and annual: SDMX (files)',
      area: 'REF_AREA',
      free,
      checked: 'none',
    },
  },
  rows: readMappingRows('ilo'),
}
