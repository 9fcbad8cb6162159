/**
 * Waiting for commits. This process's own wake the waiters concerned at once; other processes' are seen by one poller,
 * which runs only while somebody waits and does not keep the process alive.
 */
export class Tail {
  private readonly readCommits: () => number
  private readonly pollMs: number
  private readonly waiters = new Set<{ log: number; wake: () => void; fail: (error: unknown) => void }>()
  private poller: NodeJS.Timeout | undefined
  private polled = 0

  /** `readCommits` reads, from a fresh snapshot, a number that grows with each commit of any process. */
  constructor(readCommits: () => number, pollMs: number) {
    this.readCommits = readCommits
    this.pollMs = pollMs
  }

  /**
   * Resolves once `log` may have changed after the snapshot in which the number of commits was `seen`, or when `signal`
   * aborts. Rejects if the journal can't be read.
   */
  async wait(log: number, seen: number, signal?: AbortSignal): Promise<void> {
    const commits = this.readCommits()
    if (signal?.aborted || commits !== seen) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { log, wake: () => resolve(), fail: reject }
    this.waiters.add(waiter)
    this.startPolling(commits)
    signal?.addEventListener('abort', waiter.wake)
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', waiter.wake)
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

  private startPolling(commits: number): void {
    if (this.poller) return
    this.polled = commits
    this.poller = setInterval(() => this.poll(), this.pollMs).unref()
  }

  private poll(): void {
    try {
      const commits = this.readCommits()
      if (commits === this.polled) return
      this.polled = commits
      for (const waiter of this.waiters) waiter.wake()
    } catch (error) {
      for (const waiter of this.waiters) waiter.fail(error)
    }
  }
}
