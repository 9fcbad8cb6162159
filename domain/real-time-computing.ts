import type { Frequency } from '../contracts/records.ts'
import type { AggregationMethod, UnitCode } from '../contracts/transformations.ts'
import { periodsOfYear, shiftPeriod, yearOf } from './period.ts'
import { type DatedValue, type RealTimeObservation, realTimeChanges } from './real-time.ts'
import { aggregated, periodContaining } from './transform/aggregate.ts'
import type { HistoryFigure } from './transform/figure.ts'
import { periodsBack, transformer } from './transform/transform.ts'

/** What observations of the frequency `from` are made into: first aggregated to `to`, then changed into the units. */
export type Computation = {
  readonly from: Frequency
  readonly to: Frequency
  readonly method: AggregationMethod
  readonly units: UnitCode
}

/** The periods of a computed series, in order. */
export const computedPeriods = (observations: readonly RealTimeObservation[], { to }: Computation): string[] => [
  ...new Set(observations.map(({ period }) => periodContaining(period, to))),
]

/**
 * Makes a function that computes a period as it was on every day: its value changes on the days on which one of the values
 * changes that it is computed from. It is null where it cannot be computed, as without a period to compare with. A period
 * begins on the first day on which one of its own values was there.
 *
 * @param observations of one figure of one series, in the order of time
 */
export function realTimeComputer(
  observations: readonly RealTimeObservation[],
  computation: Computation,
): (period: string) => RealTimeObservation[] {
  const known = Map.groupBy(observations, ({ period }) => period)
  const back = periodsBack(computation.units, computation.to)
  return (period) => {
    const compared = back === 0 ? [] : partsOf(shiftPeriod(period, -back), computation)
    const parts = [...compared, ...partsOf(period, computation)]
    const beginning = Map.groupBy(
      parts.flatMap((part) => known.get(part) ?? []),
      ({ realtimeStart }) => realtimeStart,
    )
    // An observation stands until the next one of its period, so each day changes only what begins on it.
    const standing = new Map<string, RealTimeObservation>()
    const values = [...beginning]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, observed]): readonly [string, string | null | undefined] => {
        for (const each of observed) standing.set(each.period, each)
        const there = parts.flatMap((part) => standing.get(part) ?? []).filter(({ value }) => value !== null)
        return [day, valueFrom(period, there, computation)]
      })
    const first = values.findIndex(([, value]) => value !== undefined)
    const dated = values.map(([day, value]): DatedValue => ({ period, value: value ?? null, valid_from: day }))
    return first < 0 ? [] : realTimeChanges(dated.slice(first))
  }
}

/** The periods of the series of which a computed one is made. */
const partsOf = (period: string, { from, to }: Computation): string[] =>
  periodsOfYear(from, yearOf(period)).filter((part) => periodContaining(part, to) === period)

/** The value of a computed period from the observations of a day; undefined if it had none of its own values then. */
function valueFrom(
  period: string,
  there: readonly RealTimeObservation[],
  { from, to, method, units }: Computation,
): string | null | undefined {
  const figures = there.map(figureOf)
  // All are of one series, so what answers a period is its own.
  const history = { answered: figures, own: figures }
  const made = from === to ? history : aggregated(history, to, method)
  const figure = made.answered.find((each) => each.period === period)
  return figure && transformer(made, units, to)(figure).value
}

/** An observation as transformations take it. They are given those of one figure and one series only. */
const figureOf = ({ period, value, realtimeStart }: RealTimeObservation): HistoryFigure => ({
  period,
  value,
  number: 1,
  place: 1,
  released_on: realtimeStart,
  released_on_basis: 'publisher',
})
