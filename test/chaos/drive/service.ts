import type { ChildProcess } from 'node:child_process'
import { serviceProcesses } from '../draw.ts'
import { becomes } from '../wait.ts'
import { isAlmanac, type Process, processTree } from './processes.ts'
import { spawnAlmanac } from './program.ts'

const START_WITHIN_MS = 120_000
const ORPHANS_GONE_WITHIN_MS = 20_000

/** The running service: `almanac start` and its children. */
export class Service {
  readonly #settings: Readonly<Record<string, string>>
  readonly #seen = new Set<number>()
  #supervisor: ChildProcess | undefined
  #output = ''

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings
    // A driver that is interrupted leaves nothing running.
    process.once('exit', () => this.#killAll())
  }

  /** End of what its processes have printed since the last start. */
  get output(): string {
    return this.#output.slice(-20_000)
  }

  /**
   * Starts it and waits until it says that it is ready. Right after the supervisor was killed its children may still hold
   * the ports; the start is refused then and tried again, as a service manager does. Throws if it doesn't come up.
   */
  async start(): Promise<void> {
    const isUp = await becomes(() => this.#tryStart(), START_WITHIN_MS)
    if (!isUp) throw new Error(`the service did not start within ${START_WITHIN_MS} ms: ${this.output}`)
    // A fault of a process that is known by another name would never be done.
    const names = this.processes().map(({ name }) => name)
    const missing = serviceProcesses.filter((name) => !names.includes(name))
    if (missing.length > 0) throw new Error(`no process of the service is ${missing}: they are ${names}`)
  }

  async #tryStart(): Promise<boolean> {
    const child = spawnAlmanac(['start'], this.#settings)
    this.#supervisor = child
    this.#output = ''
    let hasEnded = false
    const keep = (chunk: Buffer): void => {
      this.#output = `${this.#output}${chunk}`.slice(-200_000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.once('exit', () => (hasEnded = true))
    await becomes(() => hasEnded || this.#output.includes('almanac is ready'), START_WITHIN_MS)
    this.processes()
    return !hasEnded
  }

  /** The supervisor and every process below it. */
  processes(): Process[] {
    const all = processTree(this.#supervisor?.pid ?? 0)
    for (const { pid } of all) this.#seen.add(pid)
    return all
  }

  /** Whether all processes that were ever seen have gone; children must leave when their supervisor is killed. */
  orphansLeave(): Promise<boolean> {
    return becomes(() => [...this.#seen].every((pid) => !isAlmanac(pid)), ORPHANS_GONE_WITHIN_MS)
  }

  /** Sends SIGKILL to whatever is left, and waits until it has gone. */
  async destroy(): Promise<void> {
    this.#killAll()
    await becomes(() => [...this.#seen].every((pid) => !isAlmanac(pid)), ORPHANS_GONE_WITHIN_MS)
  }

  #killAll(): void {
    this.processes()
    for (const pid of this.#seen) if (isAlmanac(pid)) signalProcess(pid, 'SIGKILL')
  }
}

/** Sends a signal. False if the process has already ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
