import { type Named, nearest } from '../base/nearest.ts'
import { servedIndicators, servingOf } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import { streamNames, streamPath } from '../contracts/streams.ts'

const MAX_SHOWN = 200

/** What may follow a country in a path: an indicator, or a list below it. Codes of the catalogue are other names of it. */
const paths: readonly Named[] = ['', '/observations', '/vintages'].flatMap((list) =>
  servedIndicators.map((code) => ({ code: servingOf(code).path + list, name: code + list })),
)
const indicatorPaths = servedIndicators.map((code) => servingOf(code).path)

/**
 * The problem of a path that isn't served. It names the path without a slash at the end, if `isServed` knows that one. Below a
 * country it names the indicator that was probably meant, else all.
 */
export const missingPath = (path: string, isServed: (path: string) => boolean): ProblemError => {
  const shown = path.slice(0, MAX_SHOWN)
  const bare = shown.replace(/\/+$/, '')
  const hint = bare !== shown && isServed(bare) ? ` Did you mean ${bare}?` : hintFor(shown)
  return new ProblemError('route_not_found', `Nothing is served at ${shown}.${hint}`)
}

/** The problem of a path that is served on the stream port only; undefined for any other path. */
export function streamElsewhere(path: string, streamBase: string): ProblemError | undefined {
  const bare = path.replace(/\/+$/, '')
  const stream = streamNames.map(streamPath).find((known) => known === bare)
  if (stream === undefined) return undefined
  return new ProblemError('route_not_found', `${stream} is a stream: connect by WebSocket to ${streamBase}${stream}.`)
}

function hintFor(path: string): string {
  const [, country, rest] = /^(\/v1\/economics\/[^/]+\/)(.+)$/.exec(path) ?? []
  if (country === undefined || rest === undefined) return ''
  const meant = nearest(rest, paths)
  return meant ? ` Did you mean ${country}${meant.code}?` : ` Indicators: ${indicatorPaths.join(', ')}.`
}
