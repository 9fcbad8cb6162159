import type { Frequency, Release, ReleasedOnBasis } from '../contracts/records.ts'
import type { AggregationMethod, UnitCode } from '../contracts/transformations.ts'
import { best } from './answers-over-time.ts'
import { shiftPeriod } from './period.ts'
import { aggregated } from './transform/aggregate.ts'
import type { HistoryFigure } from './transform/figure.ts'
import { transformer } from './transform/transform.ts'

/** The print in force of a period, of the series at `place` among those that may answer, best first, from 1. */
export type PrintInForce = Pick<Release, 'period' | 'figures' | 'released_on' | 'released_on_basis'> & {
  readonly place: number
}

/** How the figures of a country and indicator are computed for a panel. */
type PanelRule = {
  /** The figures of the indicator, in their order, and those without which it has no body. */
  readonly figures: readonly string[]
  readonly needed: readonly string[]
  readonly frequency: Frequency
  readonly units: UnitCode
  /** Undefined where the series are of the frequency of the panel. */
  readonly aggregation: AggregationMethod | undefined
  /** First and last period of the panel; empty: no bound. */
  readonly bounds: { readonly start: string; readonly end: string }
}

export type PanelColumn = {
  /** By period; a period without a value is not there. */
  readonly values: ReadonlyMap<string, string>
  /** The place of the series that each value is from, by period. */
  readonly places: ReadonlyMap<string, number>
  /** What the dates of the values rest on. */
  readonly bases: ReadonlySet<ReleasedOnBasis>
}

/**
 * The columns of a country and indicator from the prints in force of its series, figure by figure. Values of different kinds,
 * such as index numbers of two bases, stand in columns of their own, that with the most values first. A figure without values
 * has one column.
 *
 * @param kindOf what a value of the series at a place is, as one text
 */
export function panelColumns(
  prints: readonly PrintInForce[],
  rule: PanelRule,
  kindOf: (place: number) => string,
): PanelColumn[][] {
  const { frequency, units, aggregation, bounds } = rule
  const levels = { answered: answeredFigures(prints, rule), own: prints.flatMap((print) => figuresOf(print, rule)) }
  const computed = aggregation ? aggregated(levels, frequency, aggregation) : levels
  const transform = transformer(computed, units, frequency)
  const shown = computed.answered
    .filter(({ period }) => period >= bounds.start && (bounds.end === '' || period <= bounds.end))
    .map(transform)
  return rule.figures.map((_, i) => {
    const columns = new Map<string, ReturnType<typeof emptyColumn>>()
    for (const { period, number, place, value, released_on_basis } of shown) {
      if (value === null || number !== i + 1) continue
      const kind = kindOf(place)
      const column = columns.get(kind) ?? emptyColumn()
      columns.set(kind, column)
      column.values.set(period, value)
      column.places.set(period, place)
      column.bases.add(released_on_basis)
    }
    const sorted = [...columns.values()].sort((a, b) => b.values.size - a.values.size)
    return sorted.length > 0 ? sorted : [emptyColumn()]
  })
}

const emptyColumn = () => ({
  values: new Map<string, string>(),
  places: new Map<string, number>(),
  bases: new Set<ReleasedOnBasis>(),
})

/**
 * The places of the series behind a column in order of time, each with the first period that it answers. A series that goes on
 * after another one is there twice.
 */
export const seriesInTurn = ({ places }: Pick<PanelColumn, 'places'>): { since: string; place: number }[] =>
  [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([since, place], i, all) => (place === all[i - 1]?.[1] ? [] : [{ since, place }]))

/** The figures of the series that answers each period, in the order in which the prints first name them. */
export const answeredFigures = (
  prints: readonly PrintInForce[],
  rule: Pick<PanelRule, 'figures' | 'needed'>,
): HistoryFigure[] =>
  [...Map.groupBy(prints, ({ period }) => period).values()].flatMap((ofPeriod) => {
    const answer = best(ofPeriod, rule.needed)
    return answer ? figuresOf(answer, rule) : []
  })

const figuresOf = (
  { figures: values, ...print }: PrintInForce,
  { figures }: Pick<PanelRule, 'figures'>,
): HistoryFigure[] =>
  figures.flatMap((figure, i) => {
    const value = values[figure]
    const { period, place, released_on, released_on_basis } = print
    return value === undefined ? [] : [{ period, number: i + 1, place, value, released_on, released_on_basis }]
  })

/** The periods of a panel, without a gap: from the first to the last that any column has. */
export function panelPeriods(columns: readonly PanelColumn[]): string[] {
  const within = columns.flatMap(({ values }) => [...values.keys()]).sort()
  const [first, last] = [within.at(0), within.at(-1)]
  const periods: string[] = []
  for (
    let period = first;
    period !== undefined && last !== undefined && period <= last;
    period = shiftPeriod(period, 1)
  )
    periods.push(period)
  return periods
}
