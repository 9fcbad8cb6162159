/** Checks, without LMDB, whether LMDB can safely open the files of an environment. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { giveToOwner } from './owner.ts'
import { LmdbDamage } from './page.ts'
import { DATA_FILE, DamagedFileError, hasData } from './usable-files.ts'
import { walkLmdb } from './walk.ts'

/** File with the state of the data file at its last close. */
const CLOSE_NOTE = 'closed'

/**
 * Records the state of the data file. Call it after LMDB has closed the file and while no other process has it open. If
 * the file has the same state at the next opening, no program has changed it, and it needs no check. The note is
 * replaced as a whole and given to the directory's owner, so that this user can replace a note that root has written.
 */
export function noteClosed(dir: string): void {
  const fresh = join(dir, `${CLOSE_NOTE}.new`)
  try {
    rmSync(fresh, { force: true })
    writeFileSync(fresh, stateOf(dir), { flag: 'wx' })
    giveToOwner(fresh)
    renameSync(fresh, join(dir, CLOSE_NOTE))
  } catch {
    // On a full disk the note is missing or an old one that does not match. Then the next opening checks all pages.
    rmSync(fresh, { force: true })
  }
}

/**
 * Throws DamagedFileError if the data file is empty or missing although one was closed here before. Without that note,
 * the journal is just being created.
 */
export function assertNotLost(dir: string): void {
  if (!hasData(dir) && existsSync(join(dir, CLOSE_NOTE)))
    throw new DamagedFileError(`${resolve(dir, DATA_FILE)} is missing or empty, and there was a journal in it`)
}

export function isUnchangedSinceClose(dir: string): boolean {
  try {
    return readFileSync(join(dir, CLOSE_NOTE), 'utf8') === stateOf(dir)
  } catch {
    // No note: the file was never closed, or was copied without its note.
    return false
  }
}

/** State of the data file. A copy has another inode, and a write changes the times. */
function stateOf(dir: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(join(dir, DATA_FILE), { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/**
 * Checks all pages of an LMDB file (`walkLmdb`), which may hold `databases` and no others. No process may write
 * meanwhile. Throws DamagedFileError.
 */
export function assertSoundLmdb(
  dir: string,
  databases: ReadonlySet<string>,
  visit: (database: string, key: Buffer, value: Buffer) => void = () => undefined,
): void {
  if (!hasData(dir)) return
  const file = resolve(dir, DATA_FILE)
  try {
    walkLmdb(file, databases, visit)
  } catch (error) {
    if (error instanceof LmdbDamage)
      throw new DamagedFileError(`${file} is damaged, or not what it should be (${error.message})`)
    throw error
  }
}
