import type { Store } from './store.ts'

type Snapshot = <T>(look: (store: Store) => T) => T
type Waiter = {
  readonly log: number
  readonly hasChanged: (store: Store) => boolean
  readonly wake: () => void
  readonly fail: (error: unknown) => void
}

/** Says when another process may have committed; see `CommitGate.watch`. */
type Watch = (onChange: () => void, onLoss: () => void) => () => void

export type TailTimes = {
  /** Shortest time between two looks for commits of other processes; also how often to look where no hints come. */
  readonly pollMs: number
  /** How often to look although hints come, for one that went astray. */
  readonly anywayMs: number
}

/**
 * Waiting for commits. This process's own wake the waiters concerned at once; those of other processes are looked for when
 * a hint says that there may be some, only while somebody waits, and without keeping the process alive.
 */
export class Tail {
  private readonly snapshot: Snapshot
  private readonly times: TailTimes
  private readonly unwatch: () => void
  private readonly waiters = new Set<Waiter>()
  private everyMs: number
  private next: NodeJS.Timeout | undefined
  private dueAt = 0
  private lookedAt = Number.NEGATIVE_INFINITY
  private polled = 0

  constructor(snapshot: Snapshot, watch: Watch, times: TailTimes) {
    this.snapshot = snapshot
    this.times = times
    this.everyMs = times.anywayMs
    this.unwatch = watch(
      () => this.hint(),
      () => {
        this.everyMs = times.pollMs
      },
    )
  }

  /**
   * Resolves once `log` has changed after the snapshot in which the number of commits was `seen`, or when `signal` aborts.
   * To be called in the turn of the event loop that read the snapshot, so that no commit of this process lies between.
   * `hasChanged` spares those who would find nothing new after another process's commit. Rejects if the journal can't be
   * read.
   */
  async wait(log: number, seen: number, signal: AbortSignal, hasChanged = (_: Store) => true): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { log, hasChanged, wake: () => resolve(), fail: reject }
    this.waiters.add(waiter)
    this.startPolling(seen)
    signal.addEventListener('abort', waiter.wake)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', waiter.wake)
      this.waiters.delete(waiter)
      if (this.waiters.size === 0) this.rest()
    }
  }

  /** This process has committed changes of these logs. */
  changed(logs: ReadonlySet<number>): void {
    for (const waiter of this.waiters) if (logs.has(waiter.log)) waiter.wake()
  }

  close(): void {
    this.unwatch()
    this.rest()
  }

  private startPolling(seen: number): void {
    if (this.next) return
    this.polled = seen
    this.lookIn(this.everyMs)
  }

  private rest(): void {
    clearTimeout(this.next)
    this.next = undefined
  }

  private lookIn(ms: number): void {
    clearTimeout(this.next)
    this.next = setTimeout(() => this.poll(), ms).unref()
    this.dueAt = performance.now() + ms
  }

  /** Looks at once after a pause; commits that come fast are looked for together. */
  private hint(): void {
    const soonest = this.lookedAt + this.times.pollMs
    if (!this.next || this.dueAt <= soonest) return
    const wait = soonest - performance.now()
    if (wait <= 0) this.poll()
    else this.lookIn(wait)
  }

  private poll(): void {
    this.lookedAt = performance.now()
    this.lookIn(this.everyMs)
    try {
      this.snapshot((store) => {
        const commits = store.commits()
        if (commits === this.polled) return
        this.polled = commits
        for (const waiter of this.waiters) if (waiter.hasChanged(store)) waiter.wake()
      })
    } catch (error) {
      for (const waiter of this.waiters) waiter.fail(error)
    }
  }
}
