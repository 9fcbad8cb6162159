import { hash } from 'node:crypto'
import type { Rejected } from '../../contracts/records.ts'
import type { Draft } from '../../journal/typed.ts'
import { cutText, startOfBytes } from '../cut.ts'
import { localFileUrl } from '../fetch/local-file.ts'
import { keptLimits } from '../limits.ts'
import type { Document, Reject } from '../source.ts'

export type RowFault = Pick<Reject, 'reason' | 'detail' | 'location'>
/** The document of an input, as its records name it. */
export type Origin = Pick<Document, 'source' | 'dataset' | 'url' | 'retrievedAt' | 'sha256' | 'fileName'>

/** Bytes of a rejected input in one record. A larger input is split into several records. */
const PART_BYTES = 512 * 1024

/** Id of a rejected input. The same fault at the same place of the same document has the same id. */
export const inputIdOf = ({ sha256 }: Pick<Origin, 'sha256'>, { reason, location }: RowFault): string =>
  hash('sha256', `${sha256} ${reason} ${location}`)

/**
 * Builds the quarantine records of a rejected input. They keep at most `limit` of its bytes, and the detail says so if
 * that is not all. Texts are cut to `keptLimits`, so that no input is too long for a record. `at` is UTC milliseconds.
 */
export function rejectedDrafts(
  origin: Origin,
  fault: RowFault,
  bytes: Uint8Array,
  at: number,
  limit: number,
  input_id: string = inputIdOf(origin, fault),
): Draft<'quarantine'>[] {
  const kept = startOfBytes(bytes, limit)
  const note = kept.length < bytes.length ? ` (The first ${kept.length} of ${bytes.length} bytes are kept.)` : ''
  const detail = cutText(fault.detail, keptLimits.detail - note.length) + note
  const parts = Math.max(1, Math.ceil(kept.length / PART_BYTES))
  return Array.from({ length: parts }, (_, i) => {
    const value: Rejected = {
      input_id,
      source: cutText(origin.source, keptLimits.name),
      dataset: cutText(origin.dataset, keptLimits.name),
      url: cutText(addressOf(origin), keptLimits.name),
      reason: cutText(fault.reason, keptLimits.location),
      detail,
      location: cutText(fault.location, keptLimits.location),
      retrieved_at: origin.retrievedAt ?? new Date(at).toISOString(),
      recorded_at: new Date(at).toISOString(),
      sha256: origin.sha256,
      part: i + 1,
      parts,
      bytes: Buffer.from(kept.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)),
    }
    return { value, id: `${input_id}/${i + 1}`, at }
  })
}

/**
 * Where a person finds the document: the name of a local file in Almanac's own format, not the address that its head states
 * as the origin of the figures.
 */
const addressOf = ({ url, fileName, retrievedAt }: Origin): string =>
  fileName === undefined || retrievedAt !== null ? url : localFileUrl(fileName)

/** Rejected rows of one document: how many have a record, and how many were only counted, by reason. */
export type RowsKept = {
  rows: number
  bytes: number
  counted: Map<string, number>
  /** Location of the first row that was only counted. */
  countedFrom: string
}
export const noRowsKept = (): RowsKept => ({ rows: 0, bytes: 0, counted: new Map(), countedFrom: '' })

/** Notes a further rejected row. Returns whether it gets a record of its own; if not, it is only counted. */
export function keepIfRoom(
  kept: RowsKept,
  { reason, location }: RowFault,
  bytes: Uint8Array,
  limit: number = keptLimits.rowBytes,
): boolean {
  if (kept.rows < keptLimits.rows && kept.bytes < keptLimits.rowsBytes) {
    kept.rows++
    kept.bytes += Math.min(bytes.length, limit)
    return true
  }
  if (kept.counted.size === 0) kept.countedFrom = location
  kept.counted.set(reason, (kept.counted.get(reason) ?? 0) + 1)
  return false
}

/** Returns one fault for all rows that were only counted; undefined if there are none. */
export function faultOfCounted({ counted, countedFrom }: RowsKept): RowFault | undefined {
  if (counted.size === 0) return undefined
  const total = [...counted.values()].reduce((sum, count) => sum + count, 0)
  const reasons = [...counted].map(([reason, count]) => `${count} ${reason}`).join(', ')
  const detail = `${total} further rows were rejected or held, and are not kept one by one: ${reasons}.`
  return { reason: 'more_rejected', detail, location: countedFrom }
}
