import { ProblemError, problems } from '../contracts/problems.ts'
import { isFredPath } from './fred/calls.ts'
import { isSdmxPath } from './sdmx/calls.ts'

/** Surfaces for clients that know no other way to sign in than HTTP Basic, and send it only when they are asked. */
const offersBasic = (path: string): boolean => isFredPath(path) || isSdmxPath(path)

/**
 * Value of `WWW-Authenticate` for a path. `/v1` and MCP name Bearer alone: at the word Basic a browser would ask for a
 * password, also in the middle of a page that fetches.
 */
export const challengeFor = (path: string): string =>
  offersBasic(path) ? 'Basic realm="Almanac", charset="UTF-8", Bearer' : 'Bearer'

/** A problem with the challenge of the path, if it has one. */
export function withChallenge(problem: ProblemError, path: string): ProblemError {
  const { code, message, headers, cause } = problem
  if (problems[code].status !== 401) return problem
  return new ProblemError(code, message, { cause, headers: { ...headers, 'www-authenticate': challengeFor(path) } })
}
