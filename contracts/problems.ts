import { Type } from '#typebox'
import { hideKeys, hideKeysInPath } from './key-text.ts'
import { strict } from './scalars.ts'

/**
 * The catalogue of errors. HTTP problems, their pages under /problems/{code}, OpenAPI, MCP errors and socket close
 * codes all come from it. A code is never reused for another meaning.
 */
type ProblemDefinition = {
  readonly status: number
  readonly title: string
  /** Advice to the caller, in one sentence. Shown on the problem's page and to MCP clients. */
  readonly advice: string
  /** Whether the same call may succeed later. Such answers carry Retry-After. */
  readonly retry: boolean
}
const problem = (status: number, title: string, advice: string, retry = false): ProblemDefinition => ({
  status,
  title,
  advice,
  retry,
})

export const problems = {
  invalid_query: problem(400, 'Invalid query', 'Correct the query parameter that the detail names; see /openapi.json.'),
  invalid_path: problem(400, 'Invalid path', 'Correct the path parameter that the detail names; see /openapi.json.'),
  invalid_body: problem(400, 'Invalid body', 'Correct the body member that the detail names; see /openapi.json.'),
  cursor_invalid: problem(
    400,
    'Cursor is not valid',
    'Use a cursor exactly as it was handed out, or start without one.',
  ),
  cursor_ahead: problem(400, 'Cursor is ahead of the journal', 'Go on from the cursor in the Link header (latest).'),
  cursor_foreign: problem(
    400,
    'Cursor of another journal',
    'Start again from the first page; with events, go on from the cursor in the Link header (earliest).',
  ),
  cursor_mismatch: problem(
    400,
    'Cursor made for another query',
    'Send the cursor alone, or with the filters it was made for.',
  ),
  unauthorized: problem(
    401,
    'Missing or invalid API key',
    'Send the header Authorization: Bearer <API_KEY> with a valid key.',
  ),
  plan_upgrade_required: problem(403, 'Plan does not include this', 'Use a key of a plan that includes it.'),
  origin_not_allowed: problem(403, 'Origin is not allowed', 'Add the origin to the key, or ask for an allowed one.'),
  no_complete_publication: problem(
    404,
    'No complete publication',
    'Ask for another period or country; nothing complete is published for this one.',
  ),
  no_dated_evidence: problem(
    404,
    'No dated evidence by this day',
    'Ask for the day that the detail names or a later one; what was known before it is not on record.',
  ),
  never_published: problem(
    404,
    'Never published',
    'Ask for another period: the publisher has no figure for this one, and nothing is interpolated.',
  ),
  not_yet_published: problem(
    404,
    'Not yet published',
    'Leave out partner, product and classification; filtered totals are not published yet.',
  ),
  commodity_not_supported: problem(404, 'Commodity is not served', 'Use a commodity code of /v1/catalog/instruments.'),
  currency_not_supported: problem(404, 'Currency is not served', 'Use a currency code of /v1/catalog/instruments.'),
  pair_not_quoted: problem(
    404,
    'No source quotes the pair',
    'Ask for the ticks of the pairs that the detail names, or for the candles of this one.',
  ),
  event_not_found: problem(404, 'No such event', 'Check the id; only events of families your plan includes are found.'),
  release_not_found: problem(
    404,
    'No such release',
    'Check the id; it is in the Link header of a figure, in vintages and in inputs.',
  ),
  route_not_found: problem(404, 'No such path', 'See /openapi.json for the paths served.'),
  method_not_allowed: problem(405, 'Method not allowed', 'Use a method named in the Allow header.'),
  not_acceptable: problem(406, 'Not acceptable', 'Accept a media type that the detail names.'),
  cursor_superseded: problem(
    410,
    'Cursor of a history that was replaced',
    'Start again from the first page; with events, go on from the cursor in the Link header (branch), and decide about those that you have from there on.',
  ),
  cursor_expired: problem(
    410,
    'Cursor has expired',
    'Start again from the first page; with events, go on from the cursor in the Link header (earliest).',
  ),
  answer_too_large: problem(413, 'Answer too large', 'Ask for the parts that the detail names.'),
  body_too_large: problem(413, 'Body too large', 'Send at most 64 KiB.'),
  unsupported_media_type: problem(415, 'Unsupported media type', 'Send Content-Type: application/json.'),
  upgrade_required: problem(426, 'WebSocket only', 'Connect with a WebSocket client; see /asyncapi.json.'),
  quota_exhausted: problem(
    429,
    'Monthly quota exhausted',
    'Wait for the next calendar month (UTC), or use a larger plan.',
    true,
  ),
  rate_limited: problem(429, 'Too many calls a minute', 'Wait for the seconds in Retry-After.', true),
  internal: problem(500, 'Internal error', 'Report the request_id; the fault is in the service.'),
  not_implemented: problem(501, 'Not implemented', 'Ask in one of the ways that the detail names.'),
  unavailable: problem(503, 'Service unavailable', 'Try again after the seconds in Retry-After.', true),
  price_unavailable: problem(
    503,
    'No price yet',
    'Try again later: no source has given a price for this instrument yet.',
    true,
  ),
} as const satisfies Record<string, ProblemDefinition>

export type ProblemCode = keyof typeof problems

/** The body of every error response, media type application/problem+json (specification 2.6). */
export const Problem = strict(
  {
    ok: Type.Optional(Type.Literal(false, { default: false })),
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    code: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    request_id: Type.String(),
    instance: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { $id: 'Problem' },
)
export type Problem = Type.Static<typeof Problem>

/**
 * An error of the catalogue. `detail` tells the client in one sentence what was wrong and where. It may repeat what the
 * client sent, but never a key.
 */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly headers: Readonly<Record<string, string>>
  constructor(code: ProblemCode, detail: string, options?: ErrorOptions & { headers?: Record<string, string> }) {
    super(hideKeys(detail), options)
    this.name = 'ProblemError'
    this.code = code
    this.headers = options?.headers ?? {}
  }
}

/** The document of a problem. Like an error's, its texts may repeat what the client sent, but never a key. */
export const toProblem = (code: ProblemCode, detail: string, requestId: string, instance: string): Problem => ({
  ok: false,
  type: `/problems/${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: hideKeys(detail),
  code,
  request_id: requestId,
  instance: hideKeysInPath(instance),
})
