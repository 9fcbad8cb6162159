import { isPublic, type ServedIndicator, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Release } from '../../contracts/records.ts'
import { releaseLink } from '../../contracts/release-detail.ts'
import { toResource } from '../../domain/resource.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { problemOfMissing } from '../held-figures.ts'

type Deps = Pick<ApiDeps, 'figures' | 'statements' | 'held'>
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
  const latest = answersOf(operationId, caching.latest, render)
  const exact = answersOf(operationId, caching.period, render)
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
 * Makes the answer of a release once, with a link to where its figures come from (RFC 8288), because a release never changes: a revision is
 * another release.
 */
function answersOf(operationId: string, cacheControl: string, render: Render): (release: Release) => Answer {
  const answers = new WeakMap<Release, Answer>()
  return (release) => {
    let answer = answers.get(release)
    if (!answer) {
      answer = render(operationId, toResource(release), cacheControl, {
        link: releaseLink(release.release_id),
      })
      answers.set(release, answer)
    }
    return answer
  }
}
