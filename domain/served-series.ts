import { indicators } from '../contracts/indicators.ts'
import type { Frequency, Series } from '../contracts/records.ts'
import { frequencyOrder, headlineFrequency, sourceOrder } from '../contracts/serving.ts'

/**
 * Orders the series of one country, indicator and frequency, best first: published before derived, then by the table of
 * sources, the usual seasonal adjustment, the newest base, and the id, so that every node decides alike.
 */
export function compareForServing(a: Series, b: Series): number {
  return (
    Number(a.derivation !== '') - Number(b.derivation !== '') ||
    sourceRank(a) - sourceRank(b) ||
    adjustmentRank(a) - adjustmentRank(b) ||
    compareText(b.base_period, a.base_period) ||
    compareText(a.id, b.id)
  )
}

/**
 * Whether figures of one series may stand beside those of another, as periods of one row: in the same unit, an index on
 * the same base, a flow at the same rate (quarterly or annual), adjusted alike. A year has no seasons, and a rate no base,
 * though the series that it was derived from has one.
 */
export function isComparable(a: Series, b: Series): boolean {
  const isOnSameBase = a.base_period === b.base_period && a.base_value === b.base_value
  const isAdjustedAlike = a.seasonal_adjustment === b.seasonal_adjustment
  return (
    a.unit === b.unit &&
    a.annualization === b.annualization &&
    (isOnSameBase || a.unit !== 'index') &&
    (isAdjustedAlike || a.frequency === 'A')
  )
}

/** The frequencies that answer "latest", first choice first. */
export const latestOrder = (country: string, indicator: string): readonly Frequency[] => {
  const headline = headlineFrequency[`${country}/${indicator}`]
  return headline ? [headline, ...frequencyOrder.filter((frequency) => frequency !== headline)] : frequencyOrder
}

const sourceRank = ({ source }: Series): number => {
  const rank = sourceOrder.indexOf(source)
  return rank < 0 ? sourceOrder.length : rank
}
const adjustmentRank = (series: Series): number =>
  Number(series.seasonal_adjustment !== indicators[series.indicator].adjustment)
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
