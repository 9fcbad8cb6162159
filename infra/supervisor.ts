import { type ChildProcess, fork } from 'node:child_process'
import { ConfigError } from './config.ts'
import { EX_CONFIG } from './lifecycle.ts'
import type { Log } from './log.ts'

/** A process that the supervisor keeps running. It sends `{ ready: true }` over IPC once it can serve. */
export type ProcessSpec = {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /**
   * Called after a crash (a memory fault or an abort). Returns the damage of the process's files as a sentence, or undefined
   * if none was found. A restart on damaged files would crash again and again. `signal` aborts when the supervisor ends.
   */
  readonly diagnose?: (signal: AbortSignal) => Promise<string | undefined>
}

const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'])

const FIRST_RESTART_MS = 200
const LONGEST_RESTART_MS = 5_000
/** After this time without a crash, the back-off starts at its shortest again. */
const CALM_MS = 60_000
/** Time for a child to stop. Two children one after the other stay within the 9.5 s of the supervisor's own shutdown. */
const STOP_MS = 4_500

type Supervised = {
  /** Resolves when the process first reports that it is ready. Rejects if it ends for good before that. */
  readonly ready: Promise<void>
  /** Ends the process with SIGTERM, and with SIGKILL if it does not exit. */
  stop(): Promise<void>
}

const moduleCache = new URL('../base/process/module-cache.mjs', import.meta.url).href

/**
 * Starts a process and restarts it whenever it ends. If the supervisor dies, the child's IPC channel closes and the child
 * stops (`onSupervisorGone`), so that no orphan holds the data directory. Exit code 78 (EX_CONFIG) means that a restart
 * cannot help: `onGiveUp` is called.
 */
export function supervise(spec: ProcessSpec, log: Log, onGiveUp: (code: number) => void): Supervised {
  let child: ChildProcess | undefined
  let stopping = false
  const leaving = new AbortController()
  let wait = FIRST_RESTART_MS
  let timer: NodeJS.Timeout | undefined
  const first = Promise.withResolvers<void>()
  // The caller may not await `ready` yet when it rejects; without this, Node would end the process.
  first.promise.catch(() => undefined)

  const start = () => {
    const startedAt = Date.now()
    child = fork(spec.file, spec.args, {
      execArgv: [...process.execArgv, '--import', moduleCache],
      env: { ...process.env, ...spec.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A process group of its own: Ctrl-C reaches only the supervisor, which then ends its children in order.
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
      log.error({ process: spec.name, signal, reason: damage }, 'process crashed on damaged files; not restarting it')
      first.reject(new ConfigError(damage))
      onGiveUp(EX_CONFIG)
      return
    }
    if (code === EX_CONFIG) {
      first.reject(
        new ConfigError(`process ${spec.name} cannot run with this configuration; its last log line says why`),
      )
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

/** Calls `stop` in a supervised process when the supervisor has ended. */
export function onSupervisorGone(stop: () => void): void {
  if (process.channel) process.on('disconnect', stop)
}

export const reportReady = (): void => void process.send?.({ ready: true })
