import { servedIndicators, servingOf } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import { type Named, nearest } from '../domain/nearest.ts'

const MAX_SHOWN = 200

/** What may follow a country in a path: an indicator, or a list below it. Codes of the catalogue are other names of it. */
const paths: readonly Named[] = ['', '/observations', '/vintages'].flatMap((list) =>
  servedIndicators.map((code) => ({ code: servingOf(code).path + list, name: code + list })),
)
const indicatorPaths = servedIndicators.map((code) => servingOf(code).path)

/** The problem of a path that isn't served. Below a country it names the indicator that was probably meant, else all. */
export const missingPath = (path: string): ProblemError =>
  new ProblemError('route_not_found', `Nothing is served at ${path.slice(0, MAX_SHOWN)}.${hintFor(path)}`)

function hintFor(path: string): string {
  const [, country, rest] = /^(\/v1\/economics\/[^/]+\/)(.+)$/.exec(path.slice(0, MAX_SHOWN)) ?? []
  if (country === undefined || rest === undefined) return ''
  const meant = nearest(rest, paths)
  return meant ? ` Did you mean ${country}${meant.code}?` : ` Indicators: ${indicatorPaths.join(', ')}.`
}
