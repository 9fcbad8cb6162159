import type { Log } from './log.ts'

/** Longest that a shutdown may take before the process leaves anyway, ms; less than whoever waits for it allows. */
const SHUTDOWN_MS = 4_000
/** Exit code of a process that another start cannot help (EX_CONFIG): wrong configuration, a port in use. */
export const EX_CONFIG = 78

/**
 * One abort signal for the life of a process: SIGTERM and SIGINT abort it. Whatever was opened is closed in the reverse
 * order; then the process exits 0.
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

  /** `explain` puts what went wrong into words for the user, where it has any: a ConfigError ends the process for good. */
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

  /** A background task of our own: if it fails, an invariant of ours is broken and the process stops loudly. */
  run(name: string, task: Promise<unknown>): void {
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

  /** Runs the start of a process; told to stop in the midst of it, it stops as it would later. */
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
    const late = setTimeout(() => {
      this.#log.error({ open: open.map(({ name }) => name) }, 'shutdown took too long; leaving')
      process.exit(1)
    }, this.#shutdownMs)
    late.unref()
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

/** What is outside of us is said in a line; what is ours comes with its stack. */
function reasonOf(error: unknown): object {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return isHopeless(error) || code === 'unavailable' ? { reason: message } : { err: error }
}

const isMisconfigured = (error: unknown): boolean => (error as Error).name === 'ConfigError'

const isHopeless = (error: unknown): boolean =>
  ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '') ||
  isMisconfigured(error)
