import { indicators } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import { sourceOrder } from '../contracts/serving.ts'

/**
 * Orders the series of one country, indicator and frequency, best first. Published series come before derived ones. The
 * order of sources decides next, then the usual seasonal adjustment, then the newest base. The id decides last, so that
 * every node orders alike.
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

type ServingKeyParts = { readonly country: string; readonly indicator: string; readonly frequency: string }
export const servingKey = ({ country, indicator, frequency }: ServingKeyParts): string =>
  `${country}/${indicator}/${frequency}`

const sourceRank = ({ source }: Series): number => {
  const rank = sourceOrder.indexOf(source)
  return rank < 0 ? sourceOrder.length : rank
}
const adjustmentRank = (series: Series): number =>
  Number(series.seasonal_adjustment !== indicators[series.indicator].adjustment)
/** By code units, so that it orders everywhere alike. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
