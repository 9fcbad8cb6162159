import { countryByAlpha3 } from '../../../contracts/countries.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

export const QNA = 'DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD'
export const LFS = 'DSD_LFS@DF_IALFS_UNE_M'

/** Codes of areas that are no country, in the current and the former portal. */
const aggregates: ReadonlySet<string> = new Set(
  `
OECD OECDE EA EA17 EA18 EA19 EA20 EA21 EU EU15 EU27_2020 EU28 G-7 G-20 G7 G20 OECDSO NAFTA USMCA ASEAN5 DAE BRIICS WLD
`
    .trim()
    .split(/\s+/),
)

/** All areas and periods of a dataflow. A key holds the dimensions in the order of the data structure. */
const flow = (name: string): string => `/public/rest/data/${name}?dimensionAtObservation=AllDimensions&format=csvfile`

/**
 * The API answers a wrong version with 404, and a key of the wrong length with 422. The former portal's datasets are
 * described on its pages Quarterly GDP (volume index of 2015 = 100, seasonally adjusted) and Unemployment rate (seasonally adjusted).
 */
export const oecdMapping: MappedPublisher = {
  name: 'OECD',
  publisher: 'Organisation for Economic Co-operation and Development',
  licence: 'CC BY 4.0 (OECD Terms and Conditions)',
  host: 'sdmx.oecd.org',
  countryOf: (area) => (aggregates.has(area) ? null : countryByAlpha3.get(area)?.alpha3),
  datasets: {
    [QNA]: {
      title: 'Growth of real GDP, quarterly',
      area: 'REF_AREA',
      unmapped: 'reject',
      free: { CURRENCY: 'an attribute, which a rate of growth does not need' },
      requests: [flow(`OECD.SDD.NAD,${QNA},1.1/Q.Y..S1.S1.B1GQ._Z._Z._Z.PC.L.G1+GY.T0102`)],
      checked: 'SDMX-CSV of two quarters',
    },
    [LFS]: {
      title: 'Unemployment rate, monthly',
      area: 'REF_AREA',
      unmapped: 'reject',
      requests: [flow(`OECD.SDD.TPS,${LFS},1.0/.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M`)],
      checked: 'SDMX-CSV of two months',
    },
    QGDP: {
      title: 'Growth and volume index of GDP, quarterly (files of the former data portal)',
      area: 'LOCATION',
      unmapped: 'reject',
      checked: 'CSV of 48 countries',
    },
    HUR: {
      title: 'Harmonised unemployment rate, monthly, quarterly and annual (files of the former data portal)',
      area: 'LOCATION',
      unmapped: 'reject',
      checked: 'CSV of 37 countries',
    },
  },
  rows: readMappingRows('oecd'),
}
