import { streamLimits } from '../contracts/streams.ts'

/** A ping follows at the latest so many bytes after the one before. A client that reads so much in 5 s is never cut. */
export const PING_EVERY_BYTES = 32 * 1024
/** A ping follows at the latest so long after the one before, ms, if anything was sent since. */
const PING_EVERY_MS = 750

/**
 * How far a client has read what it was sent, as its answers to WebSocket pings show. The kernels on both sides take
 * megabytes for a client that has stopped reading, so what the socket takes proves nothing. A ping waits in line with the
 * data, and its answer says that everything before it was read. Nothing is pinged while nothing is sent.
 *
 * The payload of a ping is the number of bytes sent before it. Times are monotonic ms.
 */
export class ReadProgress {
  #sent = 0
  #read = 0
  /** Bytes sent before each ping that waits for its answer, in ascending order. */
  readonly #awaited: number[] = []
  /** Bytes sent before the last ping. */
  #pinged = 0
  #pingedAt = Number.NEGATIVE_INFINITY
  /** When the client last answered, or since when it owes an answer. */
  #shownAt = 0

  /** Bytes sent that the client hasn't been seen to read. */
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

  /** Whether enough was sent for a ping, whenever the last one was. */
  get isFull(): boolean {
    return this.#sent - this.#pinged >= PING_EVERY_BYTES
  }

  isPingDue(now: number): boolean {
    return this.#sent > this.#pinged && (this.isFull || now - this.#pingedAt >= PING_EVERY_MS)
  }

  /** Notes a ping that is sent now; returns its payload. */
  ping(now: number): string {
    if (this.#awaited.length === 0) this.#shownAt = now
    this.#awaited.push(this.#sent)
    this.#pinged = this.#sent
    this.#pingedAt = now
    return String(this.#sent)
  }

  /** Takes a pong. One for the latest of several pings answers those before it too (RFC 6455, 5.5.3); others count for nothing. */
  answered(payload: string, now: number): void {
    const place = this.#awaited.indexOf(Number(payload))
    if (place < 0) return
    this.#read = this.#awaited[place] as number
    this.#awaited.splice(0, place + 1)
    this.#shownAt = now
  }

  /**
   * Whether the client hasn't read on for 5 s. Where a frame longer than `PING_EVERY_BYTES` stands before the next ping, it has
   * 5 s for each time that the frame holds so much.
   */
  isStalled(now: number): boolean {
    const next = this.#awaited[0]
    if (next === undefined) return false
    const pieces = Math.max(1, (next - this.#read) / PING_EVERY_BYTES)
    return now - this.#shownAt >= pieces * streamLimits.stalledMs
  }
}
