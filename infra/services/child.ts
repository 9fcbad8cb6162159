import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFree } from '../ports.ts'

/** A program that runs beside this process, on loopback. */
export type StartedService = {
  /** Id of the running process, or of the last one. */
  readonly pid: number
  /** Sends SIGKILL, and resolves once the process has ended. */
  kill(): Promise<void>
  /** Restarts it on the same ports and data, and resolves once it serves. */
  start(): Promise<void>
  /** Sends SIGTERM, and SIGKILL after 10 s. Resolves once the process has ended. */
  stop(): Promise<void>
}

type ProgramSpec = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Ports that it listens on. A start fails if another program uses one. */
  readonly ports: readonly number[]
  /** Advice if the command is not installed. */
  readonly install: string
  /** File to which the program's output is appended. */
  readonly logFile: string
  /** Whether it serves. Called until it returns true; a rejection counts as false. */
  readonly ready: () => Promise<boolean>
}

const START_MS = 120_000
const STOP_MS = 10_000
const POLL_MS = 50
const ANSWER_MS = 5_000
const TAIL_LINES = 25

/**
 * Starts a program and waits until it serves. Rejects with the last lines of its log if it ends or takes over two
 * minutes.
 */
export async function startProgram(spec: ProgramSpec): Promise<StartedService> {
  const program = new Program(spec)
  await program.start()
  return program
}

class Program implements StartedService {
  readonly #spec: ProgramSpec
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #pid = 0

  constructor(spec: ProgramSpec) {
    this.#spec = spec
  }

  get pid(): number {
    return this.#pid
  }

  async start(): Promise<void> {
    if (this.#child) throw new Error(`${this.#spec.name} is running already`)
    // Otherwise the answer of another program would count as this one's.
    for (const port of this.#spec.ports) {
      if (!(await isFree(port))) throw new Error(`${this.#spec.name} cannot start: port ${port} is in use`)
    }
    const child = await this.#spawn()
    const deadline = Date.now() + START_MS
    while (!(await this.#isReady())) {
      if (this.#child !== child) throw await this.#failure('ended before it served')
      if (Date.now() > deadline) {
        await this.kill()
        throw await this.#failure(`did not serve within ${START_MS / 1000} s`)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Asks once whether the program serves, with a time limit, so that one unanswered request does not block the next. */
  async #isReady(): Promise<boolean> {
    const answered = new AbortController()
    // Both failures mean that the program does not serve yet.
    const silence = sleep(ANSWER_MS, false, { signal: answered.signal }).catch(() => false)
    return Promise.race([this.#spec.ready().catch(() => false), silence]).finally(() => answered.abort())
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#ended
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM')
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_MS)
    await this.#ended
    clearTimeout(timer)
  }

  async #spawn(): Promise<ChildProcess> {
    const { command, args, env, logFile, install } = this.#spec
    await mkdir(dirname(logFile), { recursive: true })
    const log = openSync(logFile, 'a')
    // A process group of its own: Ctrl-C reaches only this process, which ends its children in order.
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
    })
    closeSync(log)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(`${command} is not installed: ${install}`) : error),
      )
    })
    this.#child = child
    // A cast, because a process that was spawned has an id.
    this.#pid = child.pid as number
    const release = endWithUs(this.#pid)
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => {
        this.#child = undefined
        release()
        resolve()
      })
    })
    return child
  }

  async #failure(what: string): Promise<Error> {
    const { name, logFile } = this.#spec
    const log = await readFile(logFile, 'utf8').catch(() => '')
    const tail = log.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
    return new Error(`${name} ${what}; its log, ${logFile}, ends:\n${tail}`)
  }
}

/**
 * Kills a process when this process ends, even by SIGKILL: a shell waits at a pipe whose other end only this process holds.
 * Returns a function that cancels it.
 */
function endWithUs(pid: number): () => void {
  const guard = spawn('sh', ['-c', 'read -r _ || kill -KILL "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without the guard everything works but the cleanup after a SIGKILL, so its errors are ignored.
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  return () => guard.stdin.end('\n')
}
