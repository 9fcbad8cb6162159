/** Runs one task for each key at a time: a caller that asks while it runs gets the same answer. */
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
