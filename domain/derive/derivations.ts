import type { Indicator } from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { periodOfDay } from '../period.ts'
import type { Derivation, Need } from './derivation.ts'
import { growthFromVolume } from './growth.ts'
import { inflationFromCpi } from './inflation.ts'
import { tradeFromFlows } from './trade.ts'
import { yearFromMonths } from './year.ts'

export const derivations: readonly Derivation[] = [inflationFromCpi, growthFromVolume, yearFromMonths, tradeFromFlows]

/**
 * The figures, direct or not, without which that of a series and period cannot be computed. Empty for a series that is
 * published. `trade_from_flows:year_from_months` is computed by the first rule from what the second one has computed.
 */
export function needsOf({ indicator, derivation }: Pick<Series, 'indicator' | 'derivation'>, period: string): Need[] {
  const [name, ...behind] = derivation.split(':')
  const direct = derivations.find((rule) => rule.name === name)?.needs(indicator, period) ?? []
  return direct.flatMap((need) => [
    need,
    ...needsOf({ indicator: need.indicator, derivation: behind.join(':') }, need.period),
  ])
}

/**
 * The published figures, direct or not, from which that of a series and period is computed. A series that is published
 * needs itself.
 */
export function rootsOf({ indicator, derivation }: Pick<Series, 'indicator' | 'derivation'>, period: string): Need[] {
  const [name, ...behind] = derivation.split(':')
  const rule = derivations.find((each) => each.name === name)
  if (!rule) return [{ indicator, period }]
  return rule
    .needs(indicator, period)
    .flatMap((need) => rootsOf({ indicator: need.indicator, derivation: behind.join(':') }, need.period))
}

/** A series' own indicator, and those of the figures from which it is computed, direct or not. */
export function indicatorsBehind(series: Pick<Series, 'indicator' | 'derivation' | 'frequency'>): Indicator[] {
  // Any period of the frequency has the same kinds of inputs.
  const example = periodOfDay(series.frequency, '2000-01-01')
  return [...new Set([series.indicator, ...needsOf(series, example).map(({ indicator }) => indicator)])]
}
