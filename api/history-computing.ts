import { servedFrequencies } from '../contracts/histories.ts'
import type { ServedIndicator } from '../contracts/indicators.ts'
import { MAX_CSV_ROWS } from '../contracts/operation.ts'
import type { ProblemError } from '../contracts/problems.ts'
import type { Frequency } from '../contracts/records.ts'
import { periodNames } from '../contracts/serving.ts'
import type { AggregationMethod, UnitCode } from '../contracts/transformations.ts'
import type { HistoryFilters, HistoryPosition } from '../domain/history-cursor.ts'
import { endOfPeriod, periodsAYear, startOfPeriod } from '../domain/period.ts'
import { monthToReadFrom, periodsWithin } from '../domain/period-range.ts'
import { compareText } from '../domain/served-series.ts'
import { aggregated } from '../domain/transform/aggregate.ts'
import type { HistoryFigure } from '../domain/transform/figure.ts'
import { periodsBack, transformer } from '../domain/transform/transform.ts'
import type { ApiDeps } from './deps.ts'
import { missingFrequency } from './missing-figure.ts'
import { invalidQuery } from './refusals.ts'
import { inTurns } from './render.ts'

/** Histories that are transformed (`units`), aggregated (`aggregation_method`) or read newest first (`sort`). */

/** The query parameters; vintages have none of them. */
export type ComputingQuery = {
  readonly frequency?: Frequency
  readonly units?: UnitCode
  readonly aggregation_method?: AggregationMethod
  readonly sort?: 'asc' | 'desc'
}
type Computing = Pick<HistoryFilters, 'units' | 'aggregation' | 'sort'>

/** What a request has computed. Throws `invalid_query` for an aggregation that is not possible, or lacks. */
export function computingOf(query: ComputingQuery, indicator: ServedIndicator): Computing {
  const { frequency, units = 'lin', aggregation_method, sort } = query
  const served = servedFrequencies(indicator)
  const names = served.map((each) => periodNames[each]).join(', ')
  const isLower = frequency !== undefined && higherFrequencies(indicator, frequency).length > 0
  if (aggregation_method !== undefined && !isLower) {
    const lower = `to which the ${names} of ${indicator} can be aggregated`
    throw invalidQuery(`query parameter aggregation_method: give it with a lower frequency, ${lower}`)
  }
  if (aggregation_method === undefined && frequency !== undefined && !served.includes(frequency)) {
    const how = `give aggregation_method (avg, sum or eop) to make ${periodNames[frequency]} of them`
    throw invalidQuery(`query parameter frequency: ${indicator} is published for ${names}: ${how}`)
  }
  return {
    units: units === 'lin' ? '' : units,
    aggregation: aggregation_method ?? '',
    sort: sort === 'desc' ? sort : '',
  }
}

/** The frequencies of an indicator that can be aggregated to another one, in the order in which they are served. */
export const higherFrequencies = (indicator: ServedIndicator, than: Frequency): readonly Frequency[] =>
  servedFrequencies(indicator).filter((frequency) => periodsAYear[frequency] > periodsAYear[than])

/** The problem of an aggregate for which a country has no series of a higher frequency. */
export const nothingToAggregate = (
  figures: ApiDeps['figures'],
  indicator: ServedIndicator,
  country: string,
  frequency: Frequency,
): ProblemError =>
  missingFrequency(figures, indicator, country, higherFrequencies(indicator, frequency)[0] ?? frequency)

type History = Pick<ApiDeps['history'], 'observations'>
type Range = Parameters<History['observations']>[0]
type Read = { readonly filters: HistoryFilters; readonly frequency: Frequency }

/**
 * Reads a part of a history as `filters` have it computed. `frequency` is that of the series. It reads so many entries before
 * the first one that is shown that each finds the period with which it compares.
 */
export async function computedObservations(
  history: History,
  range: Range,
  { filters, frequency }: Read,
): Promise<HistoryFigure[]> {
  const { units, aggregation, sort, start, end } = filters
  if (units === '' && aggregation === '') return history.observations(range)
  const to = aggregation === '' || filters.frequency === '' ? frequency : filters.frequency
  const back = periodsBack(units || 'lin', to)
  const monthsBack = (back * 12) / periodsAYear[to]
  const { after, limit } = range
  const isDescending = sort === 'desc'
  // Besides the entries after `after`: those of its own period, of the periods compared with, and of a last one that is cut off.
  const wanted = (limit + range.figures.length * (back + 2)) * (periodsAYear[frequency] / periodsAYear[to])
  const from = after && !isDescending ? startOfPeriod(after.period).slice(0, 7) : start
  const until = after && isDescending ? endOfPeriod(after.period).slice(0, 7) : end
  const found = await history.observations({
    ...range,
    ...periodsWithin(frequency, { start: monthToReadFrom(from, monthsBack), end: until }),
    after: null,
    limit: Math.min(wanted, MOST_FIGURES),
  })
  if (found.length === MOST_FIGURES) throw tooManyFigures()
  const read = { answered: found, own: await figuresOfSeries(history, range, found) }
  const computed = aggregation === '' ? read : aggregated(read, to, aggregation)
  const transform = transformer(computed, units || 'lin', to)
  const shown = periodsWithin(to, { start, end })
  const isShown = ({ period }: HistoryFigure) => period >= shown.start && (shown.end === '' || period <= shown.end)
  const inOrder = isDescending ? newestFirst(computed.answered) : computed.answered
  const first = after ? inOrder.findIndex((figure) => isAfter(figure, after, isDescending)) : 0
  const page = first < 0 ? [] : inOrder.slice(first).filter(isShown).slice(0, limit)
  return inTurns(page, transform)
}

/** The figures that the series in a part of a history have of its own periods, also where a better series answers. */
async function figuresOfSeries(
  history: History,
  range: Range,
  found: readonly HistoryFigure[],
): Promise<readonly HistoryFigure[]> {
  const places = [...new Set(found.map(({ place }) => place))]
  if (places.length <= 1) return found
  const periods = found.map(({ period }) => period).sort()
  const [start = '', end = ''] = [periods.at(0), periods.at(-1)]
  const limit = Math.min(found.length * range.figures.length, MOST_FIGURES)
  const part = { ...range, start, end, after: null, limit, isNewestFirst: false }
  const read = async (place: number): Promise<readonly HistoryFigure[]> => {
    const own = await history.observations({ ...part, series: range.series.slice(place - 1, place) })
    return own.map((figure) => ({ ...figure, place }))
  }
  return (await Promise.all(places.map(read))).flat()
}

/** Figures that one answer may be computed from, plus one that shows that there are more. */
const MOST_FIGURES = MAX_CSV_ROWS + 1

const tooManyFigures = () =>
  invalidQuery(
    `the answer would be computed from more than ${MAX_CSV_ROWS} figures: ask for a range by start and end, or page by page, with limit`,
  )

const newestFirst = (figures: readonly HistoryFigure[]): HistoryFigure[] =>
  figures.toSorted((a, b) => compareText(b.period, a.period) || a.number - b.number)

const isAfter = ({ period, number }: HistoryFigure, after: HistoryPosition, isDescending: boolean): boolean =>
  period === after.period ? number > after.figure : isDescending ? period < after.period : period > after.period
