import type { RefusalReason } from '../../access/connection-table.ts'
import type { Log } from '../../infra/log.ts'

const REPORT_EVERY_MS = 10_000

const remedies: Readonly<Record<RefusalReason, string>> = {
  address:
    'too many connections from one address: if it is a proxy, set ALMANAC_TRUSTED_PROXIES; else see ALMANAC_CONNECTIONS_PER_ADDRESS',
  total: 'too many connections on this port: see docs/streams.md, Limits of connections',
}

/** Logs the first refused connection at once and later ones as a sum every 10 s, so that a flood does not fill the log. */
export class RefusalReport {
  readonly #port: string
  readonly #log: Pick<Log, 'warn'>
  readonly #counts = new Map<RefusalReason, number>()
  #reportAt = Number.NEGATIVE_INFINITY

  constructor(port: string, log: Pick<Log, 'warn'>) {
    this.#port = port
    this.#log = log
  }

  /** `now` is monotonic milliseconds. */
  add(address: string, reason: RefusalReason, now: number): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
    if (now < this.#reportAt) return
    this.#reportAt = now + REPORT_EVERY_MS
    for (const [why, refused] of this.#counts) {
      this.#log.warn({ port: this.#port, refused, reason: why, last_address: address }, remedies[why])
    }
    this.#counts.clear()
  }
}
