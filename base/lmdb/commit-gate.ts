/**
 * Keeps the opening and closing of an LMDB environment apart from other processes' commits, openings and closings.
 *
 * - Opening sets the number of the newest transaction, which all processes share, to what the opener has read a moment
 *   before. A commit in between is forgotten, acknowledged though it is, and the next one overwrites it (OpenLDAP
 *   ITS#9496; not mended in lmdb-js 3.5.6).
 * - The last to close destroys the shared mutexes, on which an opener may be about to rely.
 *
 * Each process says what it is doing in a directory of marks, and only then looks at what the others say; so of two
 * that collide, one at least sees the other.
 *   door~<process>~<id>      exists while its process opens or closes, or waits to
 *   commits~<process>~<id>   holds a count, which is odd while its process commits
 * Commits give way to doors; of two doors, the one whose name sorts first goes first. Marks of processes that run no
 * more do not count, and are removed. One that has been stopped, or whose event loop stands still, in the middle of
 * either holds up whoever has to wait for it.
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
import { makeDirectory } from './owner.ts'
import { currentProcess, fateOf, type ProcessIdentity } from './process-identity.ts'
import { withSpareDescriptor } from './spare-descriptor.ts'

/** How long the mark of a process in another container, of which nothing can be known, may stand unchanged. */
const FOREIGN_MS = 5_000
const FOREIGN_LOOK_MS = 100

/** Odd, as the count of a process that commits. */
const UNREADABLE = '1'

export class CommitGate {
  private readonly dir: string
  private readonly foreignMs: number
  private readonly commits: string
  private readonly counter: number
  private count = 0
  /** Since when foreign marks stand as they do, on our own clock. */
  private readonly foreign = new Map<string, { content: string; since: number }>()

  constructor(dir: string, foreignMs = FOREIGN_MS) {
    this.dir = dir
    this.foreignMs = foreignMs
    makeDirectory(dir)
    this.commits = nameOf('commits')
    this.counter = openSync(join(dir, this.commits), 'wx')
    // Beside the service of another user, as a command of root's is: that user has to read the count.
    if (statSync(dir).uid !== process.geteuid?.()) fchmodSync(this.counter, 0o644)
  }

  /** Runs while nobody else opens, closes or commits. */
  async exclusively<T>(run: () => T | Promise<T>): Promise<T> {
    const door = nameOf('door')
    try {
      await this.waitForOthers(door)
      return await run()
    } finally {
      this.remove(door)
    }
  }

  private async waitForOthers(door: string): Promise<void> {
    for (;;) {
      withSpareDescriptor(() => writeFileSync(join(this.dir, door), ''))
      const others = this.busy().filter((name) => name !== door)
      if (others.length === 0) return
      // Those behind us in the order of names give way when they see our mark.
      if (others.some((name) => name.startsWith('door') && name < door)) this.remove(door)
      await sleep(1)
    }
  }

  /** Runs while nobody opens or closes. One at a time. */
  async committing<T>(run: () => Promise<T>): Promise<T> {
    this.tick()
    try {
      while (this.doors().length > 0) {
        this.tick()
        await sleep(1)
        this.tick()
      }
      return await run()
    } finally {
      this.tick()
    }
  }

  /**
   * Whether nobody else has the environment open. Marks of other containers are watched until each has stood as it is
   * for long enough; one that changes meanwhile, or is new, is of a process that lives.
   */
  async isAlone(): Promise<boolean> {
    const isOther = (name: string) => name.startsWith('commits') && name !== this.commits
    for (let first = Number.POSITIVE_INFINITY; ; await sleep(FOREIGN_LOOK_MS)) {
      const others = this.marks().filter((name) => isOther(name) && this.counts(name, this.contentOf(name)))
      if (others.length === 0) return true
      const lives = (name: string) =>
        fateOf(processOf(name)) === 'running' || (this.foreign.get(name)?.since ?? 0) > first
      if (others.some(lives)) return false
      first = Math.min(first, performance.now())
    }
  }

  /**
   * Whether another process is known to have it open. The mark of another container may be that of a killed predecessor, so
   * it doesn't count: while a door is held, its process writes nothing.
   */
  hasOthers(): boolean {
    return this.marks().some(
      (name) => name.startsWith('commits') && name !== this.commits && fateOf(processOf(name)) === 'running',
    )
  }

  close(): void {
    closeSync(this.counter)
    this.remove(this.commits)
  }

  /**
   * Calls `onChange` when another process has begun or ended a commit, an opening or a closing. A hint: it may come more
   * than once, and not at all where the system has no more watches to give; then `onLoss` is called, once. Returns what
   * stops it.
   */
  watch(onChange: () => void, onLoss: () => void): () => void {
    try {
      const watcher = watch(this.dir, { persistent: false }, (_, name) => {
        if (name !== this.commits) onChange()
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

  private tick(): void {
    // Of one length always, so that no reader meets a half of it.
    writeSync(this.counter, String(++this.count).padStart(16, '0'), 0)
  }

  private marks(): string[] {
    return withSpareDescriptor(() => readdirSync(this.dir))
  }

  private doors(): string[] {
    return this.marks().filter((name) => name.startsWith('door') && this.counts(name, ''))
  }

  private busy(): string[] {
    const committing = this.marks().filter((name) => {
      if (!name.startsWith('commits') || name === this.commits) return false
      const content = this.contentOf(name)
      return this.counts(name, content) && Number(content) % 2 === 1
    })
    return [...this.doors(), ...committing]
  }

  /** Whether a mark's process may still be at what it says. */
  private counts(name: string, content: string): boolean {
    const fate = fateOf(processOf(name))
    if (fate === 'gone') this.remove(name)
    if (fate !== 'unknown') return fate === 'running'
    const before = this.foreign.get(name)
    if (before?.content !== content) this.foreign.set(name, { content, since: performance.now() })
    return performance.now() - (this.foreign.get(name)?.since ?? 0) < this.foreignMs
  }

  /**
   * Empty if the mark has just been removed, or just been made. One that may not be read is root's, and has just been made, or
   * is an older release's: it is taken for one that commits.
   */
  private contentOf(name: string): string {
    try {
      return withSpareDescriptor(() => readFileSync(join(this.dir, name), 'latin1'))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return ''
      if (code === 'EACCES') return UNREADABLE
      throw error
    }
  }

  private remove(name: string): void {
    rmSync(join(this.dir, name), { force: true })
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
