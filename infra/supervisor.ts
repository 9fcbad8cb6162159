import { type ChildProcess, fork } from 'node:child_process'
import { ConfigError } from './config.ts'
import { EX_CONFIG } from './lifecycle.ts'
import type { Log } from './log.ts'

/** A process that the supervisor keeps up. It sends `{ ready: true }` over IPC once it can serve. */
export type ProcessSpec = {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /**
   * Asked when a signal of a crash (a memory fault, an abort) ended the process: what is wrong with its files, in a sentence,
   * or undefined if they are sound or nobody can tell. Starting again on damaged files would crash for ever. `signal` aborts
   * when the supervisor ends.
   */
  readonly diagnose?: (signal: AbortSignal) => Promise<string | undefined>
}

const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'])

const FIRST_RESTART_MS = 200
const LONGEST_RESTART_MS = 5_000
/** After this long without a crash the waiting starts short again. */
const CALM_MS = 60_000
/** Two children one after the other stay within the 9.5 s that the supervisor itself has. */
const STOP_MS = 4_500

type Supervised = {
  /** Resolves when the process says that it is ready for the first time; rejects if it gives up before. */
  readonly ready: Promise<void>
  /** Ends it: SIGTERM, then SIGKILL where it doesn't leave. */
  stop(): Promise<void>
}

/**
 * Starts a process and starts it again whenever it ends. A child notices the supervisor's own death by its closed IPC channel
 * (`onSupervisorGone`), so that no orphan holds the data directory. Exit code 78 (EX_CONFIG) means that starting again is
 * no use: `onGiveUp` is called.
 */
export function supervise(spec: ProcessSpec, log: Log, onGiveUp: (code: number) => void): Supervised {
  let child: ChildProcess | undefined
  let stopping = false
  const leaving = new AbortController()
  let wait = FIRST_RESTART_MS
  let timer: NodeJS.Timeout | undefined
  const first = Promise.withResolvers<void>()
  first.promise.catch(() => undefined)

  const start = () => {
    const startedAt = Date.now()
    child = fork(spec.file, spec.args, {
      env: { ...process.env, ...spec.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C reaches the supervisor alone, which then ends its children in order.
      detached: true,
    })
    child.on('message', (message) => {
      if ((message as { ready?: boolean }).ready) first.resolve()
    })
    child.on('exit', (code, signal) => void ended(code, signal, startedAt))
  }
  const ended = async (code: number | null, signal: string | null, startedAt: number) => {
    if (stopping) return
    const damage = signal !== null && CRASHES.has(signal) ? await spec.diagnose?.(leaving.signal) : undefined
    if (stopping) return
    if (damage !== undefined) {
      log.error(
        { process: spec.name, signal, reason: damage },
        'process crashed on damaged files; not starting it again',
      )
      first.reject(new ConfigError(damage))
      onGiveUp(EX_CONFIG)
      return
    }
    if (code === EX_CONFIG) {
      first.reject(new ConfigError(`${spec.name} cannot run with this configuration; its last line says why`))
      onGiveUp(EX_CONFIG)
      return
    }
    if (Date.now() - startedAt > CALM_MS) wait = FIRST_RESTART_MS
    log.error({ process: spec.name, code, signal, restart_in_ms: wait }, 'process ended; starting it again')
    timer = setTimeout(start, wait)
    wait = Math.min(wait * 2, LONGEST_RESTART_MS)
  }
  start()
  return {
    ready: first.promise,
    async stop() {
      stopping = true
      leaving.abort()
      clearTimeout(timer)
      const running = child
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = new Promise((resolve) => running.once('exit', resolve))
      running.kill('SIGTERM')
      const kill = setTimeout(() => running.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(kill)
    },
  }
}

/** In a supervised process: calls `stop` when the supervisor is gone. */
export function onSupervisorGone(stop: () => void): void {
  if (process.channel) process.on('disconnect', stop)
}

export const reportReady = (): void => void process.send?.({ ready: true })
