/** A timer beyond this many ms would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** A deadline that each message moves on. A timer that is due before it stays, and looks again: that costs less than a new one. */
export class Deadline {
  readonly #onPassed: () => void
  #at: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerDue = 0

  constructor(onPassed: () => void) {
    this.#onPassed = onPassed
  }

  set(ms: number): void {
    this.#at = performance.now() + ms
    if (this.#timer !== undefined && this.#timerDue <= this.#at) return
    clearTimeout(this.#timer)
    this.#timerDue = this.#at
    this.#timer = setTimeout(() => this.#look(), Math.min(ms, MAX_TIMER_MS))
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#at = undefined
  }

  #look(): void {
    this.#timer = undefined
    if (this.#at === undefined) return
    const left = this.#at - performance.now()
    if (left > 0) this.set(left)
    else {
      this.#at = undefined
      this.#onPassed()
    }
  }
}
