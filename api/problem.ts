import type { FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from '../base/process/http.ts'
import { hideKeysInPath } from '../contracts/key-text.ts'
import { type Problem, type ProblemCode, ProblemError, problems, toProblem } from '../contracts/problems.ts'
import { asksForPage } from './accept.ts'
import type { FaultLog } from './deps.ts'
import { vary } from './headers.ts'
import { sendPage } from './page-headers.ts'
import type { Site } from './pages/page.ts'
import { problemAnswer } from './pages/problem-pages.ts'

/** Seconds after which to retry a call that failed with this code, unless the error itself says. */
const retryAfter: Partial<Record<ProblemCode, string>> = {
  rate_limited: '60',
  quota_exhausted: '86400',
  unavailable: '5',
  price_unavailable: '30',
}

/** Codes for Fastify's own errors, by status. */
const codeOfStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_body',
  404: 'route_not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
}

const details: Partial<Record<ProblemCode, string>> = {
  internal: 'The service failed. The failure was logged under this request_id.',
  unavailable: 'A part of the service that this call needs cannot be reached at the moment.',
}

/** Turns any error into a problem for the caller. An internal error's cause is not disclosed. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  // Anything can be thrown; each field is checked before use.
  const { code, statusCode, message } = error as { code?: unknown; statusCode?: unknown; message?: unknown }
  if (code === 'unavailable') return problem('unavailable', error)
  if (code === 'FST_ERR_BAD_URL') return new ProblemError('invalid_path', 'The path holds a bad percent-encoding.')
  const known = typeof statusCode === 'number' && statusCode < 500 ? codeOfStatus[statusCode] : undefined
  return known ? new ProblemError(known, String(message)) : problem('internal', error)
}

const problem = (code: 'internal' | 'unavailable', cause: unknown) =>
  new ProblemError(code, details[code] ?? '', { cause })

/**
 * Logs the service's own faults: an internal error with its stack, an unreachable part as one line. Not logged are a client's
 * mistakes, figures that are not published, and temporary states such as a start.
 */
export function logProblem(logger: FaultLog | undefined, problem: ProblemError, error: unknown, fields: object): void {
  const cause = problem.cause ?? (error === problem ? undefined : error)
  if (problem.code === 'internal') logger?.error({ err: cause ?? error, ...fields }, problem.message)
  else if (problem.code === 'unavailable' && cause)
    logger?.warn({ reason: reasonOf(cause), ...fields }, problem.message)
}

/** The messages of an error and its causes, in one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Errors of Node have a code; it is checked before use.
  const { code } = error as { code?: unknown }
  const own = error.message || (typeof code === 'string' ? code : error.name)
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])].filter(Boolean)
  return [own, ...causes.map(reasonOf)].join(': ')
}

/**
 * Sends a problem for the requested path. A browser that opens a page of `site` gets a page; every other client, and every
 * path of the API, gets a problem document.
 */
export function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply, site: Site): void {
  const path = pathOf(request.originalUrl)
  const body = bodyOf(problem, request.id, path, site)
  reply.code(body.status).headers(problemHeaders(problem))
  const hasPage = !isForPrograms(routedPath(request.url))
  if (hasPage) vary(reply, 'accept')
  if (!hasPage || !asksForPage(request.headers.accept)) {
    reply.type('application/problem+json').send(JSON.stringify(body))
    return
  }
  sendPage(reply, problemAnswer(body, site))
}

/** The problem document. If the site has no pages about problems, its type is `about:blank` (RFC 9457, 4.2.1). */
function bodyOf({ code, message }: ProblemError, requestId: string, path: string, site: Site): Problem {
  const body = toProblem(code, message, requestId, path)
  return site.explainsProblems ? body : { ...body, type: 'about:blank', title: STATUS_CODES[body.status] ?? body.title }
}

/** Whether a path always answers with documents for programs, even to a browser. */
const isForPrograms = (path: string): boolean => /^\/(?:v1|mcp|health|ready)(?:\/|$)|\.json$/.test(path)

/** The requested path, decoded as the router does: `/%761/usage` is `/v1/usage`. */
export function routedPath(url: string): string {
  const path = pathOf(url)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The requested path, as the client wrote it. */
export const pathOf = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** The requested path as it may be logged: without a query string, and without a key. */
export const shownPath = (url: string): string => hideKeysInPath(pathOf(url))

/** The headers of a problem's answer, with names in lower case. */
export function problemHeaders({ code, headers }: ProblemError): Record<string, string> {
  const { retry } = problems[code]
  return {
    'cache-control': 'no-store',
    ...(retry ? { 'retry-after': retryAfter[code] ?? '60' } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
}
