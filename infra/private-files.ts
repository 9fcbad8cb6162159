import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Permission bits of the group and of all other users. */
const OTHERS = 0o077
const STICKY = 0o1000

/** Makes all files and directories that this process and its children create accessible to their owner alone. */
export const createPrivateFiles = (): void => void process.umask(OTHERS)

/** Everything that is created directly in a data directory. */
const entries = new Set([
  'access',
  'almanac.pid',
  'checkpoints',
  'clickhouse',
  'demo-keys.json',
  'infra',
  'journal',
  'sample-loaded',
  'schedule',
  'store.json',
])

/**
 * Takes a data directory that exists, and what stands directly in it, away from other users: releases up to 0.1 made it
 * readable for all. What lies deeper cannot be reached then, whatever its own permissions are. A directory that users
 * share, as /tmp with its sticky bit, stays as it is; only entries of ours in it are closed. `warn` hears once of what is
 * changed, and each time of what belongs to another user.
 */
export function closeDataDirectory(directory: string, warn: (message: string) => void): void {
  const closed: string[] = []
  const failed: string[] = []
  const close = (path: string): void => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found || (found.mode & OTHERS) === 0 || (found.mode & STICKY) !== 0) return
    // Root could, but a link of another user's may lead anywhere.
    if (found.uid !== process.geteuid?.()) failed.push(path)
    else {
      chmodSync(path, found.mode & ~OTHERS)
      closed.push(path)
    }
  }
  try {
    for (const name of readdirSync(directory)) if (entries.has(name)) close(join(directory, name))
    close(directory)
  } catch (error) {
    // There is none yet, or it cannot be used: what opens it says so.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
  if (closed.length > 0) warn(`other users could reach ${closed.join(', ')}: now only its owner can`)
  if (failed.length > 0) warn(`other users may reach ${failed.join(', ')}: run chmod go= on it as its owner`)
}
