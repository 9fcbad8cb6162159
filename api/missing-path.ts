import { type Named, nearest, nearestText } from '../base/nearest.ts'
import { isServed as isServedIndicator, servedIndicators, servingOf } from '../contracts/indicators.ts'
import { operations } from '../contracts/operations.ts'
import { ProblemError } from '../contracts/problems.ts'
import { searchAddress } from '../contracts/search.ts'
import { streamNames, streamPath } from '../contracts/streams.ts'
import { indicatorCalled } from './synonyms.ts'

const MAX_SHOWN = 200

/** What may follow a country in a path: an indicator, or a list below it. Codes of the catalogue are other names of it. */
const paths: readonly Named[] = ['', '/observations', '/vintages'].flatMap((list) =>
  servedIndicators.map((code) => ({ code: servingOf(code).path + list, name: code + list })),
)
const indicatorPaths = servedIndicators.map((code) => servingOf(code).path)

/**
 * The problem of a path that isn't served. It names the path without a slash at the end, if `isServed` knows that one. Below a
 * country it names the indicator that was probably meant, else all; elsewhere the path that was probably meant. It also names the
 * address that searches for the words of the path.
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
  const words = path.startsWith('/v1/') ? wordsIn(path.replace(/^\/v1\/(?:economics\/)?/, '')) : ''
  if (words === '') return ''
  const [, country, rest] = /^(\/v1\/economics\/[^/]+\/)(.+)$/.exec(path) ?? []
  if (country === undefined || rest === undefined) return meantText(nearestPath(path)) + searchText(words)
  const meant = nearest(rest, paths)?.code ?? pathCalled(rest)
  const hint = meant === undefined ? ` Indicators: ${indicatorPaths.join(', ')}.` : meantText(country + meant)
  return hint + searchText(words)
}

/** The words of a path, which may have spaces between them. */
const wordsIn = (path: string): string => path.replace(/%20|[^\p{L}\p{N}]+/gu, ' ').trim()

const meantText = (path: string | undefined): string => (path === undefined ? '' : ` Did you mean ${path}?`)
const searchText = (words: string): string => ` Search: ${searchAddress(words)}.`

/** The path of an indicator by a synonym: `jobless-rate`. */
function pathCalled(text: string): string | undefined {
  const code = indicatorCalled(wordsIn(text))
  return code !== undefined && isServedIndicator(code) ? servingOf(code).path : undefined
}

/** The nearest path that is served, with the parameters as they are. */
function nearestPath(path: string): string | undefined {
  const parts = path.split('/')
  const alike = operations.map((operation) => operation.path.split('/')).filter(({ length }) => length === parts.length)
  const filled = alike.map((template) =>
    template.map((part, at) => (part.startsWith('{') ? parts[at] : part)).join('/'),
  )
  return nearestText(path, filled)
}
