import { problems } from './problems.ts'

/** The three streams, their limits, and every error that can end a connection. */
export const streamNames = ['prices', 'events', 'predictions'] as const
export type StreamName = (typeof streamNames)[number]

export const streamPath = (name: StreamName): string => `/v1/${name}/stream`

/** Limits of a connection (specification section 8). Times are in milliseconds. */
export const streamLimits = {
  subscribeWithinMs: 5_000,
  heartbeatEveryMs: 30_000,
  clientFrames: 30,
  frameBytes: 65_536,
  stalledMs: 5_000,
  priceCheckMs: 1_000,
  commodityPairs: 20,
  fxBases: 5,
  fxCurrencies: 64,
  /** Values of one filter of the events and predictions streams. */
  filterValues: 64,
  checkpointRecords: 1_000,
  checkpointMs: 5_000,
  ticketLifetimeMs: 30_000,
  /** A lease ends if it is not renewed for this long. Nodes renew far more often. */
  leaseMs: 15_000,
} as const

/** A limit as texts show it. */
export const seconds = (ms: number): string => `${ms / 1_000} s`

type StreamErrorDefinition = {
  /** WebSocket close code: 4000 plus the HTTP status of the same kind. */
  readonly close: number
  readonly title: string
  /** Advice to the client, in one or two sentences. */
  readonly advice: string
}
const error = (close: number, title: string, advice: string): StreamErrorDefinition => ({ close, title, advice })
const like = (code: keyof typeof problems, close: number, advice: string): StreamErrorDefinition =>
  error(close, problems[code].title, advice)

/**
 * Every `code` of a stream's error message. The connection then closes with `close` and a reason that begins with the
 * code.
 */
export const streamErrors = {
  unauthorized: error(
    4401,
    'Missing or invalid API key or ticket',
    'Connect with a valid key, or with a fresh ticket.',
  ),
  revoked: error(
    4401,
    'Key revoked or connection lease lost',
    'Connect again: a lost lease is replaced by a new one, and a key that is no longer valid gets `unauthorized`.',
  ),
  plan_upgrade_required: like('plan_upgrade_required', 4403, 'Use a key of a plan that includes the stream.'),
  stream_limit: error(
    4429,
    'Too many streams open',
    `Close another stream of this key, or use a larger plan. The streams of a crashed server are freed within ${seconds(streamLimits.leaseMs)}; then connect again.`,
  ),
  quota_unavailable: error(
    4429,
    'Monthly quota used up, or it cannot be checked',
    'See /v1/usage. Wait for the next month (UTC), use a larger plan, or connect again after some minutes. Each connection also counts as a call of the minute.',
  ),
  command_limit: error(
    4429,
    'Too many frames',
    `Send at most ${streamLimits.clientFrames} frames on a connection; connect again.`,
  ),
  subscribe_required: error(
    4408,
    'No subscribe message in time',
    `Send the subscribe message within ${seconds(streamLimits.subscribeWithinMs)} of \`ready\`.`,
  ),
  slow_consumer: error(
    4408,
    'Client stopped reading',
    `Connect again. Read in a task of its own, without a pause of ${seconds(streamLimits.stalledMs)}, and answer WebSocket pings, as libraries do.`,
  ),
  resubscribe_required: error(4400, 'Already subscribed', 'To change a subscription, connect again.'),
  invalid_command: error(4400, 'Unknown action', 'Send `subscribe` or `ping`.'),
  invalid_frame: error(
    4400,
    'Invalid frame',
    'Send one JSON object in each text frame, within the limits; see /asyncapi.json.',
  ),
  commodity_not_supported: like('commodity_not_supported', 4400, problems.commodity_not_supported.advice),
  currency_not_supported: like('currency_not_supported', 4400, problems.currency_not_supported.advice),
  filter_not_supported: error(4400, 'Unknown filter value', 'Use values from /docs.'),
  cursor_invalid: like('cursor_invalid', 4400, 'Go on from `resume_cursor` (earliest).'),
  cursor_ahead: like('cursor_ahead', 4400, 'Go on from `resume_cursor` (latest).'),
  cursor_foreign: like('cursor_foreign', 4400, 'Go on from `resume_cursor` (earliest).'),
  cursor_superseded: like(
    'cursor_superseded',
    4410,
    'Go on from `resume_cursor` (where the journal was restored), and decide about the events that you have from there on.',
  ),
  cursor_expired: like('cursor_expired', 4410, 'Go on from `resume_cursor` (earliest).'),
  unavailable: error(4503, 'Temporarily unavailable', 'Connect again later, with a growing, random delay.'),
} as const satisfies Record<string, StreamErrorDefinition>
export type StreamErrorCode = keyof typeof streamErrors

/** Codes that only some streams have. Any other code may end every stream. */
const codesOfSome: Partial<Record<StreamErrorCode, readonly StreamName[]>> = {
  commodity_not_supported: ['prices'],
  currency_not_supported: ['prices'],
  filter_not_supported: ['events', 'predictions'],
  cursor_invalid: ['events'],
  cursor_ahead: ['events'],
  cursor_foreign: ['events'],
  cursor_superseded: ['events'],
  cursor_expired: ['events'],
}

/** The codes that can end a stream. */
export const errorCodesOf = (stream: StreamName): readonly StreamErrorCode[] =>
  // A cast, because `Object.keys` forgets the type of the keys.
  (Object.keys(streamErrors) as StreamErrorCode[]).filter((code) => codesOfSome[code]?.includes(stream) ?? true)

/** Close code of a connection whose server shuts down (RFC 6455, 7.4.1). */
export const GOING_AWAY = 1001
/** Close code for a frame above `streamLimits.frameBytes`, whose error is `invalid_frame` (RFC 6455, 7.4.1). */
export const MESSAGE_TOO_BIG = 1009
