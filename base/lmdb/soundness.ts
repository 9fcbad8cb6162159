/** Whether the files of an environment are what LMDB may be handed, judged without LMDB. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { giveToOwner } from './owner.ts'
import { LmdbDamage } from './page.ts'
import { DATA_FILE, DamagedFileError, hasData } from './usable-files.ts'
import { walkLmdb } from './walk.ts'

/** Names the state in which the data file was left when it was last closed. */
const NOTE = 'closed'

/**
 * Notes the state of the data file, after LMDB has closed it and while nobody else has it open: a file that is found so again
 * was changed by nobody since, and needs no check. The note is replaced as a whole, so that whoever owns the directory can
 * replace one of root's, and belongs to that user even if root has written it.
 */
export function noteClosed(dir: string): void {
  const fresh = join(dir, `${NOTE}.new`)
  try {
    rmSync(fresh, { force: true })
    writeFileSync(fresh, stateOf(dir), { flag: 'wx' })
    giveToOwner(fresh)
    renameSync(fresh, join(dir, NOTE))
  } catch {
    // On a full disk the note is an old one, which doesn't fit, or there is none: the next opening checks all pages.
    rmSync(fresh, { force: true })
  }
}

/** An empty or missing data file where one was closed before is not a journal that is just being made. */
export function mustNotBeLost(dir: string): void {
  if (!hasData(dir) && existsSync(join(dir, NOTE)))
    throw new DamagedFileError(`${resolve(dir, DATA_FILE)} is missing or empty, and there was a journal in it`)
}

export function isAsClosed(dir: string): boolean {
  try {
    return readFileSync(join(dir, NOTE), 'utf8') === stateOf(dir)
  } catch {
    // No note: it was never closed, or copied without it.
    return false
  }
}

/** A copy has another inode, and whoever writes to the file changes its times. */
function stateOf(dir: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(join(dir, DATA_FILE), { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/**
 * Walks all pages of a file of LMDB (`walkLmdb`). Nobody may write meanwhile. Throws DamagedFileError. `databases`: those
 * that it may hold.
 */
export function mustBeSoundLmdb(
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
