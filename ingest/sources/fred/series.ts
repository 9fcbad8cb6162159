import type { Indicator } from '../../../contracts/indicators.ts'
import type { Series } from '../../../contracts/records.ts'

/** Base of an index or volume, in vintages from `since` on (`YYYY-MM-DD`). */
type Base = { readonly since: string; readonly period: string; readonly value: string }

export type FredSeries = Pick<
  Series,
  'indicator' | 'country' | 'frequency' | 'unit' | 'seasonal_adjustment' | 'annualization'
> & {
  readonly title: string
  readonly multiplier?: string
  readonly decimals?: number
  /** Bases, oldest first. A vintage before the first of them has an unknown base and is rejected. */
  readonly bases?: readonly Base[]
}

const describe = (
  title: string,
  indicator: Indicator,
  country: string,
  frequency: FredSeries['frequency'],
  unit: string,
  seasonal: 'SA' | 'NSA' | 'SAAR',
  rest: Pick<FredSeries, 'multiplier' | 'decimals' | 'bases'> = {},
): FredSeries => ({
  title,
  indicator,
  country,
  frequency,
  unit,
  seasonal_adjustment: seasonal === 'NSA' ? 'not_seasonally_adjusted' : 'seasonally_adjusted',
  annualization: seasonal === 'SAAR' ? 'annualized' : 'not_annualized',
  ...rest,
})

const MILLION = '1000000'
const BILLION = '1000000000'

/** Base of US consumer prices. The BLS used it first in its release of January 1988; before, the base was 1967. */
const consumerPrices: readonly Base[] = [{ since: '1988-02-26', period: '1982/1984', value: '100' }]

/** Reference years of US real GDP, each with its comprehensive revision: https://www.bea.gov (NIPA vintages). */
const chainedDollars: readonly Base[] = (
  [
    ['1991-12-04', '1987'],
    ['1996-01-19', '1992'],
    ['1999-10-28', '1996'],
    ['2003-12-10', '2000'],
    ['2009-07-31', '2005'],
    ['2013-07-31', '2009'],
    ['2018-07-27', '2012'],
    ['2023-09-28', '2017'],
  ] as const
).map(([since, period]) => ({ since, period, value: '' }))

const national: Readonly<Record<string, FredSeries>> = {
  GDP: describe('GDP, United States', 'gdp', 'USA', 'Q', 'USD', 'SAAR', { multiplier: BILLION }),
  GDPC1: describe('Real GDP, United States', 'gdp-volume', 'USA', 'Q', 'USD', 'SAAR', {
    multiplier: BILLION,
    bases: chainedDollars,
  }),
  UKNGDP: describe('GDP, United Kingdom', 'gdp', 'GBR', 'Q', 'GBP', 'SA', { multiplier: MILLION }),
  JPNNGDP: describe('GDP, Japan', 'gdp', 'JPN', 'Q', 'JPY', 'SAAR', { multiplier: BILLION }),
  CPMNACSCAB1GQDE: describe('GDP, Germany', 'gdp', 'DEU', 'Q', 'EUR', 'SA', { multiplier: MILLION }),
  CPMNACSCAB1GQFR: describe('GDP, France', 'gdp', 'FRA', 'Q', 'EUR', 'SA', { multiplier: MILLION }),
  CPMNACSCAB1GQNL: describe('GDP, Netherlands', 'gdp', 'NLD', 'Q', 'EUR', 'SA', { multiplier: MILLION }),
  UNRATE: describe('Unemployment rate, United States', 'unemployment', 'USA', 'M', 'percent', 'SA'),
  CIVPART: describe('Participation rate, United States', 'labour-force-participation', 'USA', 'M', 'percent', 'SA'),
  CPIAUCSL: describe('CPI-U, all items, United States', 'cpi', 'USA', 'M', 'index', 'SA', { bases: consumerPrices }),
  CPIAUCNS: describe('CPI-U, all items, unadjusted, United States', 'cpi', 'USA', 'M', 'index', 'NSA', {
    bases: consumerPrices,
  }),
}

/** Series of the OECD's Main Economic Indicators, which FRED names by one pattern for every country. */
const oecd = Object.entries({
  AU: ['AUS', 'Australia'],
  CA: ['CAN', 'Canada'],
  DE: ['DEU', 'Germany'],
  FR: ['FRA', 'France'],
  GB: ['GBR', 'United Kingdom'],
  JP: ['JPN', 'Japan'],
  NL: ['NLD', 'Netherlands'],
  US: ['USA', 'United States'],
} as const).flatMap(([code, [country, name]]): [string, FredSeries][] => {
  const dollars = { decimals: 0 }
  return [
    [`LRHUTTTT${code}M156S`, describe(`Unemployment rate, ${name}`, 'unemployment', country, 'M', 'percent', 'SA')],
    [
      `LRACTTTT${code}Q156S`,
      describe(`Participation rate, ${name}`, 'labour-force-participation', country, 'Q', 'percent', 'SA'),
    ],
    [
      `XTEXVA01${code}M667S`,
      describe(`Exports of goods, ${name}`, 'trade-exports', country, 'M', 'USD', 'SA', dollars),
    ],
    [
      `XTIMVA01${code}M667S`,
      describe(`Imports of goods, ${name}`, 'trade-imports', country, 'M', 'USD', 'SA', dollars),
    ],
  ]
})

/** Description of each series by FRED's id. Source: the series' pages, https://fred.stlouisfed.org/series/ID. */
export const fredSeries: Readonly<Record<string, FredSeries>> = { ...national, ...Object.fromEntries(oecd) }

/** Returns the base of a series in the vintage of a day; undefined if it is not known. */
export const baseAt = ({ bases }: FredSeries, day: string): Pick<Series, 'base_period' | 'base_value'> | undefined => {
  if (!bases) return { base_period: '', base_value: '' }
  const base = bases.findLast(({ since }) => since <= day)
  return base && { base_period: base.period, base_value: base.value }
}
