import { ProblemError } from '../contracts/problems.ts'

/** How many operations that ask ClickHouse run at a time, and how many wait for how long until they may. */
export type SlotLimits = {
  /** Operations that run at a time, over all accounts. Fewer than the connections of the ClickHouse client. */
  readonly running: number
  readonly runningPerAccount: number
  /** Operations of one account that may wait; the next one is refused at once. */
  readonly waitingPerAccount: number
  /** Operations of all accounts that may wait. */
  readonly waiting: number
  /** Longest wait, milliseconds. */
  readonly waitMs: number
}

export const slotLimits: SlotLimits = {
  running: 6,
  runningPerAccount: 2,
  waitingPerAccount: 64,
  waiting: 1_024,
  waitMs: 5_000,
}

/** Gives the slot back; a second call does nothing. */
export type ReleaseSlot = () => void

type Waiter = { readonly start: () => void; readonly fail: (problem: ProblemError) => void }

type Account = {
  running: number
  /** Operations that have given their slot back, as far as this account has been known. */
  finished: number
  readonly waiting: Set<Waiter>
}

/**
 * Slots for expensive operations, shared fairly between accounts: each account has a bounded number of them, a free slot
 * goes to the accounts in turn, and within an account to the operation that has waited longest.
 *
 * State of one process: each node bounds what it runs itself.
 */
export class FairSlots {
  readonly #limits: SlotLimits
  readonly #accounts = new Map<string, Account>()
  /** Accounts with waiting operations, in the order in which they are next. */
  readonly #ring = new Set<string>()
  #running = 0
  #waiting = 0
  #isClosed = false

  constructor(limits: SlotLimits = slotLimits) {
    this.#limits = limits
  }

  /**
   * Resolves once the operation may run, with what gives its slot back. Rejects with the problem `rate_limited` where
   * the account asks for more at a time than it can be given, and with `unavailable` where the service is too busy with
   * others, or ClickHouse finishes nothing. `gone` is asked for only when the operation has to wait: once it aborts, the
   * operation leaves the queue.
   */
  async take(account: string, gone?: () => AbortSignal): Promise<ReleaseSlot> {
    const { running, runningPerAccount, waiting, waitingPerAccount } = this.#limits
    const own = this.#accountOf(account)
    // An operation does not overtake those of its account that came earlier.
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
      throw busy('Too many requests of other accounts wait.')
    }
    return this.#wait(account, own, gone?.())
  }

  /** Refuses what waits, and from now on what would have to: a shutdown finishes only what runs. */
  close(): void {
    this.#isClosed = true
    for (const { waiting } of [...this.#accounts.values()]) for (const waiter of [...waiting]) waiter.fail(closing())
  }

  #accountOf(name: string): Account {
    let account = this.#accounts.get(name)
    if (!account) {
      account = { running: 0, finished: 0, waiting: new Set() }
      this.#accounts.set(name, account)
    }
    return account
  }

  #occupy(name: string, account: Account): ReleaseSlot {
    account.running++
    this.#running++
    let held = true
    return () => {
      if (!held) return
      held = false
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
    // Nobody is left to read it.
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

  /** Starts waiting operations while there are slots, one account after the other. */
  #startNext(): void {
    // An account that is served, or passed over because all its slots are taken, goes to the end of the ring.
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

  /** Seconds within which everything that waits now has run or been refused. */
  #retryAfter(): string {
    return String(Math.ceil(this.#limits.waitMs / 1_000))
  }
}

const closing = () => busy('The service is shutting down.')
const busy = (detail: string): ProblemError => new ProblemError('unavailable', detail)
