import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFree } from '../ports.ts'

/** A program that runs beside us, on loopback. */
export type StartedService = {
  /** Of the process that runs now, or of the last one that did. */
  readonly pid: number
  /** SIGKILL; resolves once the process is gone. */
  kill(): Promise<void>
  /** Starts it again on the same ports and data; resolves once it serves. */
  start(): Promise<void>
  /** SIGTERM, then SIGKILL after 10 s; resolves once the process is gone. */
  stop(): Promise<void>
}

type ProgramSpec = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Those that it listens on; a start fails where another program has one. */
  readonly ports: readonly number[]
  /** What to do where the command is not on this machine. */
  readonly install: string
  /** Gets what the program prints, and keeps what it printed before. */
  readonly logFile: string
  /** Whether it serves; is asked again until it answers true. A rejection counts as no. */
  readonly ready: () => Promise<boolean>
}

const START_MS = 120_000
const STOP_MS = 10_000
const POLL_MS = 50
const ANSWER_MS = 5_000
const TAIL_LINES = 25

/** Starts a program and waits until it serves. Rejects with the last lines of its log if it ends or takes over two minutes. */
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
    // Else the other program's answer would be taken for ours.
    for (const port of this.#spec.ports) {
      if (!(await isFree(port))) throw new Error(`${this.#spec.name} can't start: port ${port} is in use`)
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

  /** One question that is never answered must not keep the next from being asked. */
  async #isReady(): Promise<boolean> {
    const late = new AbortController()
    const silence = sleep(ANSWER_MS, false, { signal: late.signal }).catch(() => false)
    return Promise.race([this.#spec.ready().catch(() => false), silence]).finally(() => late.abort())
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#ended
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM')
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_MS)
    await this.#ended
    clearTimeout(late)
  }

  async #spawn(): Promise<ChildProcess> {
    const { command, args, env, logFile, install } = this.#spec
    await mkdir(dirname(logFile), { recursive: true })
    const log = openSync(logFile, 'a')
    // A group of its own: Ctrl-C reaches us alone, and we end our children in order.
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
    })
    closeSync(log)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(`${command} is not on this machine: ${install}`) : error),
      )
    })
    this.#child = child
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
 * Kills a process when ours is gone, however it went: a shell waits at a pipe that only we hold the other end of. Returns
 * what calls that off.
 */
function endWithUs(pid: number): () => void {
  const guard = spawn('sh', ['-c', 'read -r _ || kill -KILL "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  return () => guard.stdin.end('\n')
}
