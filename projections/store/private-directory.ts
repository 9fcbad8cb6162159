/** Directories that no other user of the machine can look into or change. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes `path`, or takes the directory that is there and closes it to others. Throws if it is not this user's own. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  if (found.isDirectory() && isOwn(found)) chmodSync(path, 0o700)
  assertPrivateDirectory(path)
}

/**
 * Takes the right to write to a directory of this user's from all others, as a umask of 002 gives it to a group. One with a
 * sticky bit, as /tmp, is shared on purpose and stays as it is.
 */
export function denyWritesByOthers(path: string): void {
  const found = statSync(path)
  if (isOwn(found) && (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0) chmodSync(path, found.mode & 0o7755)
}

/** Makes a directory of an unguessable name in `parent`, which others may write to if it is sticky, as /tmp is. */
export function makeTemporaryDirectory(parent: string, prefix: string): string {
  assertSafeParent(parent)
  return mkdtempSync(join(parent, prefix)) // mode 0700, and never one that is there
}

/**
 * Throws unless `path` is a directory itself, not a symlink to one, belongs to this user, is closed to all others, and
 * can't be renamed or replaced by them. For root any owner will do, so that an administrator can run commands.
 */
export function assertPrivateDirectory(path: string): void {
  const found = lstatSync(path)
  if (!found.isDirectory()) throw new Error(`${path} is not a directory: it may not be a symlink or a file`)
  if (!isOwn(found)) throw new Error(`${path} belongs to user ${found.uid}, not to the user of this process`)
  if ((found.mode & 0o077) !== 0) throw new Error(`${path} is open to other users: run chmod 700 on it`)
  assertSafeParent(dirname(path))
}

function assertSafeParent(parent: string): void {
  const { mode } = statSync(parent)
  const [isShared, isSticky] = [(mode & 0o022) !== 0, (mode & 0o1000) !== 0]
  if (isShared && !isSticky) {
    throw new Error(`${parent} can be written to by other users, who could replace what is in it: run chmod go-w on it`)
  }
}

const isOwn = ({ uid }: Stats): boolean => [uid, 0].includes(process.geteuid?.() ?? uid)
