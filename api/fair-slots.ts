import { ProblemError } from '../contracts/problems.ts'

/** Limits of the operations that query ClickHouse: how many run at a time, how many wait, and for how long. */
export type SlotLimits = {
  /** Operations of all accounts that run at a time. Must be below the number of connections of the ClickHouse client. */
  readonly running: number
  readonly runningPerAccount: number
  /** Operations of one account that may wait; the next one is refused at once. */
  readonly waitingPerAccount: number
  /** Operations of all accounts that may wait. */
  readonly waiting: number
  /** Longest wait, ms. */
  readonly waitMs: number
}

export const slotLimits: SlotLimits = {
  running: 6,
  runningPerAccount: 2,
  waitingPerAccount: 64,
  waiting: 1_024,
  waitMs: 5_000,
}

/** Releases the slot. A second call does nothing. */
export type ReleaseSlot = () => void

type Waiter = { readonly start: () => void; readonly fail: (problem: ProblemError) => void }

type Account = {
  running: number
  /** Operations that have released their slot since this account was last forgotten. */
  finished: number
  readonly waiting: Set<Waiter>
}

/**
 * Slots for expensive operations, shared fairly between accounts. Each account has a bounded number of them. A free slot goes
 * to the accounts round-robin, and within an account to the operation that has waited longest.
 *
 * The state belongs to one process: each node limits the operations that it runs itself.
 */
export class FairSlots {
  readonly #limits: SlotLimits
  readonly #accounts = new Map<string, Account>()
  /** Accounts with waiting operations, the next one first. */
  readonly #ring = new Set<string>()
  #running = 0
  #waiting = 0
  #isClosed = false

  constructor(limits: SlotLimits = slotLimits) {
    this.#limits = limits
  }

  /**
   * Resolves once the operation may run, with the function that releases its slot. Rejects with the problem `rate_limited` if
   * the account has too many operations waiting, or waits too long for its own. Rejects with `unavailable` if too many
   * operations of other accounts wait, or if none of the account's finishes. `gone` is called only if the operation has to
   * wait. When its signal aborts, the operation leaves the queue.
   */
  async take(account: string, gone?: () => AbortSignal): Promise<ReleaseSlot> {
    const { running, runningPerAccount, waiting, waitingPerAccount } = this.#limits
    const own = this.#accountOf(account)
    // An operation must not overtake earlier ones of its account.
    if (this.#running < running && own.running < runningPerAccount && own.waiting.size === 0) {
      return this.#occupy(account, own)
    }
    if (this.#isClosed) {
      this.#forgetIfIdle(account, own)
      throw closing()
    }
    if (own.waiting.size >= waitingPerAccount) throw this.#tooMany()
    if (this.#waiting >= waiting) {
      this.#forgetIfIdle(account, own)
      throw busy('Too many requests of other accounts are waiting.')
    }
    return this.#wait(account, own, gone?.())
  }

  /** Refuses waiting operations, and from now on those that would have to wait. A shutdown finishes only running ones. */
  close(): void {
    this.#isClosed = true
    for (const { waiting } of [...this.#accounts.values()]) for (const waiter of [...waiting]) waiter.fail(closing())
  }

  #accountOf(name: string): Account {
    const account = this.#accounts.get(name) ?? { running: 0, finished: 0, waiting: new Set() }
    this.#accounts.set(name, account)
    return account
  }

  #occupy(name: string, account: Account): ReleaseSlot {
    account.running++
    this.#running++
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      account.running--
      account.finished++
      this.#running--
      this.#forgetIfIdle(name, account)
      this.#startNext()
    }
  }

  #wait(name: string, account: Account, gone: AbortSignal | undefined): Promise<ReleaseSlot> {
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseSlot>()
    const finishedBefore = account.finished
    const leave = () => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', giveUp)
      account.waiting.delete(waiter)
      this.#waiting--
      if (account.waiting.size === 0) this.#ring.delete(name)
    }
    const fail = (problem: ProblemError) => {
      leave()
      this.#forgetIfIdle(name, account)
      reject(problem)
    }
    const waiter: Waiter = {
      fail,
      start: () => {
        leave()
        resolve(this.#occupy(name, account))
      },
    }
    // No client is left to read this problem.
    const giveUp = () => fail(new ProblemError('rate_limited', 'The client left before its request was run.'))
    const timer = setTimeout(() => {
      const hasProgress = account.finished > finishedBefore
      fail(hasProgress ? this.#tooMany() : busy('The read models answer too slowly.'))
    }, this.#limits.waitMs)
    gone?.addEventListener('abort', giveUp)
    account.waiting.add(waiter)
    this.#waiting++
    this.#ring.add(name)
    if (gone?.aborted) giveUp()
    return promise
  }

  /** Starts waiting operations while there are free slots, one account after another. */
  #startNext(): void {
    // An account goes to the end of the ring when it is served, or passed over because it runs as many as it may.
    for (let passed = 0; passed < this.#ring.size && this.#running < this.#limits.running; ) {
      const [name] = this.#ring
      if (name === undefined) return
      const account = this.#accountOf(name)
      const [next] = account.waiting
      const isFull = account.running >= this.#limits.runningPerAccount
      this.#ring.delete(name)
      this.#ring.add(name)
      if (isFull || !next) passed++
      else {
        next.start()
        passed = 0
      }
    }
  }

  #forgetIfIdle(name: string, { running, waiting }: Account): void {
    if (running === 0 && waiting.size === 0) this.#accounts.delete(name)
  }

  #tooMany(): ProblemError {
    const { runningPerAccount, waitingPerAccount, waitMs } = this.#limits
    const detail = `An account may have ${runningPerAccount} reads of events or histories running, and ${waitingPerAccount} more waiting for up to ${waitMs / 1_000} s. Send fewer requests at a time.`
    return new ProblemError('rate_limited', detail, { headers: { 'retry-after': this.#retryAfter() } })
  }

  /** Seconds after which every operation that waits now has started or been refused. */
  #retryAfter(): string {
    return String(Math.ceil(this.#limits.waitMs / 1_000))
  }
}

const closing = () => busy('The service is shutting down.')
const busy = (detail: string): ProblemError => new ProblemError('unavailable', detail)
