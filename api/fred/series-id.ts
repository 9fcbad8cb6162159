/**
 * Ids of the FRED-style surface: the id of a series as in the catalogue, such as `USA.gdp.Q.FRED.GDP.USD.SA.annualized`. A series
 * whose indicator has several figures has an id for each that it has ever had: `USA.inflation.M.….NSA:year_over_year`.
 */

import { indicatorDefinition, indicators, isPublic } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Series } from '../../contracts/records.ts'
import type { SeriesRecord } from '../../domain/release-index.ts'
import { servingKey } from '../../domain/served-series.ts'
import type { ApiDeps } from '../deps.ts'
import { hintOfText } from '../known-codes.ts'
import { invalidQuery, shown } from '../refusals.ts'

export type FigureOfSeries = { readonly id: string; readonly record: SeriesRecord; readonly figure: string }

const SEPARATOR = ':'
/** Most ids that the detail of a problem names. */
const MAX_NAMED = 5

/** The ids of a series, one for each of its figures that it has ever had. */
const figuresOfSeries = (record: SeriesRecord): FigureOfSeries[] => {
  const { figures }: { figures: readonly string[] } = indicators[record.series.indicator]
  return figures
    .filter((figure) => record.spans.has(figure))
    .map((figure) => ({ id: figureIdOf(record.series, figure, figures.length), record, figure }))
}

/** The id of a figure, one of `count` that the indicator has. */
export const figureIdOf = ({ id }: Pick<Series, 'id'>, figure: string, count: number): string =>
  count > 1 ? id + SEPARATOR + figure : id

/** Every public figure of every series on record, in the order of the series. */
export const publicFigures = ({ releaseIndex }: Pick<ApiDeps, 'releaseIndex'>): FigureOfSeries[] =>
  releaseIndex
    .series()
    .filter(({ series: { indicator, country } }) => indicatorDefinition(indicator) && isPublic(indicator, country))
    .flatMap(figuresOfSeries)

type Deps = Pick<ApiDeps, 'releaseIndex' | 'publishersIds'>

/**
 * Finds what an id names: a figure in the catalogue, or the series that a publisher lists under it, such as `UNRATE`.
 *
 * @throws ProblemError `no_complete_publication` if nothing on record has the id, `invalid_query` if several figures have it
 */
export function figureOfId(deps: Deps, id: string): FigureOfSeries {
  const known = publicFigures(deps)
  // Clients put ids into addresses without encoding, where a plus is a space.
  const found = known.find((one) => one.id === id) ?? known.find((one) => one.id.replaceAll('+', ' ') === id)
  if (found) return found
  const named = known.filter(({ record }) => record.series.id === id)
  const whole = named.length > 0 ? named : figuresOfPublishersId(deps, known, id)
  const [one, ...others] = whole
  if (one && others.length === 0) return one
  if (one) {
    const ids = whole.slice(0, MAX_NAMED).map((each) => each.id)
    const more = whole.length > ids.length ? `, and ${whole.length - ids.length} more` : ''
    throw invalidQuery(`The series ${shown(id)} has several figures. Name one of them: ${ids.join(', ')}${more}.`)
  }
  // Only those of the same country, because comparing with thousands of ids takes long.
  const likely = known.map((one) => one.id).filter((each) => each.startsWith(id.slice(0, 'USA.'.length)))
  const hint = hintOfText(id, likely)
  const detail = `The series ${shown(id)} does not exist.${hint} Find ids with series/search?search_text=, or in /v1/catalog.`
  throw new ProblemError('no_complete_publication', detail)
}

/** The figures that a publisher's id names. Of series of one country, indicator and frequency, those of the best one. */
function figuresOfPublishersId(
  { publishersIds }: Deps,
  known: readonly FigureOfSeries[],
  id: string,
): FigureOfSeries[] {
  const records = publishersIds.seriesOf(id, new Set(known.map(({ record }) => record)))
  const best = [...Map.groupBy(records, ({ series }) => servingKey(series)).values()].flatMap(([first]) => first ?? [])
  return known.filter(({ record }) => best.includes(record))
}
