import type { Meaning } from '../../map/mapping.ts'
import { readSeriesRows } from '../../map/read-rows.ts'

/** The rows of the series by FRED's id. Source: the series' pages, https://fred.stlouisfed.org/series/ID. */
export const fredSeries = readSeriesRows('fred')

/** Base of an index or volume, in vintages from `since` on (`YYYY-MM-DD`). */
type Base = { readonly since: string; readonly period: string; readonly value: string }

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

/** Reference years of Japan's real GDP, each with its benchmark revision in a second estimate: https://www.esri.cao.go.jp */
const chainedYen: readonly Base[] = (
  [
    ['2016-12-08', '2011'],
    ['2020-12-08', '2015'],
    ['2025-12-08', '2020'],
  ] as const
).map(([since, period]) => ({ since, period, value: '' }))

/** Bases by series, oldest first. A vintage before the first of them has an unknown base and is rejected. */
const bases: Readonly<Record<string, readonly Base[]>> = {
  CPIAUCSL: consumerPrices,
  CPIAUCNS: consumerPrices,
  GDPC1: chainedDollars,
  JPNRGDPEXP: chainedYen,
}

/** Returns the base of a series in the vintage of a day, or else that of its row; undefined if it is not known. */
export function baseAt(series: string, { base }: Pick<Meaning, 'base'>, day: string): Base | undefined {
  const constant: Base = { since: '', period: base, value: base === '' ? '' : '100' }
  return (bases[series] ?? [constant]).findLast(({ since }) => since <= day)
}
