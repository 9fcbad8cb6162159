/**
 * Keeps the opening and closing of an LMDB environment apart from other processes' commits, openings and closings.
 *
 * - An opening process sets the number of the newest transaction, which all processes share, to the number that it read
 *   a moment before. A commit in between is lost although it was acknowledged, and the next commit overwrites it
 *   (OpenLDAP ITS#9496; not fixed in lmdb-js 3.5.6).
 * - The last process to close destroys the shared mutexes. A process that is opening may be about to use them.
 *
 * Each process first announces in a directory of marks what it does, and then reads the marks of the others. So if two
 * processes collide, at least one sees the other.
 *
 *   door~<process>~<id>      exists while its process opens or closes, or waits to
 *   commits~<process>~<id>   holds a count, which is odd while its process commits
 *
 * Commits give way to doors. Of two doors, the one whose name sorts first goes first. Marks of processes that have
 * ended do not count and are removed. A process that is stopped or blocked while its mark is active holds up every
 * process that waits for that mark.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../errors.ts'
import { currentProcess, fateOf, type ProcessIdentity } from '../process/process-identity.ts'
import { withSpareDescriptor } from '../process/spare-descriptor.ts'
import { unwatchExit, watchExit } from './end-while-committing.ts'
import { makeDirectory } from './owner.ts'

/** How long an unchanged mark of another container counts as active. The state of its process cannot be read. */
const FOREIGN_MARK_TIMEOUT_MS = 5_000
const FOREIGN_MARK_POLL_MS = 100

/** After this time the mark of a commit that has ended is written again, if that failed. */
const IDLE_RETRY_MS = 100

/** Stands for the content of an unreadable mark. It is odd, as the count of a process that commits. */
const UNREADABLE = '1'

export class CommitGate {
  readonly #dir: string
  readonly #foreignMs: number
  readonly #commits: string
  readonly #counter: number
  #count = 0
  #isCommitting = false
  #idleRetry: NodeJS.Timeout | undefined
  /**
   * The last content of each mark of another container, and since when it has been unchanged, on this process's own
   * clock.
   */
  readonly #foreign = new Map<string, { content: string; since: number }>()

  constructor(dir: string, foreignMs = FOREIGN_MARK_TIMEOUT_MS) {
    this.#dir = dir
    this.#foreignMs = foreignMs
    makeDirectory(dir)
    this.#commits = nameOf('commits')
    this.#counter = openSync(join(dir, this.#commits), 'wx')
    // A command that root runs beside the service of another user: that user must be able to read the count.
    if (statSync(dir).uid !== process.geteuid?.()) fchmodSync(this.#counter, 0o644)
    watchExit(this)
  }

  get isCommitting(): boolean {
    return this.#isCommitting
  }

  /** Runs `run` while no other process opens, closes or commits. */
  async exclusively<T>(run: () => T | Promise<T>): Promise<T> {
    const door = nameOf('door')
    try {
      await this.#waitForOthers(door)
      return await run()
    } finally {
      this.#remove(door)
    }
  }

  async #waitForOthers(door: string): Promise<void> {
    for (;;) {
      withSpareDescriptor(() => writeFileSync(join(this.#dir, door), ''))
      const others = this.#activeMarks().filter((name) => name !== door)
      if (others.length === 0) return
      // Doors with a later name give way when they see this one.
      if (others.some((name) => name.startsWith('door') && name < door)) this.#remove(door)
      await sleep(1)
    }
  }

  /**
   * Runs `run` while no process opens or closes. A process runs one commit at a time. Throws without running it if the mark
   * cannot be written, as on a full disk.
   */
  async committing<T>(run: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idleRetry)
    try {
      this.#mark(true)
      while (this.#doors().length > 0) {
        this.#mark(false)
        await sleep(1)
        this.#mark(true)
      }
      this.#isCommitting = true
      return await run()
    } finally {
      this.#isCommitting = false
      this.#markIdle()
    }
  }

  /**
   * Whether no other process has the environment open. A mark of another container is watched until it has been
   * unchanged for long enough. If it changes meanwhile or is new, its process is alive.
   */
  async isAlone(): Promise<boolean> {
    const isOther = (name: string) => name.startsWith('commits') && name !== this.#commits
    for (let first = Number.POSITIVE_INFINITY; ; await sleep(FOREIGN_MARK_POLL_MS)) {
      const others = this.#marks().filter((name) => isOther(name) && this.#isActive(name, this.#contentOf(name)))
      if (others.length === 0) return true
      const isAlive = (name: string) =>
        fateOf(processOf(name)) === 'running' || (this.#foreign.get(name)?.since ?? 0) > first
      if (others.some(isAlive)) return false
      first = Math.min(first, performance.now())
    }
  }

  /**
   * Whether another process is known to have the environment open. A mark of another container does not count, because
   * it may be that of a killed predecessor. If its process is alive, it still writes nothing while a door is held.
   */
  hasOthers(): boolean {
    return this.#marks().some(
      (name) => name.startsWith('commits') && name !== this.#commits && fateOf(processOf(name)) === 'running',
    )
  }

  close(): void {
    clearTimeout(this.#idleRetry)
    unwatchExit(this)
    closeSync(this.#counter)
    this.#remove(this.#commits)
  }

  /**
   * Calls `onChange` when another process begins or ends a commit, an opening or a closing. This is only a hint, and it
   * may come more than once. If the system has no watch left, `onLoss` is called once, and no hint comes. Returns the
   * function that stops the watch.
   */
  watch(onChange: () => void, onLoss: () => void): () => void {
    try {
      const watcher = watch(this.#dir, { persistent: false }, (_, name) => {
        if (name !== this.#commits) onChange()
      })
      watcher.on('error', () => {
        watcher.close()
        onLoss()
      })
      return () => watcher.close()
    } catch {
      onLoss()
      return () => undefined
    }
  }

  /** Writes the next odd or even count. One that cannot be written is not counted. */
  #mark(isCommitting: boolean): void {
    const next = this.#count + ((this.#count % 2 === 1) === isCommitting ? 2 : 1)
    // Always of one length, so that a reader never sees half a count.
    writeSync(this.#counter, String(next).padStart(16, '0'), 0)
    this.#count = next
  }

  /** A mark that stays odd makes others wait. It must not make a commit fail that is on disk. */
  #markIdle(): void {
    try {
      this.#mark(false)
    } catch {
      this.#idleRetry = setTimeout(() => this.#markIdle(), IDLE_RETRY_MS).unref()
    }
  }

  #marks(): string[] {
    return withSpareDescriptor(() => readdirSync(this.#dir))
  }

  #doors(): string[] {
    return this.#marks().filter((name) => name.startsWith('door') && this.#isActive(name, ''))
  }

  #activeMarks(): string[] {
    const committing = this.#marks().filter((name) => {
      if (!name.startsWith('commits') || name === this.#commits) return false
      const content = this.#contentOf(name)
      return this.#isActive(name, content) && Number(content) % 2 === 1
    })
    return [...this.#doors(), ...committing]
  }

  /** Whether the process of a mark may still be doing what the mark says. */
  #isActive(name: string, content: string): boolean {
    const fate = fateOf(processOf(name))
    if (fate === 'gone') this.#remove(name)
    if (fate !== 'unknown') return fate === 'running'
    const before = this.#foreign.get(name)
    if (before?.content !== content) this.#foreign.set(name, { content, since: performance.now() })
    return performance.now() - (this.#foreign.get(name)?.since ?? 0) < this.#foreignMs
  }

  /**
   * The content of a mark; empty if the mark was removed or created a moment ago. A mark that may not be read belongs
   * to root: it is new, or an older release made it. It counts as the mark of a process that commits.
   */
  #contentOf(name: string): string {
    try {
      return withSpareDescriptor(() => readFileSync(join(this.#dir, name), 'latin1'))
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ENOENT') return ''
      if (code === 'EACCES') return UNREADABLE
      throw error
    }
  }

  #remove(name: string): void {
    rmSync(join(this.#dir, name), { force: true })
  }
}

function nameOf(kind: 'door' | 'commits'): string {
  const { pid, started, boot, namespace } = currentProcess
  return [kind, pid, started ?? '', boot ?? '', namespace ?? '', randomUUID()].join('~')
}

function processOf(name: string): ProcessIdentity {
  const [, pid, started, boot, namespace] = name.split('~')
  return { pid: Number(pid), started: started || null, boot: boot || null, namespace: namespace || null }
}
