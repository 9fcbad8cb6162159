import { catalogLink } from '../../contracts/catalog.ts'
import { isPublic, type ServedIndicator, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Release } from '../../contracts/records.ts'
import { releaseLink } from '../../contracts/release-detail.ts'
import { periodsEndedSince } from '../../domain/period.ts'
import { publisherDay } from '../../domain/publisher-day.ts'
import { toResource } from '../../domain/resource.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import { linked } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { problemOfMissing } from '../held-figures.ts'
import { newerLinks } from '../newer-figures.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'held' | 'clock'>
type IndicatorInput = OperationInput & {
  readonly params: { readonly country: string }
  readonly query: { readonly period?: string; readonly partner?: string; readonly product?: string } & {
    readonly classification?: string
  }
}

/** Serves the latest complete release of an indicator, or that of one period, from memory. */
export const indicatorHandlers = (deps: Deps, render: Render): Handlers =>
  Object.fromEntries(
    servedIndicators.map((indicator) => {
      const { operationId } = servingOf(indicator)
      return [operationId, indicatorHandler(indicator, operationId, deps, render)]
    }),
  )

async function throwMissing(...asked: Parameters<typeof problemOfMissing>): Promise<never> {
  throw await problemOfMissing(...asked)
}

function indicatorHandler(indicator: ServedIndicator, operationId: string, deps: Deps, render: Render) {
  const { figures } = deps
  const exact = answersOf(operationId, caching.period, render)
  const latest = withNews(indicator, answersOf(operationId, caching.latest, render), deps)
  return handler<IndicatorInput, IndicatorInput>({
    ask: (input) => {
      const { product, classification } = input.query
      if ((product === undefined) !== (classification === undefined)) {
        const [given, lacking] = product === undefined ? ['classification', 'product'] : ['product', 'classification']
        throw new ProblemError('invalid_query', `query parameter ${given} is given without ${lacking}`)
      }
      return input
    },
    answer: ({ params: { country }, query }) => {
      if (query.partner !== undefined || query.product !== undefined) {
        throw new ProblemError('not_yet_published', 'Totals by partner or product are not published yet.')
      }
      const { period } = query
      const release = isPublic(indicator, country)
        ? period === undefined
          ? figures.latest(country, indicator)
          : figures.at(country, indicator, period)
        : undefined
      if (!release) return throwMissing(deps, indicator, country, period)
      return period === undefined ? latest(release) : exact(release)
    },
  })
}

/**
 * Makes the answer of a release once, because a release never changes: a revision is another release. What the body has no
 * member for is in headers: links to where its figures come from and to the catalogue (RFC 8288), and what its day rests on.
 */
function answersOf(operationId: string, cacheControl: string, render: Render): (release: Release) => Answer {
  const answers = new WeakMap<Release, Answer>()
  return (release) => {
    const known = answers.get(release)
    if (known) return known
    const headers = { ...linked(linksOf(release)), 'almanac-released-on-basis': release.released_on_basis }
    const answer = render(operationId, toResource(release), cacheControl, headers)
    answers.set(release, answer)
    return answer
  }
}

const linksOf = ({ release_id, series: { country, indicator } }: Release): string[] => [
  releaseLink(release_id),
  catalogLink(country, indicator),
]

const HOUR_MS = 3_600_000

/**
 * Adds how old the latest figure is, and where there is a newer one that it can't give, because its body says neither. They
 * are found once an hour, as the day at the publisher is not cheap to find, and after each release.
 */
function withNews(
  indicator: ServedIndicator,
  answerOf: (release: Release) => Answer,
  { figures, releaseIndex, clock }: Deps,
): (release: Release) => Answer {
  const made = new WeakMap<Release, { readonly hour: number; readonly count: number; readonly answer: Answer }>()
  return (release) => {
    const now = clock().getTime()
    const [hour, { count }] = [Math.floor(now / HOUR_MS), releaseIndex]
    const known = made.get(release)
    if (known?.hour === hour && known.count === count) return known.answer
    const { period, series } = release
    const plain = answerOf(release)
    const headers = {
      ...plain.headers,
      ...linked([...linksOf(release), ...newerLinks(figures, series.country, indicator, period)]),
      'almanac-periods-ended-since': String(periodsEndedSince(period, publisherDay(series.country, now))),
    }
    const answer = { ...plain, headers }
    made.set(release, { hour, count, answer })
    return answer
  }
}
