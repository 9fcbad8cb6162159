import type { ProblemCode, StreamErrorCode } from './generated/schema.ts'
import type { Failure } from './machine.ts'

/** A code that this version does not know. New ones may be added within /v1. */
type Other = string & Record<never, never>

/** Statuses of answers that may differ for the same call later. */
const passing: readonly number[] = [429, 502, 503, 504]

/** An answer that is a problem document (RFC 9457). Programs go by `code`; `detail` is for people and may change. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode | Other
  readonly status: number
  readonly requestId: string | null
  /** Seconds after which the same call may succeed; null if the service did not say. */
  readonly retryAfter: number | null

  constructor(answer: Response, body: unknown) {
    // A cast, because the body may be anything: a proxy's error page, for example.
    const { code, title, detail, request_id } = (typeof body === 'object' && body ? body : {}) as Record<
      string,
      unknown
    >
    super(String(detail ?? title ?? `The answer has status ${answer.status}.`))
    this.code = String(code ?? 'unknown')
    this.status = answer.status
    this.requestId = typeof request_id === 'string' ? request_id : null
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : null
  }

  get isRetryable(): boolean {
    return passing.includes(this.status)
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

  constructor({ code, detail, status, resume_cursor }: Failure) {
    super(detail === '' ? code : `${code}: ${detail}`)
    this.code = code
    this.status = status
    this.resumeCursor = resume_cursor
  }
}
