/**
 * Entries of the log: what LMDB stores under one key. An entry holds one record, or a batch of records with consecutive
 * offsets, as Kafka stores them. A batch is read with one look-up and one checksum.
 *
 *   u8 format (2: one record, 3: a batch) · u32 CRC-32 of all that follows and of the entry's key · content
 *
 *   content of one record: its body (record-body.ts)
 *   content of a batch: u16 number of records, then each: u32 bytes of the body's head · u32 bytes of the value · body
 *
 * The key names the log and the offset of the entry's last record. A reader that looks for an offset therefore finds the
 * entry that holds it as the first one from there on. So does a reader of a former release, which refuses format 3: if keys
 * named first offsets, it would skip the batch in which it begins to read.
 *
 * The checksum covers the key, so that a record is not taken for that of another offset. Format 1, which is still read, is
 * format 2 without the key in the checksum.
 */
import { crc32 } from 'node:zlib'
import { bodyBytes, bodyHasKey, LEAST_BODY_BYTES, type MeasuredRecord, valueStart, writeBody } from './record-body.ts'

const ONE_WITHOUT_PLACE = 1
const ONE = 2
const BATCH = 3

const CHECKED_FROM = 5
const COUNT_AT = 5
const RECORDS_FROM = 7
const LENGTHS_BYTES = 8
const LEAST_ENTRY_BYTES = CHECKED_FROM + LEAST_BODY_BYTES

const PAGE_BYTES = 4_096
/** LMDB's part of a run of pages that one large value has for itself. */
const PAGE_HEADER_BYTES = 16
/** Pages of the largest batch. A reader of one record has to read its whole batch, so larger ones would make look-ups slow. */
const MAX_PAGES = 8
/** Share of its pages that a batch must fill to have pages of its own. */
const LEAST_FILL = 7 / 8
/** Largest batch that lies beside others in a page. LMDB fits four of them into a page, so little of it stays empty. */
const SMALL_BATCH_BYTES = 1_000
const MAX_BATCH_RECORDS = 0xffff

/** An entry that is going to be appended. */
export type NewEntry = {
  /** Number of its records. */
  readonly count: number
  /** Key of the record in a compacted topic, whose entries hold one record each. */
  readonly key: string | null
  /** Greatest time of its records, UTC ms. */
  readonly time: number
  readonly bytes: Buffer
}

/** Encodes one record without the checksum, which `seal` adds. */
export function encodeOne(record: MeasuredRecord): NewEntry {
  const bytes = Buffer.allocUnsafe(CHECKED_FROM + bodyBytes(record))
  bytes[0] = ONE
  bytes.writeUInt32BE(0, 1)
  writeBody(record, bytes, CHECKED_FROM)
  return { count: 1, key: record.record.key, time: record.record.timestamp, bytes }
}

/** Encodes a batch without the checksum, which `seal` adds. A batch of one is an entry of one record. */
function encodeBatchEntry(records: readonly MeasuredRecord[]): NewEntry {
  const [first] = records
  if (first && records.length === 1) return encodeOne(first)
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + bytesInBatch(record), RECORDS_FROM))
  bytes[0] = BATCH
  bytes.writeUInt32BE(0, 1)
  let at = bytes.writeUInt16BE(records.length, COUNT_AT)
  let time = Number.NEGATIVE_INFINITY
  for (const record of records) {
    time = Math.max(time, record.record.timestamp)
    at = bytes.writeUInt32BE(record.headBytes, at)
    at = bytes.writeUInt32BE(record.record.value.length, at)
    at = writeBody(record, bytes, at)
  }
  return { count: records.length, key: null, time, bytes }
}

const bytesInBatch = (record: MeasuredRecord): number => LENGTHS_BYTES + bodyBytes(record)

/**
 * Divides the records of a write into batches: as many as fill pages of their own, then small ones. So a file is no larger
 * than with one entry for each record, however little is written at a time.
 */
export function encodeEntries(records: readonly MeasuredRecord[]): NewEntry[] {
  const entries: NewEntry[] = []
  let left = records.reduce((sum, record) => sum + bytesInBatch(record), RECORDS_FROM + PAGE_HEADER_BYTES)
  for (let from = 0; from < records.length; ) {
    const pages = Math.min(Math.max(Math.floor(left / PAGE_BYTES), 1), MAX_PAGES)
    const large = takeUpTo(records, from, pages * PAGE_BYTES - PAGE_HEADER_BYTES)
    const isFull = large.bytes + PAGE_HEADER_BYTES >= LEAST_FILL * pages * PAGE_BYTES
    const { to, bytes } = isFull ? large : takeUpTo(records, from, SMALL_BATCH_BYTES)
    entries.push(encodeBatchEntry(records.slice(from, to)))
    left -= bytes - RECORDS_FROM
    from = to
  }
  return entries
}

/** Finds how many records from number `from` on fit into a batch of `most` bytes: at least one. */
function takeUpTo(records: readonly MeasuredRecord[], from: number, most: number): { to: number; bytes: number } {
  let bytes = RECORDS_FROM
  for (let to = from; to < records.length && to - from < MAX_BATCH_RECORDS; to++) {
    // Cast: `to` is below the length.
    const more = bytesInBatch(records[to] as MeasuredRecord)
    if (to > from && bytes + more > most) return { to, bytes }
    bytes += more
  }
  return { to: Math.min(records.length, from + MAX_BATCH_RECORDS), bytes }
}

/** Shared buffer: every read and write needs an entry's key only for a moment. */
const keyBuffer = Buffer.alloc(8)

/** Returns the key of an entry in LMDB: u16 log · u48 offset of its last record. Valid until the next call. */
export function entryKey(log: number, last: number): Buffer {
  keyBuffer.writeUInt16BE(log, 0)
  keyBuffer.writeUIntBE(last, 2, 6)
  return keyBuffer
}

/** Writes the checksum of an entry that will be stored under `key`. */
export function seal(bytes: Buffer, key: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(key, crc32(bytes.subarray(CHECKED_FROM))), 1)
  return bytes
}

export const isBatchEntry = (bytes: Buffer): boolean => bytes[0] === BATCH

/** Number of records of an entry. Says nothing about an entry that has a fault. */
export const countOfEntry = (bytes: Buffer): number =>
  isBatchEntry(bytes) && bytes.length >= RECORDS_FROM ? bytes.readUInt16BE(COUNT_AT) : 1

/** Tells whether an entry is that of one record with a key. */
export const isKeyedEntry = (bytes: Buffer): boolean =>
  !isBatchEntry(bytes) && bytes.length >= LEAST_ENTRY_BYTES && bodyHasKey(bytes, CHECKED_FROM)

/** Describes what is wrong with an entry; undefined if nothing is. */
export function faultOfEntry(bytes: Buffer, key: Buffer): string | undefined {
  const [format] = bytes
  if (bytes.length < LEAST_ENTRY_BYTES) return `${bytes.length} bytes are too few`
  if (format !== ONE && format !== BATCH && format !== ONE_WITHOUT_PLACE) return `unknown format ${format}`
  const ofContent = crc32(bytes.subarray(CHECKED_FROM))
  const expected = format === ONE_WITHOUT_PLACE ? ofContent : crc32(key, ofContent)
  if (expected !== bytes.readUInt32BE(1)) return 'the checksum differs'
  return undefined
}

/**
 * Returns the entry without its records before the offset `start`, which is at most `last`, and without a checksum. Undefined
 * if it has none. Throws an Error that says what is wrong with the bytes.
 */
export function entryFrom(bytes: Buffer, log: number, last: number, start: number): Buffer | undefined {
  // Not opened: if it is damaged, retention may still delete what lies before it.
  if (last - countOfEntry(bytes) + 1 >= start) return undefined
  const walk = new EntryWalk()
  walk.open(bytes, log, last)
  while (walk.offset + 1 < start) walk.next()
  const rest = Buffer.concat([bytes.subarray(0, RECORDS_FROM), bytes.subarray(walk.to)])
  rest.writeUInt16BE(last - start + 1, COUNT_AT)
  return rest
}

/** Walks over the records of an entry. One instance can open one entry after another, so that nothing is allocated. */
export class EntryWalk {
  bytes: Buffer = Buffer.alloc(0)
  /** The current record: its offset, and where its body, its value and the end of both are in `bytes`. */
  offset = 0
  from = 0
  value = 0
  to = 0
  #last = 0

  /** Begins before the first record of an entry. Throws an Error that says what is wrong with the bytes. */
  open(bytes: Buffer, log: number, last: number): void {
    const fault = faultOfEntry(bytes, entryKey(log, last))
    if (fault !== undefined) throw new Error(fault)
    this.bytes = bytes
    this.#last = last
    this.offset = last - countOfEntry(bytes)
    this.to = isBatchEntry(bytes) ? RECORDS_FROM : 0
  }

  /** Goes to the next record. Returns false if there is none. */
  next(): boolean {
    if (this.offset === this.#last) return false
    this.offset++
    const { bytes, to } = this
    if (isBatchEntry(bytes)) {
      this.from = to + LENGTHS_BYTES
      this.value = this.from + bytes.readUInt32BE(to)
      this.to = this.value + bytes.readUInt32BE(to + 4)
    } else {
      this.from = CHECKED_FROM
      this.value = valueStart(bytes, CHECKED_FROM)
      this.to = bytes.length
    }
    return true
  }
}
