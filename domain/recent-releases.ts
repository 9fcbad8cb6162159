import type { Release } from '../contracts/records.ts'
import { firstIndex } from './first-index.ts'

/** A release and the journal offset of its record. */
type RecentRelease = { readonly offset: number; readonly release: Release }

/** The releases that were recorded last, in the order of the journal: up to twice as many as `least`. */
export class RecentReleases {
  readonly #least: number
  #recent: RecentRelease[] = []
  /** Offset up to which releases are not here. */
  #start = -1

  constructor(least = 5_000) {
    this.#least = least
  }

  /** Begins after an offset. Without it, the journal is read from its start. */
  startAfter(offset: number): void {
    this.#start = offset
  }

  add(offset: number, release: Release): void {
    this.#recent.push({ offset, release })
    if (this.#recent.length < 2 * this.#least) return
    const dropped = this.#recent.splice(0, this.#least)
    this.#start = dropped.at(-1)?.offset ?? this.#start
  }

  /** All releases after an offset; undefined if some of them are not here. */
  since(offset: number): readonly RecentRelease[] | undefined {
    if (offset < this.#start) return undefined
    return this.#recent.slice(firstIndex(this.#recent.length, (i) => (this.#recent[i]?.offset ?? 0) <= offset))
  }
}
