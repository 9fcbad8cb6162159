import type { Store } from './store.ts'

type Snapshot = <T>(look: (store: Store) => T) => T
type Waiter = {
  readonly log: number
  readonly hasChanged: (store: Store) => boolean
  readonly wake: () => void
  readonly fail: (error: unknown) => void
}

/**
 * Waiting for commits. This process's own wake the waiters concerned at once; other processes' are seen by one poller,
 * which runs only while somebody waits and does not keep the process alive.
 */
export class Tail {
  private readonly snapshot: Snapshot
  private readonly pollMs: number
  private readonly waiters = new Set<Waiter>()
  private poller: NodeJS.Timeout | undefined
  private polled = 0

  constructor(snapshot: Snapshot, pollMs: number) {
    this.snapshot = snapshot
    this.pollMs = pollMs
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
      if (this.waiters.size === 0) this.stop()
    }
  }

  /** This process has committed changes of these logs. */
  changed(logs: ReadonlySet<number>): void {
    for (const waiter of this.waiters) if (logs.has(waiter.log)) waiter.wake()
  }

  stop(): void {
    clearInterval(this.poller)
    this.poller = undefined
  }

  private startPolling(seen: number): void {
    if (this.poller) return
    this.polled = seen
    this.poller = setInterval(() => this.poll(), this.pollMs).unref()
  }

  private poll(): void {
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
