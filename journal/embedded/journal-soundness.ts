/** Checks a journal's file for damage without using LMDB, which may crash on damaged pages. */
import { resolve } from 'node:path'
import { LmdbDamage } from '../../base/lmdb/page.ts'
import { assertSoundLmdb } from '../../base/lmdb/soundness.ts'
import { DATA_FILE, DamagedFileError } from '../../base/lmdb/usable-files.ts'
import { countOfEntry, faultOfEntry, isBatchEntry, isKeyedEntry } from './log-entry.ts'
import type { Bounds } from './store.ts'

/** Offsets of the first and last record of each log, and the number of its records. */
export type LogSpans = ReadonlyMap<number, { readonly first: number; readonly last: number; readonly count: number }>

const DATABASES: ReadonlySet<string> = new Set(['records', 'newest', 'state'])

/**
 * Checks all pages of a journal, and the index of its compacted topics against the records. With `deep`, also checks
 * the checksum of every record. No process may write meanwhile, unless a read transaction keeps the pages in place.
 * Returns the spans that `assertWithinBounds` needs. Throws DamagedFileError.
 */
export function assertSoundJournal(dir: string, { deep = false }: { readonly deep?: boolean } = {}): LogSpans {
  const spans = new Map<number, { first: number; last: number; count: number }>()
  /** Offsets by log that the index names and for which no record has been seen yet. */
  const indexed = new Map<number, Set<number>>()
  assertSoundLmdb(dir, DATABASES, (database, key, value) => {
    if (database === 'newest') {
      const log = logOf(key)
      const offset = Number(value.toString('latin1'))
      const offsets = indexed.get(log) ?? new Set()
      indexed.set(log, offsets)
      if (!Number.isSafeInteger(offset) || offsets.has(offset)) throw new LmdbDamage(`the index of log ${log} is wrong`)
      offsets.add(offset)
    } else if (database === 'records') {
      if (key.length !== 8) throw new LmdbDamage(`a record's key has ${key.length} bytes, not 8`)
      const [log, offset] = [logOf(key), key.readUIntBE(2, 6)]
      const span = spans.get(log)
      const count = countOfEntry(value)
      const first = offset - count + 1
      if (first <= (span?.last ?? -1)) throw new LmdbDamage(`log ${log}: record ${offset} overlaps others`)
      if (isBatchEntry(value) && indexed.has(log)) throw new LmdbDamage(`log ${log}: record ${offset} is in a batch`)
      if (span) {
        span.last = offset
        span.count += count
      } else spans.set(log, { first, last: offset, count })
      const named = indexed.get(log)?.delete(offset)
      if (named === false && isKeyedEntry(value)) throw new LmdbDamage(`log ${log}: the index lacks record ${offset}`)
      const fault = deep ? faultOfEntry(value, key) : undefined
      if (fault !== undefined) throw new LmdbDamage(`log ${log}, record ${offset}: ${fault}`)
    } else if (!isJson(value))
      throw new LmdbDamage(`the state row ${JSON.stringify(key.toString('latin1'))} is no JSON`)
  })
  for (const [log, { size }] of indexed)
    if (size > 0)
      throw new DamagedFileError(`${resolve(dir, DATA_FILE)} is damaged (log ${log}: ${size} records are missing)`)
  return spans
}

/** Checks that all records lie within the bounds that their log states. Throws DamagedFileError. */
export function assertWithinBounds(dir: string, spans: LogSpans, boundsOf: (log: number) => Bounds): void {
  for (const [log, { first, last }] of spans) {
    const { start, end } = boundsOf(log)
    if (!(start <= first && last < end))
      throw new DamagedFileError(
        `${resolve(dir, DATA_FILE)} is damaged (log ${log} has records ${first} to ${last}, but its bounds are ${start} to ${end})`,
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
