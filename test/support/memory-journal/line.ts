import { JournalError } from '../../../journal/journal.ts'
import type { Answers, Call } from './answers.ts'
import type { TimeAndChance } from './time.ts'

export type LineOptions = {
  readonly time: TimeAndChance
  /** Time of the client's process, if it is not the same. */
  readonly clientTime?: TimeAndChance | undefined
  readonly answers: Answers
  /** Time that a request takes to arrive, and an answer to return, ms. Drawn for each. */
  readonly latencyMs: () => number
  /** Longest delay of a late answer or a late write, and longest outage, ms. */
  readonly longestMs: number
}

/** Parts of a call that only some answers need. */
type Faults = {
  /** Carried out in place of a write that is not done, although its outcome is unknown. */
  readonly abort?: () => void
  /** Takes the claim away before the call arrives. */
  readonly fence?: () => void
}

/** Calls whose outcome is unknown if the answer is lost. The others can be repeated. */
const writes: ReadonlySet<Call> = new Set(['append', 'transact'])

/** What lies between a client and the state of the journal: time passes, and requests and answers get lost. */
export class Line {
  readonly #options: LineOptions
  /** Requests on their way. The first to arrive is the first that was sent, whatever their latencies. */
  readonly #sent: (() => void)[] = []
  readonly #underWay = new Set<Promise<unknown>>()
  #unavailableUntil = Number.NEGATIVE_INFINITY
  #isCut = false
  #isDead = false

  constructor(options: LineOptions) {
    this.#options = options
  }

  /** From now on no request arrives and no answer returns, until `reconnect`. */
  disconnect(): void {
    this.#isCut = true
  }

  reconnect(): void {
    this.#isCut = false
    this.#unavailableUntil = Number.NEGATIVE_INFINITY
  }

  /** Calls never settle any more. Requests that are on their way still arrive. */
  die(): void {
    this.#isDead = true
    this.#underWay.clear()
  }

  /** Resolves once every call so far has an answer. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  /** Has `work` done at the journal. Throws what it throws, or what the answer says that is drawn for `call`. */
  call<T>(call: Call, work: () => T, faults: Faults = {}): Promise<T> {
    if (this.#isDead) return never()
    const answer = this.#received(this.#call(call, work, faults))
    this.#underWay.add(answer)
    const done = () => this.#underWay.delete(answer)
    answer.then(done, done)
    return answer
  }

  async #call<T>(call: Call, work: () => T, { abort, fence }: Faults): Promise<T> {
    const { time, answers, latencyMs, longestMs } = this.#options
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    this.#sent.push(arrive)
    time.after(latencyMs(), () => this.#sent.shift()?.())
    await arrival
    if (!this.#isReachable()) throw unavailable()
    const answer = answers.draw(call)
    const delayMs = time.random() * longestMs
    let returnMs = latencyMs()
    let result: T | undefined
    let failure: unknown
    const carryOut = () => {
      try {
        result = work()
      } catch (error) {
        failure = error
      }
    }
    switch (answer) {
      case 'refused':
        failure = unavailable()
        break
      case 'unavailable_for_a_while':
        this.#unavailableUntil = time.now() + delayMs
        break
      case 'full':
        failure = new JournalError('full', 'injected')
        break
      case 'unknown_and_not_written':
        abort?.()
        failure = unknownOutcome()
        break
      case 'written_after_the_answer':
        time.after(delayMs, carryOut)
        failure = unknownOutcome()
        break
      case 'unknown_but_written':
        carryOut()
        failure ??= unknownOutcome()
        break
      case 'late':
        returnMs += delayMs
        carryOut()
        break
      case 'done_twice':
        carryOut()
        carryOut()
        break
      case 'claim_lost':
        fence?.()
        carryOut()
        break
      case 'ok':
        carryOut()
        break
    }
    if (answer === 'unavailable_for_a_while') throw unavailable()
    if (returnMs > 0) await new Promise<void>((resolve) => time.after(returnMs, resolve))
    if (this.#isDead) return never()
    if (!this.#isReachable()) throw writes.has(call) ? unknownOutcome() : unavailable()
    if (failure !== undefined) throw failure
    // Cast: without a failure the work has been done, and `T` itself may include undefined.
    return result as T
  }

  /** Passes an answer on in the client's process. */
  async #received<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } finally {
      const { clientTime } = this.#options
      if (clientTime) await new Promise<void>((resolve) => clientTime.after(0, resolve))
    }
  }

  #isReachable(): boolean {
    return !this.#isCut && this.#options.time.now() >= this.#unavailableUntil
  }
}

const never = (): Promise<never> => new Promise(() => undefined)
const unavailable = () => new JournalError('unavailable', 'the journal in memory does not answer')
const unknownOutcome = () => new JournalError('outcome_unknown', 'the answer of the journal in memory was lost')
