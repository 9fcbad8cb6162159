import { systemTime, type Time } from '../../base/time.ts'

/** At most `requests` in any `seconds`. */
type PublisherLimit = { readonly requests: number; readonly seconds: number }

const DAY = 86_400

/** Publishers' limits by host, from their own documentation. A host that is not listed states no limit. */
export const publisherLimits: Readonly<Record<string, readonly PublisherLimit[]>> = {
  'api.stlouisfed.org': [{ requests: 120, seconds: 60 }],
  'comtradeapi.un.org': [
    { requests: 1, seconds: 1 },
    { requests: 500, seconds: DAY },
  ],
  'sdmx.oecd.org': [{ requests: 60, seconds: 3_600 }],
}

/** Keeps the requests of this process within publishers' limits. Other processes count for themselves. */
export class PublisherPace {
  readonly #limits: Readonly<Record<string, readonly PublisherLimit[]>>
  readonly #time: Pick<Time, 'now'>
  /** Times of the last requests by host, the oldest first, UTC milliseconds. */
  readonly #sent = new Map<string, number[]>()

  constructor(limits = publisherLimits, time: Pick<Time, 'now'> = systemTime) {
    this.#limits = limits
    this.#time = time
  }

  /**
   * Returns the time until the host may be asked, in milliseconds, and counts the request for then. A longer wait than
   * `mostMs` is returned without counting it, because the caller will not ask.
   */
  take(host: string, mostMs: number): number {
    const limits = Object.hasOwn(this.#limits, host) ? (this.#limits[host] ?? []) : []
    if (limits.length === 0) return 0
    const sent = this.#sent.get(host) ?? []
    const now = this.#time.now()
    const waits = limits.map(({ requests, seconds }) => {
      const oldest = sent[sent.length - requests]
      return oldest === undefined ? 0 : oldest + seconds * 1_000 - now
    })
    const wait = Math.max(0, ...waits)
    if (wait > mostMs) return wait
    const most = Math.max(...limits.map(({ requests }) => requests))
    this.#sent.set(host, [...sent, now + wait].slice(-most))
    return wait
  }
}
