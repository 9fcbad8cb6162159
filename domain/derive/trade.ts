import type { Series } from '../../contracts/records.ts'
import { subtract } from '../decimal.ts'
import { seriesOf } from '../series.ts'
import {
  type Computed,
  computed,
  type Derivation,
  type InputPrint,
  type PrintedSeries,
  type PrintsOnRecord,
} from './derivation.ts'

/** What joins the names of two datasets. No name of a dataset has it. */
const BETWEEN_DATASETS = '+'

/**
 * Exports and imports of one period → the trade summary. Two flows pair if they have the same country, frequency, source,
 * currency, seasonal adjustment and derivation. Their datasets may differ, because a publisher may keep them in two.
 */
export const tradeFromFlows: Derivation = {
  name: 'trade_from_flows',
  reads: ({ indicator }) => indicator === 'trade-exports' || indicator === 'trade-imports',
  needs: (_, period) => [
    { indicator: 'trade-exports', period },
    { indicator: 'trade-imports', period },
  ],
  figuresOf(prints, series, period) {
    const changed = prints.get(series.id)
    if (!changed) return []
    const isExport = series.indicator === 'trade-exports'
    return partners(prints, series, isExport ? 'trade-imports' : 'trade-exports').flatMap((partner) => {
      const [exports, imports] = isExport ? [changed, partner] : [partner, changed]
      const inputs = [exports.periods.get(period), imports.periods.get(period)]
      const trade = tradeSeries(exports.series, imports.series)
      // One that is on record stays to be looked at if the year of a flow turns out never to have been complete.
      const isPossible = inputs.every((input) => input) || prints.get(trade.id)?.periods.has(period)
      return isPossible ? [{ series: trade, period, inputs, compute: tradeOf }] : []
    })
  },
}

function tradeOf([exports, imports]: readonly (InputPrint | undefined)[]): Computed | undefined {
  if (!exports || !imports) return undefined
  return computed([exports, imports], () => ({
    exports: exports.figures.value ?? '',
    imports: imports.figures.value ?? '',
    balance: subtract(exports.figures.value ?? '', imports.figures.value ?? ''),
  }))
}

function partners(prints: PrintsOnRecord, series: Series, opposite: string): PrintedSeries[] {
  const found: PrintedSeries[] = []
  for (const printed of prints.values())
    if (printed.series.indicator === opposite && pairs(printed.series, series)) found.push(printed)
  return found.sort((a, b) => (a.series.id < b.series.id ? -1 : 1))
}

const pairs = (a: Series, b: Series): boolean =>
  a.country === b.country &&
  a.frequency === b.frequency &&
  a.source === b.source &&
  a.unit === b.unit &&
  a.seasonal_adjustment === b.seasonal_adjustment &&
  a.derivation === b.derivation

/** Names of the datasets that a series is of, or is derived from. */
export const datasetsOf = ({ dataset }: Pick<Series, 'dataset'>): string[] => dataset.split(BETWEEN_DATASETS)

const tradeSeries = ({ id: _, ...exports }: Series, imports: Series): Series =>
  seriesOf({
    ...exports,
    indicator: 'trade',
    dataset:
      exports.dataset === imports.dataset ? exports.dataset : `${exports.dataset}${BETWEEN_DATASETS}${imports.dataset}`,
    derivation: exports.derivation ? `${tradeFromFlows.name}:${exports.derivation}` : tradeFromFlows.name,
  })
