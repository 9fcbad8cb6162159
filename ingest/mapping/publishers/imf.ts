import { countryByAlpha3 } from '../../../contracts/countries.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Attributes of the portal's datasets, which SDMX-CSV and structure-specific SDMX-ML do not tell from dimensions. */
const free = Object.fromEntries(
  `
ACCESS_SHARING_LEVEL ACCESS_SHARING_NOTES CONTACT_POINT COUNTRY_UPDATE_DATE DECIMALS_DISPLAYED DEPARTMENT DERIVATION_TYPE
DOI FULL_DESCRIPTION FULL_SOURCE_CITATION IFS_FLAG KEYWORDS KEYWORDS_DATASET KEY_INDICATOR LANGUAGE LICENSE METHODOLOGY
METHODOLOGY_NOTES OVERLAP PRECISION PUBLICATION_DATE PUBLISHER SECURITY_CLASSIFICATION SERIES_NAME SHORT_SOURCE_CITATION
STATUS SUGGESTED_CITATION TOPIC TOPIC_DATASET UPDATE_DATE
`
    .trim()
    .split(/\s+/)
    .map((name) => [name, 'an attribute']),
)

/**
 * Datasets of the IMF's portal since 2025. Codes of groups are `G` or `GX` and digits. The base of an index is an
 * attribute, and an index without it is rejected. Source: https://data.imf.org/en/datasets
 */
export const imfMapping: MappedPublisher = {
  name: 'IMF',
  publisher: 'International Monetary Fund',
  licence: 'IMF Copyright and Usage: free with the source cited',
  agency: 'IMF',
  // SDMX states figures in units, whatever the scale in which they are shown. For an index it is 0.
  multiplier: 'SCALE',
  // The series states its base as COMMON_REFERENCE_PERIOD, and each observation its own, which must be the same.
  base: 'REFERENCE_PERIOD',
  host: 'api.imf.org',
  countryOf: (area) => (/^GX?\d+$/.test(area) ? null : countryByAlpha3.get(area)?.alpha3),
  datasets: {
    CPI: {
      title: 'Consumer price indices, monthly, countries of the world (files)',
      area: 'COUNTRY',
      free,
      checked: 'none',
    },
  },
  rows: readMappingRows('imf'),
}
