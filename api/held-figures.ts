import { isPublic, type ServedIndicator } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { Need } from '../domain/derive/derivation.ts'
import { needsOf } from '../domain/derive/derivations.ts'
import { growthFromVolume } from '../domain/derive/growth.ts'
import { inflationFromCpi } from '../domain/derive/inflation.ts'
import { tradeFromFlows } from '../domain/derive/trade.ts'
import { yearFromMonths } from '../domain/derive/year.ts'
import { frequencyOf, yearOf } from '../domain/period.ts'
import type { ApiDeps } from './deps.ts'
import type { HeldSpan } from './held-spans.ts'
import { missingFigure } from './missing-figure.ts'
import { behindSnapshot } from './snapshot-cursor.ts'

type Deps = Pick<ApiDeps, 'figures' | 'statements' | 'held'>

/** The problem of a figure that isn't served. It also says if figures that would give it wait for review. */
export async function problemOfMissing(
  { figures, statements, held }: Deps,
  indicator: ServedIndicator,
  country: string,
  period?: string,
): Promise<ProblemError> {
  const problem = missingFigure(figures, statements, indicator, country, period)
  if (!isPublic(indicator, country)) return problem
  const spans = (await held.spans()).filter((span) => span.country === country)
  const found =
    period === undefined
      ? spans.findLast((span) => inputsOf(indicator).includes(span.indicator))
      : needsFor(indicator, period)
          // A held revision of a figure that is served is no reason why another one is missing.
          .filter((need) => !figures.at(country, need.indicator, need.period))
          .flatMap((need) => spans.find((span) => covers(span, need)) ?? [])[0]
  return found ? new ProblemError(problem.code, `${problem.message} ${textOf(found)}`) : problem
}

/**
 * The problem of a period of which the read models have no print. They are behind if one is in memory: the figure exists, so the
 * client may ask again.
 */
export const problemOfUnread = async (
  deps: Deps,
  indicator: ServedIndicator,
  country: string,
  period: string,
): Promise<ProblemError> =>
  isPublic(indicator, country) &&
  (deps.figures.inHistory(country, indicator, period) ?? deps.figures.withdrawal(country, indicator, period))
    ? behindSnapshot()
    : problemOfMissing(deps, indicator, country, period)

const textOf = ({ series, from, to }: HeldSpan): string =>
  from === to
    ? `The figure of ${series} for ${from} waits for review.`
    : `Figures of ${series} between ${from} and ${to} wait for review.`

const covers = ({ indicator, from, to }: HeldSpan, need: Need): boolean =>
  indicator === need.indicator &&
  frequencyOf(from) === frequencyOf(need.period) &&
  from <= need.period &&
  need.period <= to

/** A figure, and all those from which it may be computed, whether or not a series is on record yet. */
function needsFor(indicator: ServedIndicator, period: string): Need[] {
  return [{ indicator, period }, ...needsOf({ indicator, derivation: derivationOf(indicator, period) }, period)]
}

/** The indicators from which one may be computed, itself included. */
const inputsOf = (indicator: ServedIndicator): string[] =>
  ['2024-01', '2024-Q1', '2024'].flatMap((period) => needsFor(indicator, period).map((need) => need.indicator))

function derivationOf(indicator: ServedIndicator, period: string): string {
  const isYear = yearOf(period) === period
  switch (indicator) {
    case 'inflation':
      return frequencyOf(period) === 'M' ? inflationFromCpi.name : ''
    case 'gdp-growth':
      return frequencyOf(period) === 'Q' ? growthFromVolume.name : ''
    case 'trade':
      return isYear ? `${tradeFromFlows.name}:${yearFromMonths.name}` : tradeFromFlows.name
    case 'trade-exports':
    case 'trade-imports':
      return isYear ? yearFromMonths.name : ''
    default:
      return ''
  }
}
