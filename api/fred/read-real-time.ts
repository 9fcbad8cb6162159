import { MAX_CSV_ROWS } from '../../contracts/operation.ts'
import { historyRow } from '../../domain/history-row.ts'
import { periodOfDay } from '../../domain/period.ts'
import { type DayWindow, type RealTimeObservation, realTimeObservations } from '../../domain/real-time.ts'
import type { ApiDeps } from '../deps.ts'
import { historyRange } from '../history-range.ts'
import { invalidQuery } from '../refusals.ts'
import { behindSnapshot } from '../snapshot-cursor.ts'
import type { FigureOfSeries } from './series-id.ts'

/** What the handlers of this surface read. */
export type FredDeps = Pick<ApiDeps, 'releaseIndex' | 'publishersIds' | 'history' | 'clock'>

/**
 * Reads all values of a figure of a series, of the periods that begin within these days. All output types are made from them,
 * so that each of them has the same values as the vintages at /v1.
 */
export async function readRealTimeObservations(
  { history }: Pick<FredDeps, 'history'>,
  { id, record: { series, vintages }, figure }: FigureOfSeries,
  { start, end }: DayWindow,
): Promise<RealTimeObservation[]> {
  const { country, indicator, frequency } = series
  const known = await history.series(country, indicator, Number.MAX_SAFE_INTEGER)
  const own = known.filter((each) => each.id === series.id)
  const row = historyRow(own, { frequency: '', asOf: '' })
  // All prints of a derived series can have been voided.
  if (!row && vintages === 0) return []
  if (!row) throw behindSnapshot()
  const values = await history.vintages({
    ...historyRange(indicator, row, [figure]),
    start: periodOfDay(frequency, start),
    end: periodOfDay(frequency, end),
    after: null,
    limit: MAX_CSV_ROWS + 1,
  })
  if (!values) throw new Error('a history without a place to go on from has none that is unknown')
  if (values.length > MAX_CSV_ROWS) {
    throw invalidQuery(
      `The series ${id} has more than ${MAX_CSV_ROWS} values in this range. Ask for parts, with observation_start and observation_end.`,
    )
  }
  return realTimeObservations(values).filter(({ date }) => date >= start)
}
