import { cancelTimer, type RunningTimer, type Time } from '../../base/time.ts'
import type { Store } from './store.ts'

type Snapshot = <T>(look: (store: Store) => T) => T
type Waiter = {
  readonly log: number
  readonly hasChanged: (store: Store) => boolean
  readonly wake: () => void
  readonly fail: (error: unknown) => void
}

/** Calls `onChange` when another process may have committed, `onLoss` if it can't tell any more: `CommitGate.watch`. */
type Watch = (onChange: () => void, onLoss: () => void) => () => void

export type TailTimes = {
  /** Shortest time between two polls for commits of other processes, and the interval if no hints come at all. */
  readonly pollMs: number
  /** Poll interval while hints come, in case one was lost. */
  readonly anywayMs: number
}

/**
 * Waits for commits. A commit of this process wakes the waiters of the changed logs at once. Commits of other processes
 * are polled after a hint. Polling runs only while there are waiters, and does not keep the process alive.
 */
export class Tail {
  readonly #snapshot: Snapshot
  readonly #times: TailTimes
  readonly #time: Time
  readonly #unwatch: () => void
  readonly #waiters = new Set<Waiter>()
  #everyMs: number
  #next: RunningTimer | undefined
  #dueAt = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #polled = 0

  constructor(snapshot: Snapshot, watch: Watch, times: TailTimes, time: Time) {
    this.#snapshot = snapshot
    this.#times = times
    this.#time = time
    this.#everyMs = times.anywayMs
    this.#unwatch = watch(
      () => this.#hint(),
      () => {
        this.#everyMs = times.pollMs
      },
    )
  }

  /**
   * Resolves once `log` has changed since the snapshot whose number of commits was `seen`, or when `signal` aborts.
   * Call it in the turn of the event loop that read the snapshot, so that no commit of this process lies between.
   * After a commit of another process, only waiters whose `hasChanged` returns true wake up. Rejects if the journal
   * can't be read.
   */
  async wait(log: number, seen: number, signal: AbortSignal, hasChanged = (_: Store) => true): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { log, hasChanged, wake: () => resolve(), fail: reject }
    this.#waiters.add(waiter)
    this.#startPolling(seen)
    signal.addEventListener('abort', waiter.wake)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', waiter.wake)
      this.#waiters.delete(waiter)
      if (this.#waiters.size === 0) this.#rest()
    }
  }

  /** Wakes the waiters of logs that this process has changed. */
  changed(logs: ReadonlySet<number>): void {
    for (const waiter of this.#waiters) if (logs.has(waiter.log)) waiter.wake()
  }

  close(): void {
    this.#unwatch()
    this.#rest()
  }

  #startPolling(seen: number): void {
    if (this.#next) return
    this.#polled = seen
    this.#lookIn(this.#everyMs)
  }

  #rest(): void {
    cancelTimer(this.#next)
    this.#next = undefined
  }

  #lookIn(ms: number): void {
    cancelTimer(this.#next)
    this.#next = this.#time.timer(ms, () => this.#poll()).unref()
    this.#dueAt = this.#time.monotonic() + ms
  }

  /** Polls at once if the last poll is at least `pollMs` ago, else when it is: fast commits share one poll. */
  #hint(): void {
    const soonest = this.#lookedAt + this.#times.pollMs
    if (!this.#next || this.#dueAt <= soonest) return
    const wait = soonest - this.#time.monotonic()
    if (wait <= 0) this.#poll()
    else this.#lookIn(wait)
  }

  #poll(): void {
    this.#lookedAt = this.#time.monotonic()
    this.#lookIn(this.#everyMs)
    try {
      this.#snapshot((store) => {
        const commits = store.commits()
        if (commits === this.#polled) return
        this.#polled = commits
        for (const waiter of this.#waiters) if (waiter.hasChanged(store)) waiter.wake()
      })
    } catch (error) {
      for (const waiter of this.#waiters) waiter.fail(error)
    }
  }
}
