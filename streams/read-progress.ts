import { streamLimits } from '../contracts/streams.ts'

/** Most bytes between two pings. A client that reads this much in 5 s is never cut off. */
export const PING_EVERY_BYTES = 32 * 1024
/** Longest time between two pings while anything is sent, ms. */
const PING_EVERY_MS = 750

/**
 * How far a client has read, judged by its answers to WebSocket pings. Bytes that the socket accepts prove nothing, because
 * the kernels on both sides buffer megabytes for a client that has stopped reading. A ping waits in line with the data, so
 * its answer shows that everything before it was read. While nothing is sent, no ping is sent.
 *
 * The payload of a ping is the number of bytes sent before it. Times are monotonic ms.
 */
export class ReadProgress {
  #sent = 0
  #read = 0
  /** For each unanswered ping the bytes sent before it, in ascending order. */
  readonly #awaited: number[] = []
  /** Bytes sent before the last ping. */
  #pinged = 0
  #pingedAt = Number.NEGATIVE_INFINITY
  /** When the client last answered. If it owed no answer, when the first unanswered ping was sent. */
  #shownAt = 0

  /** Bytes that were sent but not yet confirmed as read. */
  get unread(): number {
    return this.#sent - this.#read
  }

  /** Whether a ping waits for its answer. */
  get isAnswerDue(): boolean {
    return this.#awaited.length > 0
  }

  sent(bytes: number): void {
    this.#sent += bytes
  }

  /** Whether enough bytes were sent for a ping, whatever the time of the last one. */
  get isFull(): boolean {
    return this.#sent - this.#pinged >= PING_EVERY_BYTES
  }

  isPingDue(now: number): boolean {
    return this.#sent > this.#pinged && (this.isFull || now - this.#pingedAt >= PING_EVERY_MS)
  }

  /** Records a ping that is sent now, and returns its payload. */
  ping(now: number): string {
    if (this.#awaited.length === 0) this.#shownAt = now
    this.#awaited.push(this.#sent)
    this.#pinged = this.#sent
    this.#pingedAt = now
    return String(this.#sent)
  }

  /**
   * Takes a pong. It also answers the pings before the one that it names (RFC 6455, 5.5.3). A pong that names no unanswered
   * ping is ignored.
   */
  answered(payload: string, now: number): void {
    const index = this.#awaited.indexOf(Number(payload))
    if (index < 0) return
    // `indexOf` has found it.
    this.#read = this.#awaited[index] as number
    this.#awaited.splice(0, index + 1)
    this.#shownAt = now
  }

  /**
   * Whether the client has read nothing for 5 s. If more than `PING_EVERY_BYTES` were sent before the next ping, because of a
   * long frame, the client has 5 s for each `PING_EVERY_BYTES` of them.
   */
  isStalled(now: number): boolean {
    const next = this.#awaited[0]
    if (next === undefined) return false
    const pieces = Math.max(1, (next - this.#read) / PING_EVERY_BYTES)
    return now - this.#shownAt >= pieces * streamLimits.stalledMs
  }
}
