import { MAX_CSV_ROWS } from '../../contracts/operation.ts'
import type { Frequency, Series } from '../../contracts/records.ts'
import { aggregationMethods, unitCodes } from '../../contracts/transformations.ts'
import { historyRow } from '../../domain/history-row.ts'
import { periodOfDay, periodsAYear } from '../../domain/period.ts'
import { type DayWindow, type RealTimeObservation, realTimeObservations } from '../../domain/real-time.ts'
import { type Computation, computedPeriods, realTimeComputer } from '../../domain/real-time-computing.ts'
import type { ApiDeps } from '../deps.ts'
import type { Fields } from '../fields.ts'
import { historyRange } from '../history-range.ts'
import { invalidQuery } from '../refusals.ts'
import { inTurns } from '../render.ts'
import { behindSnapshot } from '../snapshot-cursor.ts'
import { allTime, refused } from './fields.ts'
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
      `The series ${id} has more than ${MAX_CSV_ROWS} values, too many for one answer. Read it in parts from /fred/series/observations, with observation_start and observation_end, without units and frequency.`,
    )
  }
  return realTimeObservations(values).filter(({ date }) => date >= start)
}

const frequencies: ReadonlyMap<string, Frequency> = new Map([
  ['a', 'A'],
  ['q', 'Q'],
  ['m', 'M'],
])

/** What the values are made into. A frequency that is not named is that of the series. */
type Wanted = ReturnType<typeof wantedOf>

export function wantedOf(fields: Fields) {
  const named = fields.get('frequency')
  const frequency = frequencies.get(named ?? '')
  if (named !== undefined && !frequency) throw refused('frequency', named, 'Use a, q or m.')
  const units = fields.chosen('units', unitCodes, 'lin')
  const method = fields.chosen('aggregation_method', aggregationMethods, 'avg')
  if (method !== 'avg' && !frequency) throw refused('aggregation_method', method, 'Give it with a frequency.')
  return { units, method, frequency }
}

/** The computation for a series; undefined if its values stay as they are. */
function computationFor({ frequency, ...how }: Wanted, { frequency: from }: Series): Computation | undefined {
  const to = frequency ?? from
  if (periodsAYear[to] > periodsAYear[from]) {
    const advice = `The series has the frequency ${from.toLowerCase()}, of which no higher one can be made.`
    throw refused('frequency', to.toLowerCase(), advice)
  }
  return to === from && how.units === 'lin' ? undefined : { from, to, ...how }
}

/** Reads the observations within the days that were asked for, in the units and the frequency that were asked for. */
export async function wantedObservations(
  deps: FredDeps,
  figure: FigureOfSeries,
  { wanted, days }: { readonly wanted: Wanted; readonly days: DayWindow },
): Promise<readonly RealTimeObservation[]> {
  const computation = computationFor(wanted, figure.record.series)
  if (!computation) return readRealTimeObservations(deps, figure, days)
  // Reads all days, because the first ones are compared with others before them.
  const all = await readRealTimeObservations(deps, figure, allTime)
  const compute = realTimeComputer(all, computation)
  // A period that is often revised takes milliseconds, because it is computed on each of these days.
  const computed = await inTurns(computedPeriods(all, computation), compute, 1)
  return computed.flat().filter(({ date }) => date >= days.start && date <= days.end)
}
