import type { Indicator, ServedIndicator } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { ApiDeps } from './deps.ts'
import { missingFigure } from './missing-figure.ts'

type Deps = Pick<ApiDeps, 'figures' | 'statements' | 'held'>

/** The indicators from which others are computed. */
const inputs: Readonly<Partial<Record<ServedIndicator, readonly Indicator[]>>> = {
  inflation: ['cpi'],
  'gdp-growth': ['gdp-volume'],
  trade: ['trade-exports', 'trade-imports'],
}

/** The problem of a figure that isn't served, which also says if figures wait for review that would give it. */
export async function missingOrHeld(
  { figures, statements, held }: Deps,
  indicator: ServedIndicator,
  country: string,
  period?: string,
): Promise<ProblemError> {
  const problem = missingFigure(figures, statements, indicator, country, period)
  if (period === undefined || !/^[A-Z]{3}$/.test(country)) return problem
  const starts = [indicator, ...(inputs[indicator] ?? [])].map((input) => `${country}.${input}.`)
  // Without the read model the answer is still true, and says less.
  const locations = await held.locations(starts).catch(() => [])
  const texts = locations.flatMap((location) => {
    const [, series, from = '', to = from] = /^(\S+), (\S+?)(?: to (\S+))? \(/.exec(location) ?? []
    if (series === undefined || from.length !== period.length || period < from || period > to) return []
    return [
      from === to ? `The figure of ${series} for ${from} waits` : `Figures of ${series} from ${from} to ${to} wait`,
    ]
  })
  const [text] = texts
  return text === undefined ? problem : new ProblemError(problem.code, `${problem.message} ${text} for review.`)
}
