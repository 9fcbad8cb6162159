import type { ProblemCode, StreamErrorCode } from './generated/schema.ts'
import { streamErrorMeanings } from './generated/stream-errors.ts'
import type { MachineFailure } from './machine.ts'

/** A code that this version does not know. New ones may be added within /v1. */
type Other = string & Record<never, never>

/** Statuses of answers that may differ for the same call later. */
const passing: readonly number[] = [429, 502, 503, 504]

export type RestFailure = {
  /** `unreachable`: there was no answer. */
  readonly code: ProblemCode | 'unreachable' | Other
  readonly detail: string
  readonly status?: number | null
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/**
 * A REST call that failed: its answer is a problem document (RFC 9457), or it had no answer. Programs go by `code`; the
 * message is for people and may change.
 */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly code: RestFailure['code']
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null
  readonly requestId: string | null
  /** Seconds after which the same call may succeed; null if the service did not say. */
  readonly retryAfter: number | null

  constructor({ code, detail, status = null, requestId = null, retryAfter = null, cause }: RestFailure) {
    super(detail, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  /** Whether the same call may succeed later. */
  get isRetryable(): boolean {
    return this.status === null || passing.includes(this.status)
  }
}

/** Codes of the client itself, for ends that the server did not explain. */
type OwnCode = 'refused' | 'timed_out' | 'connection_lost' | 'protocol_error'

/** An error that ended a stream for good. Errors that pass are retried and never seen. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly code: StreamErrorCode | ProblemCode | OwnCode | Other
  /** Close code or HTTP status, as far as known. */
  readonly status: number | null
  /** Where the server offers to continue. Events before it may be lost, so continuing there is the program's decision. */
  readonly resumeCursor: string | null

  constructor({ code, detail, status, resume_cursor }: MachineFailure) {
    // The prices stream sends codes without a detail.
    const meaning = detail || streamErrorMeanings[code]
    super(meaning ? `${code}: ${meaning}` : code)
    this.code = code
    this.status = status
    this.resumeCursor = resume_cursor
  }
}
