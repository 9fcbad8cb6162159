import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, type ProblemCode, ProblemError, problems, toProblem } from '../contracts/problems.ts'
import { asksForPage } from './accept.ts'
import type { FaultLog } from './deps.ts'
import { vary } from './headers.ts'
import { HTML, stampPage } from './page-headers.ts'
import type { Site } from './pages/page.ts'
import { problemAnswer } from './pages/problem-pages.ts'

/** Seconds after which a call that failed with this code is worth repeating, where the error itself doesn't say. */
const retryAfter: Partial<Record<ProblemCode, string>> = {
  rate_limited: '60',
  quota_exhausted: '86400',
  unavailable: '5',
  price_unavailable: '30',
}

/** Fastify's own refusals, by status. */
const codeOfStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_body',
  404: 'route_not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
}

const details: Partial<Record<ProblemCode, string>> = {
  internal: 'Something of ours went wrong; it has been logged under this request_id.',
  unavailable: 'A part of the service that this call needs cannot be reached at the moment.',
}

/** The problem that any error is to its caller. What isn't meant for callers says nothing of its cause. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  const { code, statusCode, message } = error as { code?: unknown; statusCode?: unknown; message?: unknown }
  if (code === 'unavailable') return problem('unavailable', error)
  if (code === 'FST_ERR_BAD_URL') return new ProblemError('invalid_path', 'The path holds a bad percent-encoding.')
  const known = typeof statusCode === 'number' && statusCode < 500 ? codeOfStatus[statusCode] : undefined
  return known ? new ProblemError(known, String(message)) : problem('internal', error)
}

const problem = (code: 'internal' | 'unavailable', cause: unknown) =>
  new ProblemError(code, details[code] ?? '', { cause })

/**
 * Writes down what is ours to mend: a fault with its stack, a part that is away in a line. Not logged is what a client has
 * done wrong, what is not published, and what passes by itself, as a start does.
 */
export function logProblem(logger: FaultLog | undefined, problem: ProblemError, error: unknown, fields: object): void {
  const cause = problem.cause ?? (error === problem ? undefined : error)
  if (problem.code === 'internal') logger?.error({ err: cause ?? error, ...fields }, problem.message)
  else if (problem.code === 'unavailable' && cause)
    logger?.warn({ reason: reasonOf(cause), ...fields }, problem.message)
}

/** What an error and those that caused it say, in a line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  const own = error.message || (typeof code === 'string' ? code : error.name)
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])].filter(Boolean)
  return [own, ...causes.map(reasonOf)].join(': ')
}

/**
 * Sends a problem under the path that was asked for: as a problem document, or as a page to a browser that opened an address
 * of `site`. Addresses of the API give browsers what they give everyone.
 */
export function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply, site: Site): void {
  const path = pathOf(request.url)
  const body = bodyOf(problem, request.id, path, site)
  reply.code(body.status).headers(problemHeaders(problem))
  const hasPage = !isForPrograms(routedPath(request.url))
  if (hasPage) vary(reply, 'accept')
  if (!hasPage || !asksForPage(request.headers.accept)) {
    reply.type('application/problem+json').send(JSON.stringify(body))
    return
  }
  const page = problemAnswer(body, site)
  stampPage(reply, page)
  reply.type(HTML).send(page.body)
}

/** Where nothing explains the problem, its type is that of HTTP's own status (RFC 9457, 4.2.1). */
function bodyOf({ code, message }: ProblemError, requestId: string, path: string, site: Site): Problem {
  const body = toProblem(code, message, requestId, path)
  return site.explainsProblems ? body : { ...body, type: 'about:blank', title: STATUS_CODES[body.status] ?? body.title }
}

/** Addresses whose answers are documents for programs, whoever asks. */
const isForPrograms = (path: string): boolean => /^\/(?:v1|mcp|health|ready)(?:\/|$)|\.json$/.test(path)

/** The path that was asked for as the router compares it with its routes: `/%761/usage` is `/v1/usage` to it. */
export function routedPath(url: string): string {
  const path = pathOf(url)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The path that was asked for, as it was written. */
export const pathOf = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** The headers that go with a problem, lower case. */
export function problemHeaders({ code, headers }: ProblemError): Record<string, string> {
  const { status, retry } = problems[code]
  return {
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retry ? { 'retry-after': retryAfter[code] ?? '60' } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
}
