import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../base/errors.ts'

/** Permission bits of the group and of all other users. */
const OTHERS = 0o077
/** Permission bits of users other than the owner and the group. */
const STRANGERS = 0o007
const STICKY = 0o1000

/** Sets the umask, so that only the owner can access the files that this process and its children create. */
export const createPrivateFiles = (): void => void process.umask(OTHERS)

/** Names of everything that Almanac creates directly in a data directory. */
const entries = new Set([
  'access',
  'almanac.pid',
  'checkpoints',
  'clickhouse',
  'demo-keys.json',
  'infra',
  'journal',
  'last-backup.json',
  'publishers',
  'reader-password',
  'sample-loaded',
  'schedule',
  'socket',
  'store-password',
  'store.json',
  'tables-secret',
])

/** Files that prove a data directory: every start, and every creation of a journal, leaves one of them. */
const marks = ['journal/data.mdb', 'access/data.mdb', 'almanac.pid']

/**
 * Removes other users' access to Almanac's entries in an existing data directory, because releases up to 0.1 made them
 * readable for all. The directory itself is closed only if it is certainly a data directory: it holds one of `marks`, and
 * no file of other programs. Symbolic links, and directories with a sticky bit, which users share, are left unchanged.
 *
 * `warn` is called once for all changes. It is also called for each entry that belongs to another user and is open to more
 * users than its owner and a group of this process.
 */
export function closeDataDirectory(directory: string, warn: (message: string) => void): void {
  const closed: string[] = []
  const failed: string[] = []
  const close = (path: string): void => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found || isLeftAlone(found)) return
    if (found.uid !== process.geteuid?.()) {
      // Root could change the mode, but the owner may rely on it.
      const advice = adviceTo(found)
      if (advice !== undefined) failed.push(`other users may reach ${path}: run ${advice} on it as its owner`)
    } else if (takeFromOthers(path)) closed.push(path)
  }
  try {
    const names = readdirSync(directory)
    for (const name of names) if (entries.has(name)) close(join(directory, name))
    const found = lstatSync(directory)
    if (found.uid !== process.geteuid?.() || isDataDirectory(directory, names)) close(directory)
  } catch (error) {
    // The directory does not exist yet or cannot be used. The code that opens it reports that.
    if (errorCode(error) === undefined) throw error
  }
  if (closed.length > 0) warn(`other users could reach ${closed.join(', ')}: now only its owner can`)
  for (const message of failed) warn(message)
}

const isDataDirectory = (directory: string, names: readonly string[]): boolean =>
  names.every((name) => entries.has(name)) &&
  marks.some((mark) => lstatSync(join(directory, mark), { throwIfNoEntry: false })?.isFile())

/**
 * Whether an entry needs no change. A socket is skipped: it cannot be opened to change its mode, and its directory
 * protects it.
 */
const isLeftAlone = (found: Stats): boolean =>
  !(found.isFile() || found.isDirectory()) || (found.mode & OTHERS) === 0 || (found.mode & STICKY) !== 0

/** Removes other users' access by a descriptor, so that a link which has replaced the path meanwhile is not followed. */
function takeFromOthers(path: string): boolean {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    if (found.uid !== process.geteuid?.() || isLeftAlone(found)) return false
    fchmodSync(descriptor, found.mode & 0o7777 & ~OTHERS)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Advice on the mode of another user's entry. If this process uses the entry through its group, the group keeps its bits.
 */
function adviceTo({ mode, gid }: Stats): string | undefined {
  const isOurGroup = [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid)
  if (!isOurGroup) return 'chmod go='
  return (mode & STRANGERS) === 0 ? undefined : 'chmod o='
}
