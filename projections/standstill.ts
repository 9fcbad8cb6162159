import type { Progress } from './projector.ts'

/** Longest that a read model may be behind the journal without any progress until it counts as standing still, ms. */
const STANDSTILL_MS = 60_000

/** Tells a read model that is behind and moves from one that stands still, by the progress that it was seen to make. */
export class Standstill {
  /** Since when each is seen to be behind at the same place. */
  readonly #behind = new Map<string, { readonly since: number; readonly mark: string }>()

  /**
   * Takes what a read model says of its progress at `now`, and returns whether it stands still. Undefined: nothing is known
   * of it, and it is not judged until something is.
   */
  judge(name: string, progress: Pick<Progress, 'lag' | 'watermarks'> | undefined, now: number): boolean {
    if (!progress || progress.lag === 0) {
      this.#behind.delete(name)
      return false
    }
    const last = this.#behind.get(name)
    const mark = JSON.stringify([...progress.watermarks].sort(([a], [b]) => a - b))
    if (mark === last?.mark) return now - last.since >= STANDSTILL_MS
    this.#behind.set(name, { since: now, mark })
    return false
  }
}
