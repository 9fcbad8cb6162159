/**
 * The rules of ownership for every adapter: what a contender does about a name, and when an owner has lost it. They decide
 * from the claim's row and from what is known about its owner, and read no clock. See
 * docs/decisions/0047-ownership.md.
 */

/** What a contender can tell about the owner in a claim's row. */
export type Standing =
  /** There is no row, or its owner has released the name. */
  | 'free'
  /** The row names this process, which has one contender for a name at a time and thus holds nothing. */
  | 'relic'
  /** The owner's process has ended. */
  | 'gone'
  /** The owner's process runs on this machine: its end will be seen. */
  | 'running'
  /** The owner's process is on another machine or in another container. */
  | 'out of sight'

/** `silent`: the contender has not heard of the owner for the expiry (`Attention`). */
type Heard = 'heard' | 'silent'

export type ContenderAct =
  | 'take'
  /** Look again soon. */
  | 'watch'
  /** Look again when the owner would count as silent, or when a change is announced. */
  | 'listen'

const contenderActs: Readonly<Record<Standing, Readonly<Record<Heard, ContenderAct>>>> = {
  free: { heard: 'take', silent: 'take' },
  relic: { heard: 'take', silent: 'take' },
  gone: { heard: 'take', silent: 'take' },
  running: { heard: 'watch', silent: 'take' },
  'out of sight': { heard: 'listen', silent: 'take' },
}

/** `leftMs`: how much longer the owner may be silent. */
export const contenderAct = (standing: Standing, leftMs: number): ContenderAct =>
  contenderActs[standing][leftMs > 0 ? 'heard' : 'silent']

/** `ourselves` is the instance of this process; `fateOf` says what has become of the owner's process. */
export function standingOf<O extends { readonly instance: string }>(
  owner: O | null | undefined,
  ourselves: string,
  fateOf: (owner: O) => 'running' | 'gone' | 'unknown',
): Standing {
  if (!owner) return 'free'
  if (owner.instance === ourselves) return 'relic'
  const fate = fateOf(owner)
  return fate === 'unknown' ? 'out of sight' : fate
}

/** A row of an older epoch says nothing: the owner's own may not be readable yet. */
export const isSuperseded = (epoch: number, rowEpoch: number | undefined): boolean =>
  rowEpoch !== undefined && rowEpoch > epoch

/**
 * Measures silence in time during which this process listened, so that neither its own stop nor an outage of the journal
 * looks like the end of another process. Clocks of different processes are never compared.
 */
export class Attention {
  private readonly expiryMs: number
  private readonly longestMs: number
  private listenedMs = 0
  /** When each owner was last heard of, in ms of listening. Those who are silent are not kept. */
  private readonly heardAt = new Map<string, number>()

  /** Of a single step of listening no more than `longestMs` counts: the rest may have been a stop. */
  constructor(expiryMs: number, longestMs: number) {
    this.expiryMs = expiryMs
    this.longestMs = longestMs
  }

  /** Counts a step of listening that took `ms`. What was heard in it is reported afterwards. */
  listen(ms: number): void {
    this.listenedMs += Math.min(ms, this.longestMs)
    for (const [owner, at] of this.heardAt) if (this.listenedMs - at >= this.expiryMs) this.heardAt.delete(owner)
  }

  /** An owner was heard of. One that is seen for the first time counts as heard, too. */
  hear(owner: string): void {
    this.heardAt.set(owner, this.listenedMs)
  }

  /** How much longer an owner may be silent, in ms of listening; 0 once it has been silent for the expiry. */
  leftMs(owner: string): number {
    const at = this.heardAt.get(owner)
    return at === undefined ? 0 : this.expiryMs - (this.listenedMs - at)
  }
}
