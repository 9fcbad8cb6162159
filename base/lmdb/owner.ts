/**
 * Ownership of files that root creates in a directory of another user, as when root runs a command beside a service
 * that runs as that user.
 */
import { closeSync, constants, fchownSync, fstatSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../errors.ts'

/**
 * Gives a file that this process has just created to the owner of its directory. Does so only if this process is root
 * and the owner another user, who could not use the file otherwise. Links are not followed, and a file with several
 * names is left as it is.
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
    // The root user of a container may not change owners. Then the file stays root's, as everything else that it
    // creates there.
    if (!['EPERM', 'EINVAL'].includes(errorCode(error) ?? '')) throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a directory and its missing parents, for the owner of the nearest existing parent. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const made: string[] = []
  for (let at = resolve(path); at !== dirname(first); at = dirname(at)) made.unshift(at)
  for (const directory of made) giveToOwner(directory)
}

/** Runs `open`, which may create `paths`. The files that it creates are given to the owner of their directory. */
export function createForOwner<T>(paths: readonly string[], open: () => T): T {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  const missing = paths.filter((path) => !isThere(path))
  const opened = open()
  for (const path of missing) if (isThere(path)) giveToOwner(path)
  return opened
}
