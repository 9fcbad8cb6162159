import type { Progress } from './projector.ts'

/** Time without progress after which a read model that is behind the journal counts as standing still, ms. */
const STANDSTILL_MS = 60_000

/** Distinguishes a read model that is behind but progresses from one that stands still. */
export class Standstill {
  /** Time since when each read model has been behind at the same place. */
  readonly #behind = new Map<string, { readonly since: number; readonly mark: string }>()

  /**
   * Takes the progress of a read model at `now` and returns whether it stands still. If the progress is unknown
   * (undefined), returns false.
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
