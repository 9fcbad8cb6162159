import type { Clock } from '../../../../streams/events/clock.ts'

/** Time and turns that pass only as a test says, in an order drawn by `random`: same draws, same run. */
export class Scheduler implements Clock {
  readonly #random: () => number
  #now = 0
  #tasks: { readonly at: number; readonly run: () => void }[] = []

  constructor(random: () => number) {
    this.#random = random
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const task = { at: this.#now + ms, run }
    this.#tasks.push(task)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task)
    }
  }

  soon(run: () => void): void {
    this.#tasks.push({ at: this.#now, run })
  }

  /** Resolves when it is drawn. */
  readonly turn = (): Promise<void> => new Promise((resolve) => this.soon(resolve))

  /** Runs one of the tasks that are due. False if none is. */
  step(): boolean {
    const due = this.#tasks.filter(({ at }) => at <= this.#now)
    const task = due[Math.floor(this.#random() * due.length)]
    if (!task) return false
    this.#tasks.splice(this.#tasks.indexOf(task), 1)
    task.run()
    return true
  }

  pass(ms: number): void {
    this.#now += ms
  }
}

/** What follows from a step in promises has happened when this resolves. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
