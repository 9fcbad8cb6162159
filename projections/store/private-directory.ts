/** Creates and checks directories that no other user of the machine can read or change. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Creates `path`, or closes an existing directory to others. Throws if another user owns it. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  if (found.isDirectory() && isOwn(found)) chmodSync(path, 0o700)
  assertPrivateDirectory(path)
}

/**
 * Removes the right of other users to write to a directory of this user, which a umask of 002 gives to a group. Leaves
 * a directory with a sticky bit, such as /tmp, because it is shared on purpose.
 */
export function denyWritesByOthers(path: string): void {
  const found = statSync(path)
  if (isOwn(found) && (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0) chmodSync(path, found.mode & 0o7755)
}

/** Creates a directory with a random name in `parent`. Others may write to `parent` if it is sticky, such as /tmp. */
export function makeTemporaryDirectory(parent: string, prefix: string): string {
  assertSafeParent(parent)
  return mkdtempSync(join(parent, prefix)) // mode 0700; never an existing directory
}

/**
 * Throws unless `path` is a directory and no symlink, belongs to this user, and is closed to all others, who also must
 * not be able to rename or replace it. Root may use any owner's directory, so that an administrator can run commands.
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
