import { errorMessage } from '../../base/errors.ts'
import { DamagedFileError } from '../../base/lmdb/usable-files.ts'
import { type Batch, JournalError, type PartitionAddress, type ReadLimits, type StoredRecord } from '../journal.ts'
import { decodeEnvelope } from './envelope.ts'
import type { Store } from './store.ts'

const DEFAULT_LIMITS = { maxRecords: 1_000, maxBytes: 1_000_000 }

/**
 * Copies one batch out of the current snapshot. `maxBytes` counts encoded records. Throws `offset_out_of_range`, and
 * DamagedFileError with the place of a damaged record.
 */
export function readBatch(
  store: Store,
  { topic, partition, log }: PartitionAddress & { readonly log: number },
  offset: number,
  { maxRecords = DEFAULT_LIMITS.maxRecords, maxBytes = DEFAULT_LIMITS.maxBytes }: ReadLimits = {},
): Batch {
  const { start, end } = store.bounds(log)
  if (!Number.isInteger(offset) || offset < start || offset > end) {
    const detail = `${topic}/${partition} holds ${start} to ${end}; asked for ${offset}`
    throw new JournalError('offset_out_of_range', detail, { range: { start, end } })
  }
  const records: StoredRecord[] = []
  if (offset === end) return { records, next: end, end }
  let bytes = 0
  for (const { key, value } of store.records.getRange({ start: [log, offset], end: [log, end] })) {
    const [, at] = key
    bytes += value.length
    if (records.length > 0 && (records.length >= maxRecords || bytes > maxBytes)) return { records, next: at, end }
    try {
      records.push(decodeEnvelope(value, log, at))
    } catch (cause) {
      const where = `damaged record at ${topic}/${partition}@${at}`
      // Cast: `decodeEnvelope` throws only Errors.
      throw new DamagedFileError(`${where}: ${errorMessage(cause)}`, { cause })
    }
  }
  return { records, next: end, end }
}
