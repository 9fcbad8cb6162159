import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** As `clock-preload.mjs` reads it. */
const OFFSET_BYTES = 16
const preload = join(import.meta.dirname, 'clock-preload.mjs')

/**
 * The wall clock of all processes under test, which the driver can set forward or back as a whole. `performance.now` goes
 * on, as a machine's monotonic clock does when its time is set.
 */
export class WallClock {
  readonly #file: string
  readonly #descriptor: number
  #offsetMs = 0

  constructor(directory: string) {
    this.#file = join(directory, 'clock-offset')
    this.#descriptor = openSync(this.#file, 'w+')
    this.set(0)
  }

  /** Environment with which a process goes by this clock. */
  get settings(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${preload}`, CHAOS_CLOCK_FILE: this.#file }
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  set(offsetMs: number): void {
    this.#offsetMs = offsetMs
    // One write of one length over what is there: a reader never finds half of it.
    writeSync(this.#descriptor, String(offsetMs).padStart(OFFSET_BYTES), 0)
  }
}
