import type { Release, Series } from '../../contracts/records.ts'
import { subtract } from '../decimal.ts'
import { seriesOf } from '../series.ts'
import { type CurrentReleases, type Derivation, derived } from './derivation.ts'

/**
 * Exports and imports of one period → the trade summary. Two flows pair if they have the same country, frequency,
 * source, currency, seasonal adjustment and derivation. Their datasets may differ, because a publisher may keep them in
 * two.
 */
export const tradeFromFlows: Derivation = {
  name: 'trade_from_flows',
  reads: ({ indicator }) => indicator === 'trade-exports' || indicator === 'trade-imports',
  needs: (_, period) => [
    { indicator: 'trade-exports', period },
    { indicator: 'trade-imports', period },
  ],
  derive(current, changed) {
    const opposite = changed.series.indicator === 'trade-exports' ? 'trade-imports' : 'trade-exports'
    return partners(current, changed.series, opposite, changed.period).flatMap((partner) => {
      const [exports, imports] = opposite === 'trade-imports' ? [changed, partner] : [partner, changed]
      return derived(tradeSeries(exports.series, imports.series), changed.period, [exports, imports], () => ({
        exports: exports.figures.value ?? '',
        imports: imports.figures.value ?? '',
        balance: subtract(exports.figures.value ?? '', imports.figures.value ?? ''),
      }))
    })
  },
}

function partners(current: CurrentReleases, series: Series, opposite: string, period: string): Release[] {
  const found: Release[] = []
  for (const releases of current.values()) {
    const candidate = releases.get(period)
    if (candidate?.series.indicator === opposite && pairs(candidate.series, series)) found.push(candidate)
  }
  return found.sort((a, b) => (a.series.id < b.series.id ? -1 : 1))
}

const pairs = (a: Series, b: Series): boolean =>
  a.country === b.country &&
  a.frequency === b.frequency &&
  a.source === b.source &&
  a.unit === b.unit &&
  a.seasonal_adjustment === b.seasonal_adjustment &&
  a.derivation === b.derivation

const tradeSeries = ({ id: _, ...exports }: Series, imports: Series): Series =>
  seriesOf({
    ...exports,
    indicator: 'trade',
    dataset: exports.dataset === imports.dataset ? exports.dataset : `${exports.dataset}+${imports.dataset}`,
    derivation: exports.derivation ? `${tradeFromFlows.name}:${exports.derivation}` : tradeFromFlows.name,
  })
