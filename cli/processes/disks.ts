import { statfs } from 'node:fs/promises'
import { type DiskState, diskState, freeBytes } from '../../infra/disk.ts'
import type { Log } from '../../infra/log.ts'
import type { Probe } from './health.ts'

/**
 * Has each part say `disk full` where the file system of its directory is. Reading goes on there, so that the part itself
 * finds nothing wrong. Logs when a disk becomes low or full, and when there is room again.
 */
export function withDisks<Part extends string>(
  probes: Readonly<Record<Part, Probe>>,
  directories: Readonly<Partial<Record<Part, string>>>,
  log: Pick<Log, 'warn' | 'info'>,
): Readonly<Record<Part, Probe>> {
  const watched = Object.entries<Probe>(probes).map(([part, probe]) => {
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
    // Not there: its part says so.
    const room = await statfs(directory).catch(() => undefined)
    if (!room) return 'ok'
    const now = diskState(room)
    const facts = { part, directory, free_mb: Math.round(freeBytes(room) / 1e6) }
    if (now === 'ok' && before !== 'ok') log.info(facts, 'the disk has room again')
    else if (now !== before)
      log.warn(
        facts,
        now === 'full' ? 'the disk is full: make room, writes fail' : 'the disk is nearly full: make room',
      )
    before = now
    return now
  }
}
