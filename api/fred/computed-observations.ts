import type { Frequency, Series } from '../../contracts/records.ts'
import { aggregationMethods, unitCodes } from '../../contracts/transformations.ts'
import { periodsAYear } from '../../domain/period.ts'
import type { DayWindow, RealTimeObservation } from '../../domain/real-time.ts'
import { type Computation, computedPeriods, realTimeComputer } from '../../domain/real-time-computing.ts'
import type { Fields } from '../fields.ts'
import { inTurns } from '../render.ts'
import { refused } from './fields.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import type { FigureOfSeries } from './series-id.ts'
import { allTime } from './window.ts'

/** Observations in other units, or in a lower frequency. */

const frequencies: Readonly<Record<string, Frequency>> = { a: 'A', q: 'Q', m: 'M' }

/** What the values are made into. A frequency that is not named is that of the series. */
type Wanted = ReturnType<typeof wantedOf>

export function wantedOf(fields: Fields) {
  const named = fields.get('frequency')
  const frequency = frequencies[named ?? '']
  if (named !== undefined && !frequency) throw refused('frequency', named, 'Use a, q or m.')
  return {
    units: fields.chosen('units', unitCodes, 'lin'),
    method: fields.chosen('aggregation_method', aggregationMethods, 'avg'),
    frequency,
  }
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
  const computed = await inTurns(computedPeriods(all, computation), compute)
  return computed.flat().filter(({ date }) => date >= days.start && date <= days.end)
}
