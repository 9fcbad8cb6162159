/** Whether the files of a journal are what LMDB may be handed, judged without LMDB. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { faultOfEnvelope, hasKey } from './envelope.ts'
import { LmdbDamage } from './lmdb/page.ts'
import { walkLmdb } from './lmdb/walk.ts'
import { giveToOwner } from './owner.ts'
import type { Bounds } from './store.ts'
import { DATA_FILE, DamagedJournalError, hasData } from './usable-files.ts'

/** Names the state in which the data file was left when it was last closed. */
const NOTE = 'closed'

/** Offsets of the first and last record of each log, and the number of its records. */
export type LogSpans = ReadonlyMap<number, { readonly first: number; readonly last: number; readonly count: number }>

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
    throw new DamagedJournalError(`${resolve(dir, DATA_FILE)} is missing or empty, and there was a journal in it`)
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
 * Walks all pages of a file of LMDB (`walkLmdb`). Nobody may write meanwhile. Throws DamagedJournalError. `databases`: those
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
      throw new DamagedJournalError(`${file} is damaged, or not what it should be (${error.message})`)
    throw error
  }
}

const DATABASES: ReadonlySet<string> = new Set(['records', 'newest', 'state'])

/**
 * Checks the pages of a journal, and the index of its compacted topics against its records; with `deep` the checksum of
 * every record, too. Nobody may write meanwhile. Throws DamagedJournalError. Returns what `mustFitBounds` wants to know.
 */
export function mustBeSoundJournal(dir: string, { deep = false }: { readonly deep?: boolean } = {}): LogSpans {
  const spans = new Map<number, { first: number; last: number; count: number }>()
  /** By log: offsets that the index names and that no record has been seen for. */
  const indexed = new Map<number, Set<number>>()
  mustBeSoundLmdb(dir, DATABASES, (database, key, value) => {
    if (database === 'newest') {
      const log = logOf(key)
      const offset = Number(value.toString('latin1'))
      const offsets = indexed.get(log) ?? new Set()
      indexed.set(log, offsets)
      if (!Number.isSafeInteger(offset) || offsets.has(offset)) throw new LmdbDamage(`the index of log ${log} is wrong`)
      offsets.add(offset)
    } else if (database === 'records') {
      if (key.length !== 8) throw new LmdbDamage('a record has a key of another length')
      const [log, offset] = [logOf(key), key.readUIntBE(2, 6)]
      const span = spans.get(log)
      if (span) {
        span.last = offset
        span.count++
      } else spans.set(log, { first: offset, last: offset, count: 1 })
      const named = indexed.get(log)?.delete(offset)
      if (named === false && hasKey(value)) throw new LmdbDamage(`log ${log}: the index does not know record ${offset}`)
      const fault = deep ? faultOfEnvelope(value, key) : undefined
      if (fault !== undefined) throw new LmdbDamage(`log ${log}, record ${offset}: ${fault}`)
    } else if (!isJson(value))
      throw new LmdbDamage(`the state of ${JSON.stringify(key.toString('latin1'))} can't be read`)
  })
  for (const [log, { size }] of indexed)
    if (size > 0)
      throw new DamagedJournalError(`${resolve(dir, DATA_FILE)} is damaged (log ${log}: ${size} records are missing)`)
  return spans
}

/** Records lie within what their log says of itself. Throws DamagedJournalError. */
export function mustFitBounds(dir: string, spans: LogSpans, boundsOf: (log: number) => Bounds): void {
  for (const [log, { first, last }] of spans) {
    const { start, end } = boundsOf(log)
    if (!(start <= first && last < end))
      throw new DamagedJournalError(
        `${resolve(dir, DATA_FILE)} is damaged (log ${log} has records ${first} to ${last}, and says ${start} to ${end})`,
      )
  }
}

const logOf = (key: Buffer): number => {
  if (key.length < 2) throw new LmdbDamage('an entry has no log')
  return key.readUInt16BE(0)
}

function isJson(value: Buffer): boolean {
  try {
    JSON.parse(value.toString('utf8'))
    return true
  } catch {
    return false
  }
}
