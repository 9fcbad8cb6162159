/** Runs tasks one after the other, in the order in which they were given. A failed task does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    // The caller handles the failure, because it receives `turn`. The next task only waits for the end of this one.
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
