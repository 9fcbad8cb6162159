/** Files that root makes in a directory of another user, as by a command beside a service that runs as that user. */
import { closeSync, constants, fchownSync, fstatSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Gives what this process has just made to the owner of the directory that it is in, if we are root and that is another
 * user, who could not use it otherwise. Links are not followed, and a file of several names is left as it is.
 */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(resolve(path)))
  if (uid === 0) return
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    if (found.uid === 0 && (found.isDirectory() || (found.isFile() && found.nlink === 1))) {
      fchownSync(descriptor, uid, gid)
    }
  } catch (error) {
    // The root of a container may not give files away: they stay its own, as all else that it makes there.
    if (!['EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Makes a directory, and those above it, for the owner of the nearest one that is there. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const made: string[] = []
  for (let at = resolve(path); at !== dirname(first); at = dirname(at)) made.unshift(at)
  for (const directory of made) giveToOwner(directory)
}

/** Runs `open`, which may make `paths`; those that it makes belong to the owner of their directory. */
export function makingForOwner<T>(paths: readonly string[], open: () => T): T {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  const missing = paths.filter((path) => !isThere(path))
  const opened = open()
  for (const path of missing) if (isThere(path)) giveToOwner(path)
  return opened
}
