import { type ProblemCode, ProblemError, problems } from '../contracts/problems.ts'

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

/** Whether operators should hear of it: a fault of ours, but no state that every start passes through. */
export const isFault = ({ code }: ProblemError): boolean => problems[code].status >= 500 && code !== 'price_unavailable'

/** The headers that go with a problem, lower case. */
export function headersOf({ code, headers }: ProblemError): Record<string, string> {
  const { status, retry } = problems[code]
  return {
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retry ? { 'retry-after': retryAfter[code] ?? '60' } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
}
