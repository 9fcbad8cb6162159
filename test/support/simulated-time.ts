import type { RunningTimer, Time } from '../../base/time.ts'
import { randomFrom } from './random.ts'

type SimulatedTimer = RunningTimer & { dueAt: number; readonly everyMs: number | undefined; readonly task: () => void }

/** Longest delay that Node's timers take. Node fires a longer one at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1
/** Tasks that may run at one instant. More are a loop that would never let time go on. */
const MOST_AT_ONE_INSTANT = 1_000_000

/**
 * Time and chance for tests: nothing waits, and the same `random` gives the same run. Time moves only when no task is
 * due. Timers fire in the order of their times. Among timers of one instant and the tasks of `soon`, `random` draws the
 * next.
 *
 * Code that runs on it must wait for nothing else, such as a file or a socket: the order of its steps would then depend
 * on the machine.
 */
export class SimulatedTime implements Time {
  readonly #random: () => number
  readonly #chance: () => number
  readonly #uuids: () => number
  #elapsed = 0
  #tasksRun = 0
  #wallOffset: number
  #soon: (() => void)[] = []
  readonly #timers = new Set<SimulatedTimer>()

  /** Starts at 5 January 2026 UTC. `random` draws the order of tasks; uuids and numbers come from seeds that it draws. */
  constructor(random: () => number, startsAt = Date.UTC(2026, 0, 5)) {
    this.#random = random
    this.#wallOffset = startsAt
    this.#chance = randomFrom(random() * 2 ** 32)
    this.#uuids = randomFrom(random() * 2 ** 32)
  }

  // The members of `Time` are bound, because the real ones can be passed around without their object.
  /** Whole milliseconds, as Node gives them. */
  readonly now = (): number => Math.floor(this.#wallOffset + this.#elapsed)
  readonly monotonic = (): number => this.#elapsed
  readonly random = (): number => this.#chance()
  readonly soon = (task: () => void): void => void this.#soon.push(task)
  readonly timer = (ms: number, task: () => void): RunningTimer => this.#start(ms, undefined, task)
  readonly every = (ms: number, task: () => void): RunningTimer => this.#start(ms, delayOf(ms), task)

  readonly after: Time['after'] = (ms, signal) => afterTimer(this.timer, ms, signal)

  readonly uuid = (): string => {
    const hex = (digits: number) =>
      Math.floor(this.#uuids() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    const variant = '89ab'[Math.floor(this.#uuids() * 4)]
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
  }

  get tasksRun(): number {
    return this.#tasksRun
  }

  /** Sets the wall clock by `ms`, as an operator or a time server would. Timers and the monotonic clock do not notice. */
  setWallClockBy(ms: number): void {
    this.#wallOffset += ms
  }

  /** Lets time pass without running a task, as for a process that is stopped: its timers are then late. */
  pass(ms: number): void {
    this.#elapsed += ms
  }

  /** Runs one of the tasks that are due. Returns false if none is. */
  step(): boolean {
    const due = this.#nextTimers().filter(({ dueAt }) => dueAt <= this.#elapsed)
    const drawn = Math.floor(this.#random() * (due.length + this.#soon.length))
    const timer = due[drawn]
    const task = timer ? timer.task : this.#soon.splice(drawn - due.length, 1)[0]
    if (!task) return false
    if (timer?.everyMs !== undefined) timer.dueAt = this.#elapsed + timer.everyMs
    else if (timer) this.#timers.delete(timer)
    this.#tasksRun++
    task()
    return true
  }

  /**
   * Runs tasks for `ms`, and those that they lead to within that time. After each task, all promises settle. The clock
   * then stands exactly `ms` later.
   */
  async advance(ms: number): Promise<void> {
    await this.#run(this.#elapsed + ms, () => false)
  }

  /** Runs tasks until `condition` holds after one. Throws if it does not hold within `ms` of simulated time. */
  async runUntil(condition: () => boolean, ms = 3_600_000): Promise<void> {
    await this.#run(this.#elapsed + ms, condition)
    if (!condition()) throw new Error(`the condition does not hold after ${ms} simulated ms`)
  }

  async #run(until: number, isEnough: () => boolean): Promise<void> {
    await settle()
    for (let atOnce = 0; !isEnough(); ) {
      if (this.step()) {
        if (++atOnce > MOST_AT_ONE_INSTANT)
          throw new Error(`time stands still at ${this.#elapsed} ms: a task leads to itself`)
        await settle()
        continue
      }
      const next = this.#nextTimers()[0]?.dueAt ?? Number.POSITIVE_INFINITY
      this.#elapsed = Math.max(this.#elapsed, Math.min(next, until))
      if (next > until) return
      atOnce = 0
    }
  }

  /** The timers that are due first, in the order in which they were started. */
  #nextTimers(): SimulatedTimer[] {
    let first = Number.POSITIVE_INFINITY
    let found: SimulatedTimer[] = []
    for (const timer of this.#timers) {
      if (timer.dueAt > first) continue
      if (timer.dueAt < first) found = []
      first = timer.dueAt
      found.push(timer)
    }
    return found
  }

  #start(ms: number, everyMs: number | undefined, task: () => void): RunningTimer {
    const timer: SimulatedTimer = {
      dueAt: this.#elapsed + delayOf(ms),
      everyMs,
      task,
      unref: () => timer,
      [Symbol.dispose]: () => void this.#timers.delete(timer),
    }
    this.#timers.add(timer)
    return timer
  }
}

/** Node's rule for short delays. A delay that Node would shorten is a mistake, and fails. */
function delayOf(ms: number): number {
  if (!(ms <= LONGEST_DELAY_MS)) throw new RangeError(`a timer of ${ms} ms: Node would fire it at once`)
  return Math.max(1, ms)
}

/**
 * Resolves once everything that follows from a task in promises has happened. Node runs all microtasks, those that
 * microtasks add included, before the next immediate. An immediate can add a further one, so this waits until Node
 * counts none.
 */
export async function settle(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (process.getActiveResourcesInfo().includes('Immediate'))
}

/** `Time.after` by the timers of a simulated clock. */
export function afterTimer(timer: Time['timer'], ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => {
    running[Symbol.dispose]()
    reject(signal?.reason)
  }
  const running = timer(ms, () => {
    signal?.removeEventListener('abort', abort)
    resolve()
  })
  signal?.addEventListener('abort', abort, { once: true })
  return promise
}
