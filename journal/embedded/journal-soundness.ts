/** Whether the records of a journal fit together, judged without LMDB. */
import { resolve } from 'node:path'
import { LmdbDamage } from '../../base/lmdb/page.ts'
import { assertSoundLmdb } from '../../base/lmdb/soundness.ts'
import { DATA_FILE, DamagedFileError } from '../../base/lmdb/usable-files.ts'
import { faultOfEnvelope, hasKey } from './envelope.ts'
import type { Bounds } from './store.ts'

/** Offsets of the first and last record of each log, and the number of its records. */
export type LogSpans = ReadonlyMap<number, { readonly first: number; readonly last: number; readonly count: number }>

const DATABASES: ReadonlySet<string> = new Set(['records', 'newest', 'state'])

/**
 * Checks the pages of a journal, and the index of its compacted topics against its records; with `deep` the checksum of
 * every record, too. Nobody may write meanwhile. Throws DamagedFileError. Returns what `mustFitBounds` wants to know.
 */
export function mustBeSoundJournal(dir: string, { deep = false }: { readonly deep?: boolean } = {}): LogSpans {
  const spans = new Map<number, { first: number; last: number; count: number }>()
  /** By log: offsets that the index names and that no record has been seen for. */
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
      throw new DamagedFileError(`${resolve(dir, DATA_FILE)} is damaged (log ${log}: ${size} records are missing)`)
  return spans
}

/** Records lie within what their log says of itself. Throws DamagedFileError. */
export function mustFitBounds(dir: string, spans: LogSpans, boundsOf: (log: number) => Bounds): void {
  for (const [log, { first, last }] of spans) {
    const { start, end } = boundsOf(log)
    if (!(start <= first && last < end))
      throw new DamagedFileError(
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
