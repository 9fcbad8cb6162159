import { Readable } from 'node:stream'
import { exportLimits } from '../contracts/events.ts'
import { ProblemError } from '../contracts/problems.ts'

/** Bytes of an export that are made before its client has read those before. */
const AHEAD_BYTES = 64 * 1_024
/** Time that running exports have for their last line when the service stops, ms. */
const LAST_LINE_MS = 1_000
const RETRY_AFTER_S = '5'

/** The exports that run on this node: bounded in all and for each account, and ended when the service stops. */
export class Exports {
  readonly #accounts = new Map<string, number>()
  readonly #streams = new Set<Readable>()
  readonly #closing = new AbortController()

  /**
   * Starts an export. Its lines are made as the client reads them, and no further. Throws `rate_limited` if the account runs
   * too many, and `unavailable` if the node does. `lines` gets a signal that aborts when the service stops.
   */
  start(account: string, lines: (closing: AbortSignal) => AsyncIterable<string>): Readable {
    const running = this.#accounts.get(account) ?? 0
    if (running >= exportLimits.runningPerAccount) {
      const detail = `An account may run ${exportLimits.runningPerAccount} exports at a time. Wait until one of them has ended.`
      throw new ProblemError('rate_limited', detail, { headers: { 'retry-after': RETRY_AFTER_S } })
    }
    if (this.#streams.size >= exportLimits.running || this.#closing.signal.aborted) {
      throw new ProblemError(
        'unavailable',
        'Too many exports of other accounts are running, or the service is stopping.',
      )
    }
    const stream = Readable.from(lines(this.#closing.signal), { objectMode: false, highWaterMark: AHEAD_BYTES })
    this.#accounts.set(account, running + 1)
    this.#streams.add(stream)
    stream.once('close', () => {
      this.#streams.delete(stream)
      const left = (this.#accounts.get(account) ?? 1) - 1
      if (left > 0) this.#accounts.set(account, left)
      else this.#accounts.delete(account)
    })
    return stream
  }

  /** Ends all exports: by their last line, or without it if their clients do not read. */
  close(): void {
    this.#closing.abort()
    setTimeout(() => {
      for (const stream of this.#streams) stream.destroy()
    }, LAST_LINE_MS).unref()
  }
}
