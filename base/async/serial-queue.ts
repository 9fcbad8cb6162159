/** Runs one task after the other, in the order they were given; a task that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    // The failure is the caller's, who has `turn`; the next task only waits for its end.
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
