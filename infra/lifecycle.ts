import type { Log } from './log.ts'

/** Longest that a shutdown may take before the process leaves anyway, ms. */
const SHUTDOWN_MS = 8_000

/**
 * One abort signal for the life of a process: SIGTERM and SIGINT abort it. Whatever was opened is closed in the reverse
 * order; then the process exits 0.
 */
export class Lifecycle {
  readonly #controller = new AbortController()
  readonly #closers: { name: string; close: () => Promise<unknown> | unknown }[] = []
  readonly #log: Log
  #done: Promise<void> | undefined

  constructor(log: Log) {
    this.#log = log
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.shutdown(0))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onClose(name: string, close: () => Promise<unknown> | unknown): void {
    this.#closers.push({ name, close })
  }

  /** A background task of our own: if it fails, an invariant of ours is broken and the process stops loudly. */
  run(name: string, task: Promise<unknown>): void {
    this.onClose(name, () => task.catch(() => undefined))
    task.catch((error) => {
      if (this.signal.aborted) return
      this.#log.error({ task: name, err: error }, 'stopping: a task failed')
      void this.shutdown(1)
    })
  }

  shutdown(code: number): Promise<void> {
    this.#done ??= this.#close().then(() => process.exit(code))
    return this.#done
  }

  async #close(): Promise<void> {
    const late = setTimeout(() => {
      this.#log.error({}, 'shutdown took too long; leaving')
      process.exit(1)
    }, SHUTDOWN_MS)
    late.unref()
    this.#controller.abort(new Error('shutting down'))
    for (const { name, close } of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        this.#log.warn({ part: name, err: error }, 'did not close cleanly')
      }
    }
  }
}
