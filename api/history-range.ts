import { type Indicator, indicators, neededFigures } from '../contracts/indicators.ts'
import type { HistoryRow } from '../domain/history-row.ts'

/** What is read of the row of a history, whatever the period: its series, and the figures of the indicator or some of them. */
export const historyRange = (
  indicator: Indicator,
  { series, snapshot }: Pick<HistoryRow, 'series' | 'snapshot'>,
  figures: readonly string[] = indicators[indicator].figures,
) => ({ series: series.map(({ id }) => id), figures, needed: neededFigures(indicator), snapshot })
