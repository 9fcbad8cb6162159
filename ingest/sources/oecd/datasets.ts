import type { Series } from '../../../contracts/records.ts'

/** Meaning of the value in an OECD row: a member of an indicator's figures, in one or more frequencies. */
export type Measure = Pick<Series, 'indicator' | 'unit'> & {
  readonly member: 'rate' | 'value' | 'quarter_over_quarter' | 'year_over_year'
  readonly frequencies: string
  readonly base?: string
}

const unemployment: Measure = { indicator: 'unemployment', unit: 'percent', member: 'rate', frequencies: 'AQM' }
const growth = (member: 'quarter_over_quarter' | 'year_over_year'): Measure => ({
  indicator: 'gdp-growth',
  unit: 'percent',
  member,
  frequencies: 'Q',
})

export const QNA = 'DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD'
export const LFS = 'DSD_LFS@DF_IALFS_UNE_M'

export const datasets = {
  [QNA]: 'Growth of real GDP, quarterly',
  [LFS]: 'Unemployment rate, monthly',
  QGDP: 'Growth and volume index of GDP, quarterly (files of the former data portal)',
  HUR: 'Harmonised unemployment rate, monthly, quarterly and annual (files of the former data portal)',
} as const

/**
 * Dimensions that distinguish a dataset's rows, and the measure for each combination of codes. The codes of a key stand
 * in the order of `dimensions`. Rows with the measure `null` are skipped: parts of the population, unadjusted figures.
 * Sources: the data structures of https://sdmx.oecd.org and, for the former portal, its pages Quarterly GDP (volume
 * index of 2015 = 100, seasonally adjusted) and Unemployment rate (seasonally adjusted).
 */
export const structures: Readonly<
  Record<
    keyof typeof datasets,
    { readonly dimensions: readonly string[]; readonly measures: Readonly<Record<string, Measure | null>> }
  >
> = {
  [QNA]: {
    dimensions: ['ADJUSTMENT', 'TRANSACTION', 'EXPENDITURE', 'UNIT_MEASURE', 'PRICE_BASE', 'TRANSFORMATION'],
    measures: { 'Y.B1GQ._Z.PC.L.G1': growth('quarter_over_quarter'), 'Y.B1GQ._Z.PC.L.GY': growth('year_over_year') },
  },
  [LFS]: {
    dimensions: ['MEASURE', 'UNIT_MEASURE', 'TRANSFORMATION', 'ADJUSTMENT', 'SEX', 'AGE', 'ACTIVITY'],
    measures: {
      'UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z': unemployment,
      'UNE_LF_M.PT_LF_SUB._Z.N._T.Y_GE15._Z': null,
    },
  },
  QGDP: {
    dimensions: ['SUBJECT', 'MEASURE'],
    measures: {
      'TOT.PC_CHGPP': growth('quarter_over_quarter'),
      'TOT.PC_CHGPY': growth('year_over_year'),
      'VOLIDX.IDX': { indicator: 'gdp-volume', unit: 'index', member: 'value', frequencies: 'Q', base: '2015' },
    },
  },
  HUR: {
    dimensions: ['SUBJECT', 'MEASURE'],
    measures: { 'TOT.PC_LF': unemployment, 'MEN.PC_LF': null, 'WOMEN.PC_LF': null },
  },
}

/** Codes of areas that are no country, in the current and the former portal. */
export const oecdAggregates: ReadonlySet<string> = new Set(
  `
OECD OECDE EA EA17 EA18 EA19 EA20 EA21 EU EU15 EU27_2020 EU28 G-7 G-20 G7 G20 OECDSO NAFTA USMCA ASEAN5 DAE BRIICS WLD
`
    .trim()
    .split(/\s+/),
)
