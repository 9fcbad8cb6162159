import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The files are not, or no longer, those of a journal. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

export const DATA_FILE = 'data.mdb'
const LOCK_FILE = 'lock.mdb'

/** The files that LMDB makes in a directory. */
export const filesOf = (dir: string): readonly string[] => [DATA_FILE, LOCK_FILE].map((name) => join(dir, name))

/** False also for an empty file, which LMDB makes before it writes to it. */
export const hasData = (dir: string): boolean =>
  (statSync(join(dir, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0

/** In the first page of LMDB's data file; little-endian, as the machines are that it has binaries for. */
const MAGIC = Buffer.from('dec0efbe', 'hex')
const HEAD_BYTES = 64

/**
 * lmdb-js 3.5.6 ends the process, rather than throw, at files that it may not write and at a data file that isn't LMDB's.
 * Throws DamagedFileError, and what the system says (EACCES, EROFS) of files that are there.
 */
export function mustBeUsable(dir: string): void {
  for (const file of filesOf(dir)) {
    try {
      accessSync(file, constants.R_OK | constants.W_OK)
      if (basename(file) === DATA_FILE && !isLmdb(file))
        throw new DamagedFileError(`${file} is not a journal, or damaged`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** An empty file is one that is just being made. */
function isLmdb(file: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    const bytes = readSync(descriptor, head, 0, HEAD_BYTES, 0)
    return bytes === 0 || head.includes(MAGIC)
  } finally {
    closeSync(descriptor)
  }
}
