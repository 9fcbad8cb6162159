import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorCode } from '../errors.ts'

/** The files are damaged, or are not those of a journal. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

export const DATA_FILE = 'data.mdb'
const LOCK_FILE = 'lock.mdb'

/** The files that LMDB creates in a directory. */
export const filesOf = (dir: string): readonly string[] => [DATA_FILE, LOCK_FILE].map((name) => join(dir, name))

/** Whether the data file has content. LMDB creates it empty before it first writes. */
export const hasData = (dir: string): boolean =>
  (statSync(join(dir, DATA_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Magic number in the first page of LMDB's data file. It is little-endian, as on all machines for which LMDB has
 * binaries.
 */
const MAGIC = Buffer.from('dec0efbe', 'hex')
const HEAD_BYTES = 64

/**
 * Checks the files before LMDB opens them, because lmdb-js 3.5.6 would end the process. It does so at a file that it
 * may not write, and at a data file of another kind. Throws DamagedFileError, or the system's error (EACCES, EROFS) for
 * existing files.
 */
export function assertUsableFiles(dir: string): void {
  for (const file of filesOf(dir)) {
    try {
      accessSync(file, constants.R_OK | constants.W_OK)
      if (basename(file) === DATA_FILE && !isLmdb(file))
        throw new DamagedFileError(`${file} is not a journal, or damaged`)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
}

/** Whether a data file is LMDB's. An empty file is just being created. */
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
