/**
 * Rules of ownership for every adapter: when a contender takes a name, and when an owner has lost it. The rules decide from
 * the claim's row and from what is known about its owner. They read no clock. See docs/decisions/0047-ownership.md.
 */

/** State of the owner in a claim's row, as far as a contender can tell. */
export type ClaimStanding =
  /** There is no row, or its owner has released the name. */
  | 'free'
  /** The row names this process. It left the row behind: a process that contends for a name does not hold it. */
  | 'self'
  /** The owner's process has ended. */
  | 'gone'
  /** The owner's process runs on this machine, so its end will be seen. */
  | 'running'
  /** The owner's process is on another machine or in another container. */
  | 'remote'

/** `silent`: for the whole expiry the contender has received no heartbeat of the owner (`Attention`). */
type Heard = 'heard' | 'silent'

export type ContenderAct =
  | 'take'
  /** Read the row again soon. */
  | 'watch'
  /** Read the row again when the owner would count as silent, or when a change of ownership is announced. */
  | 'listen'

const contenderActs: Readonly<Record<ClaimStanding, Readonly<Record<Heard, ContenderAct>>>> = {
  free: { heard: 'take', silent: 'take' },
  self: { heard: 'take', silent: 'take' },
  gone: { heard: 'take', silent: 'take' },
  running: { heard: 'watch', silent: 'take' },
  remote: { heard: 'listen', silent: 'take' },
}

/** Returns what a contender does next. `leftMs` is how much longer the owner may be silent. */
export const contenderAct = (standing: ClaimStanding, leftMs: number): ContenderAct =>
  contenderActs[standing][leftMs > 0 ? 'heard' : 'silent']

/**
 * Returns the state of a row's owner. `ourselves` is the instance of this process; `fateOf` tells whether the owner's
 * process runs.
 */
export function standingOf<O extends { readonly instance: string }>(
  owner: O | null | undefined,
  ourselves: string,
  fateOf: (owner: O) => 'running' | 'gone' | 'unknown',
): ClaimStanding {
  if (!owner) return 'free'
  if (owner.instance === ourselves) return 'self'
  const fate = fateOf(owner)
  return fate === 'unknown' ? 'remote' : fate
}

/**
 * Returns whether a newer owner has taken the name. A row of an older epoch proves nothing: the owner's own row may not
 * be readable yet.
 */
export const isSuperseded = (epoch: number, rowEpoch: number | undefined): boolean =>
  rowEpoch !== undefined && rowEpoch > epoch

/**
 * Measures how long owners have been silent, counting only the time during which this process listened. Otherwise a pause of
 * this process, or an outage of the journal, would look like the end of another process. Clocks of different processes are
 * never compared.
 */
export class Attention {
  readonly #expiryMs: number
  readonly #longestMs: number
  #listenedMs = 0
  /** Time of each owner's last heartbeat, in ms of listening. Owners that count as silent are removed. */
  readonly #heardAt = new Map<string, number>()

  /** A single step of listening counts for `longestMs` at most, because this process may have been paused for the rest. */
  constructor(expiryMs: number, longestMs: number) {
    this.#expiryMs = expiryMs
    this.#longestMs = longestMs
  }

  /** Adds a step of listening that took `ms`. Call `hear` afterwards for each owner that was heard during it. */
  listen(ms: number): void {
    this.#listenedMs += Math.min(ms, this.#longestMs)
    for (const [owner, at] of this.#heardAt) if (this.#listenedMs - at >= this.#expiryMs) this.#heardAt.delete(owner)
  }

  /** Notes a sign of life of an owner. The first sight of an owner is one, too. */
  hear(owner: string): void {
    this.#heardAt.set(owner, this.#listenedMs)
  }

  /** Returns how much longer an owner may be silent, in ms of listening; 0 once it has been silent for the expiry. */
  leftMs(owner: string): number {
    const at = this.#heardAt.get(owner)
    return at === undefined ? 0 : this.#expiryMs - (this.#listenedMs - at)
  }
}
