import { errorCode } from '../base/errors.ts'
import type { Log } from './log.ts'

/** Longest that a shutdown may take before the process exits anyway, ms. The supervisor waits longer before it kills. */
const SHUTDOWN_MS = 4_000
/** Exit code if a restart cannot help (EX_CONFIG): wrong configuration, or a port in use. */
export const EX_CONFIG = 78

/**
 * Start and shutdown of a process. SIGTERM and SIGINT abort its signal. Then the parts are closed in the reverse order of
 * their registration, and the process exits with 0.
 */
export class Lifecycle {
  readonly #controller = new AbortController()
  readonly #closers: { name: string; close: () => Promise<unknown> | unknown }[] = []
  readonly #log: Log
  readonly #shutdownMs: number
  /** Tasks that have not ended. */
  readonly #running = new Map<Promise<unknown>, string>()
  #done: Promise<void> | undefined

  readonly #explain: (error: unknown) => unknown

  /** `explain` may replace an error by one with a message for the user. After a ConfigError the process is not restarted. */
  constructor(log: Log, { shutdownMs = SHUTDOWN_MS, explain = (error: unknown) => error } = {}) {
    this.#log = log
    this.#shutdownMs = shutdownMs
    this.#explain = explain
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.shutdown(0))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onClose(name: string, close: () => Promise<unknown> | unknown): void {
    this.#closers.push({ name, close })
  }

  /** Names of the tasks that have not ended yet. */
  get running(): readonly string[] {
    return [...new Set(this.#running.values())]
  }

  /**
   * Registers a background task. If it fails, the process logs the error and stops, because it would run on incompletely.
   */
  run(name: string, task: Promise<unknown>): void {
    // A shutdown only waits for the task; its failure is logged below.
    this.onClose(name, () => task.catch(() => undefined))
    this.#running.set(task, name)
    const ended = () => void this.#running.delete(task)
    task.then(ended, ended)
    task.catch((thrown) => {
      if (this.signal.aborted) return
      const error = this.#explain(thrown)
      this.#log.error({ task: name, ...reasonOf(error) }, 'stopping: a task failed')
      void this.shutdown(isMisconfigured(error) ? EX_CONFIG : 1)
    })
  }

  /** Runs the start of a process. A signal during the start shuts the process down as at any later time. */
  async start(boot: () => Promise<void>): Promise<void> {
    try {
      await boot()
    } catch (thrown) {
      if (this.signal.aborted) return
      const error = this.#explain(thrown)
      this.#log.error(reasonOf(error), 'stopping: the start failed')
      await this.shutdown(isHopeless(error) ? EX_CONFIG : 1)
    }
  }

  shutdown(code: number): Promise<void> {
    this.#done ??= this.#close().then(() => process.exit(code))
    return this.#done
  }

  async #close(): Promise<void> {
    const open = this.#closers.reverse()
    const timer = setTimeout(() => {
      this.#log.error({ open: open.map(({ name }) => name) }, 'shutdown timed out; exiting')
      process.exit(1)
    }, this.#shutdownMs)
    timer.unref()
    this.#controller.abort(new Error('shutting down'))
    for (let part = open[0]; part; part = open[0]) {
      try {
        await part.close()
      } catch (error) {
        this.#log.warn({ part: part.name, err: error }, 'did not close cleanly')
      }
      open.shift()
    }
  }
}

/** Log fields for an error: its message if it comes from outside of the program, otherwise the error with its stack. */
function reasonOf(error: unknown): object {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return isHopeless(error) || code === 'unavailable' ? { reason: message } : { err: error }
}

const isMisconfigured = (error: unknown): boolean => (error as Error).name === 'ConfigError'

const isHopeless = (error: unknown): boolean =>
  ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes(errorCode(error) ?? '') || isMisconfigured(error)
