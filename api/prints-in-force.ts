import type { HistoryRow } from '../domain/history-row.ts'
import { type MonthRange, periodsWithin } from '../domain/period-range.ts'
import type { ApiDeps } from './deps.ts'

type History = Pick<ApiDeps['history'], 'inForce'>
export type PrintsInForce = Awaited<ReturnType<History['inForce']>>

/** Reads the prints in force of many rows from one snapshot, with one query for each frequency. By the id of the series. */
export async function readPrintsInForce(
  history: History,
  rows: readonly Pick<HistoryRow, 'series'>[],
  { months, ...range }: { readonly snapshot: number; readonly asOf: string; readonly months: MonthRange },
): Promise<ReadonlyMap<string, PrintsInForce>> {
  const prints = new Map<string, PrintsInForce>()
  for (const [frequency, group] of Map.groupBy(rows, ({ series }) => series[0]?.frequency)) {
    if (frequency === undefined) continue
    const series = group.flatMap((row) => row.series.map(({ id }) => id))
    const found = await history.inForce({ series, ...range, ...periodsWithin(frequency, months) })
    for (const [id, ofSeries] of Map.groupBy(found, ({ place }) => series[place - 1] ?? '')) prints.set(id, ofSeries)
  }
  return prints
}
