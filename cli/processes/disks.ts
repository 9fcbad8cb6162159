import { statfs } from 'node:fs/promises'
import { type DiskState, diskState, freeBytes } from '../../infra/disk.ts'
import type { Log } from '../../infra/log.ts'
import type { Probe } from './health.ts'

/**
 * Wraps probes so that a part reports `disk full` if the file system of its directory is full. The part's own probe would
 * find nothing wrong, because reading still works. Logs when a disk becomes low or full, and when it has room again.
 */
export function withDisks<Part extends string>(
  probes: Readonly<Record<Part, Probe>>,
  directories: Readonly<Partial<Record<Part, string>>>,
  log: Pick<Log, 'warn' | 'info'>,
): Readonly<Record<Part, Probe>> {
  const watched = Object.entries<Probe>(probes).map(([part, probe]) => {
    // Cast: `Object.entries` forgets the type of the keys.
    const directory = directories[part as Part]
    if (directory === undefined) return [part, probe]
    const look = watch(part, directory, log)
    return [part, async () => ((await look()) === 'full' ? 'disk full' : probe())]
  })
  return Object.fromEntries(watched)
}

function watch(part: string, directory: string, log: Pick<Log, 'warn' | 'info'>): () => Promise<DiskState> {
  let before: DiskState = 'ok'
  return async () => {
    // If the directory cannot be read, the part's own probe reports it.
    const room = await statfs(directory).catch(() => undefined)
    if (!room) return 'ok'
    const now = diskState(room)
    const facts = { part, directory, free_mb: Math.round(freeBytes(room) / 1e6) }
    if (now === 'ok' && before !== 'ok') log.info(facts, 'the disk has room again')
    else if (now !== before)
      log.warn(
        facts,
        now === 'full'
          ? 'the disk is full and writes fail: free some space'
          : 'the disk is nearly full: free some space',
      )
    before = now
    return now
  }
}
