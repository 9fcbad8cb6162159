/** One run of a task a key at a time: who asks while it is under way gets the same answer. */
export class SingleFlight<K, V> {
  readonly #underWay = new Map<K, Promise<V>>()

  run(key: K, task: () => Promise<V>): Promise<V> {
    const running = this.#underWay.get(key)
    if (running) return running
    const started = task().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, started)
    return started
  }
}

/** Lets up to `width` tasks run; the others wait in the order they came. */
export class Gate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(width: number) {
    this.#free = width
  }

  async run<V>(task: () => Promise<V>): Promise<V> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
