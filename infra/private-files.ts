import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Permission bits of the group and of all other users. */
const OTHERS = 0o077
/** Permission bits of users who are neither the owner nor in the group. */
const STRANGERS = 0o007
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
  'socket',
  'store-password',
  'store.json',
])

/** Files by which a data directory is known: each start, or the making of a journal, leaves one of them. */
const marks = ['journal/data.mdb', 'access/data.mdb', 'almanac.pid']

/**
 * Closes our entries of a data directory that exists to other users: releases up to 0.1 made them readable for all. The
 * directory itself is closed only if it is a data directory beyond doubt: it holds one of `marks`, and nothing that isn't
 * ours. Symbolic links, and directories with a sticky bit, which users share, stay as they are.
 *
 * `warn` hears once of what is changed, and each time of what belongs to another user and is open to more users than its
 * owner and a group of ours.
 */
export function closeDataDirectory(directory: string, warn: (message: string) => void): void {
  const closed: string[] = []
  const failed: string[] = []
  const close = (path: string): void => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found || isLeftAlone(found)) return
    if (found.uid !== process.geteuid?.()) {
      // Root could close it, but its owner may rely on how it is.
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
    // There is none yet, or it cannot be used: what opens it says so.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
  if (closed.length > 0) warn(`other users could reach ${closed.join(', ')}: now only its owner can`)
  for (const message of failed) warn(message)
}

const isDataDirectory = (directory: string, names: readonly string[]): boolean =>
  names.every((name) => entries.has(name)) &&
  marks.some((mark) => lstatSync(join(directory, mark), { throwIfNoEntry: false })?.isFile())

/** A socket can't be opened to change its mode, and its directory keeps others from it. */
const isLeftAlone = (found: Stats): boolean =>
  !(found.isFile() || found.isDirectory()) || (found.mode & OTHERS) === 0 || (found.mode & STICKY) !== 0

/** By a descriptor, so that a link which has taken the path's place meanwhile is not followed. */
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

/** Mode bits that another user's directory or file should lose; where we use it through its group, the group keeps its bits. */
function adviceTo({ mode, gid }: Stats): string | undefined {
  const isOurGroup = [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid)
  if (!isOurGroup) return 'chmod go='
  return (mode & STRANGERS) === 0 ? undefined : 'chmod o='
}
