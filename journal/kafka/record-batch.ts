/**
 * Kafka's record batch, format 2 (https://kafka.apache.org/documentation/#recordbatch), for sending and fetching. kafkajs is
 * not used for it, for three reasons: it replaces time 0 by the current time, it compares times as text to find the greatest
 * (retention depends on it), and it does not verify checksums.
 *
 *   0 i64 base offset · 8 i32 length of the rest · 12 i32 leader epoch · 16 i8 format (2) · 17 u32 CRC-32C of what follows
 *   21 i16 attributes · 23 i32 last offset delta · 27 i64 base time · 35 i64 greatest time · 43 i64 producer id
 *   51 i16 producer epoch · 53 i32 base sequence · 57 i32 count · 61 records
 *
 * A record: length · i8 attributes · time delta · offset delta · key · value · headers; numbers are zigzag varints, a
 * length of -1 means absent.
 */
import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { setHeader } from '../headers.ts'
import {
  JournalError,
  MAX_HEADER_BYTES,
  MAX_KEY_BYTES,
  MAX_RECORD_BYTES,
  type NewRecord,
  type StoredRecord,
} from '../journal.ts'
import { crc32c } from './crc32c.ts'
import { Bytes, textBytes, varintBytes, writeVarint } from './varint.ts'

type Sequence = { readonly producerId: bigint; readonly epoch: number; readonly sequence: number }

/** Header of a fetched batch, with a way to decode its records. */
type RawBatch = {
  readonly firstOffset: number
  readonly lastOffset: number
  readonly producerId: bigint
  readonly epoch: number
  readonly sequence: number
  readonly isTransactional: boolean
  /** How the transaction ended, if the batch is its end marker. Undefined for a batch of records. */
  readonly marker: 'commit' | 'abort' | undefined
  /** Yields the records in order, without fillers, each with its size in bytes. Values are copies. */
  records(): Generator<{ readonly record: StoredRecord; readonly size: number }>
}

const HEAD = 61
const CHECKED_FROM = 21
const TRANSACTIONAL = 0x10
const CONTROL = 0x20
const APPEND_TIME = 0x08
const COMPRESSION = 0x07
const GZIP = 1

/**
 * First byte of a made-up key, for records without a key in compacted topics, where Kafka demands one. UTF-8 never begins
 * with it.
 */
const NO_KEY = 0xff

/** A record to be written. A filler has the value null. */
export type Encodable = Omit<NewRecord, 'key' | 'value'> & {
  readonly key: string | Buffer | null
  readonly value: Uint8Array | null
}
/** Key of fillers: a single byte, whereas made-up keys are longer. */
const FILLER_KEY = Buffer.of(NO_KEY)

/** A record that only occupies an offset. Readers never see it, and compaction removes all fillers but one. */
export const filler = (timestamp: number): Encodable => ({ key: FILLER_KEY, value: null, timestamp, headers: {} })

/**
 * Encodes all records as one batch, which must be sealed before it is sent. `keyed` means that the topic is compacted and
 * Kafka demands keys: records without a key then get a random one, so that they are never compacted. Throws
 * `record_too_large`, and a RangeError for a time or text that could not be read back unchanged.
 */
export function encodeBatch(records: readonly Encodable[], keyed: boolean): Buffer {
  const base = records[0]?.timestamp ?? 0
  const keys = records.map(({ key }) => (key === null && keyed ? madeUpKey() : key))
  const sizes = records.map((record, i) => bodySize(record, keys[i] ?? null, record.timestamp - base, i))
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + varintBytes(size) + size, HEAD))
  let at = HEAD
  let greatest = base
  for (const [i, record] of records.entries()) {
    greatest = Math.max(greatest, record.timestamp)
    at = writeVarint(bytes, at, sizes[i] as number)
    at = writeBody(bytes, at, record, keys[i] ?? null, record.timestamp - base, i)
  }
  bytes.writeBigInt64BE(0n, 0)
  bytes.writeInt32BE(bytes.length - 12, 8)
  bytes.writeInt32BE(-1, 12)
  bytes.writeInt8(2, 16)
  bytes.writeInt16BE(0, 21)
  bytes.writeInt32BE(records.length - 1, 23)
  bytes.writeBigInt64BE(BigInt(base), 27)
  bytes.writeBigInt64BE(BigInt(greatest), 35)
  bytes.writeInt32BE(records.length, 57)
  return bytes
}

/** Encodes records as `encodeBatch` does, in batches of at most `maxBytes`. A larger record gets a batch of its own. */
export function encodeBatches(records: readonly Encodable[], keyed: boolean, maxBytes: number): Buffer[] {
  const batches: Buffer[] = []
  let from = 0
  let size = HEAD
  for (const [i, record] of records.entries()) {
    const most = mostBytes(record)
    if (size + most > maxBytes && i > from) {
      batches.push(encodeBatch(records.slice(from, i), keyed))
      from = i
      size = HEAD
    }
    size += most
  }
  return from < records.length ? [...batches, encodeBatch(records.slice(from), keyed)] : batches
}

/** Largest size that a record can take in a batch, at any position, including its length field. */
function mostBytes(record: Encodable): number {
  const size = bodySize(record, record.key ?? MADE_UP_KEY, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return varintBytes(size) + size
}

/** Compresses the records of a batch with gzip. */
export function compress(batch: Buffer): Buffer {
  const bytes = Buffer.concat([batch.subarray(0, HEAD), gzipSync(batch.subarray(HEAD))])
  bytes.writeInt32BE(bytes.length - 12, 8)
  bytes.writeInt16BE(GZIP, 21)
  return bytes
}

export const countOf = (batch: Buffer): number => batch.readInt32BE(57)

/**
 * Writes producer, sequence number and checksum into a batch. Kafka stores one producer's sequence number once, however
 * often it is sent.
 */
export function sealBatch(batch: Buffer, { producerId, epoch, sequence }: Sequence, isTransactional: boolean): void {
  const compression = batch.readInt16BE(21) & COMPRESSION
  batch.writeInt16BE(isTransactional ? compression | TRANSACTIONAL : compression, 21)
  batch.writeBigInt64BE(producerId, 43)
  batch.writeInt16BE(epoch, 51)
  batch.writeInt32BE(sequence, 53)
  batch.writeUInt32BE(crc32c(batch, CHECKED_FROM), 17)
}

const MADE_UP_KEY = Buffer.alloc(17)
const madeUpKey = (): Buffer => Buffer.concat([Buffer.of(NO_KEY), randomBytes(MADE_UP_KEY.length - 1)])

function bodySize({ value, timestamp, headers }: Encodable, key: string | Buffer | null, delta: number, i: number) {
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new RangeError(`timestamp ${timestamp}`)
  const keyBytes = key === null ? 0 : typeof key === 'string' ? textBytes(key) : key.length
  const names = Object.keys(headers)
  let headerBytes = 0
  for (const name of names) {
    const [nameBytes, valueBytes] = [textBytes(name), textBytes(headers[name] as string)]
    headerBytes += varintBytes(nameBytes) + nameBytes + varintBytes(valueBytes) + valueBytes
  }
  const valueBytes = value?.length ?? 0
  if (valueBytes > MAX_RECORD_BYTES || keyBytes > MAX_KEY_BYTES || headerBytes > MAX_HEADER_BYTES) {
    const found = `value ${valueBytes}, key ${keyBytes}, headers ${headerBytes} bytes`
    const allowed = `${MAX_RECORD_BYTES}, ${MAX_KEY_BYTES}, ${MAX_HEADER_BYTES}`
    throw new JournalError('record_too_large', `${found}; at most ${allowed}`)
  }
  const numbers = varintBytes(delta) + varintBytes(i) + varintBytes(names.length)
  const [keyLength, valueLength] = [key === null ? -1 : keyBytes, value === null ? -1 : valueBytes]
  return 1 + numbers + varintBytes(keyLength) + keyBytes + varintBytes(valueLength) + valueBytes + headerBytes
}

function writeBody(
  bytes: Buffer,
  start: number,
  { value, headers }: Encodable,
  key: string | Buffer | null,
  delta: number,
  i: number,
): number {
  bytes[start] = 0
  let at = writeVarint(bytes, start + 1, delta)
  at = writeVarint(bytes, at, i)
  if (key === null) at = writeVarint(bytes, at, -1)
  else if (typeof key === 'string') at = writeText(bytes, at, key)
  else {
    at = writeVarint(bytes, at, key.length)
    bytes.set(key, at)
    at += key.length
  }
  at = writeVarint(bytes, at, value === null ? -1 : value.length)
  if (value !== null) {
    bytes.set(value, at)
    at += value.length
  }
  const names = Object.keys(headers)
  at = writeVarint(bytes, at, names.length)
  for (const name of names) {
    at = writeText(bytes, at, name)
    at = writeText(bytes, at, headers[name] as string)
  }
  return at
}

function writeText(bytes: Buffer, start: number, text: string): number {
  const at = writeVarint(bytes, start, Buffer.byteLength(text))
  return at + bytes.write(text, at)
}

/** Yields the complete batches in a fetch response. Throws an Error that tells how the bytes are damaged. */
export function* batchesIn(bytes: Buffer): Generator<RawBatch> {
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const end = at + 12 + bytes.readInt32BE(at + 8)
    if (end > bytes.length) return
    yield openBatch(bytes.subarray(at, end))
    at = end
  }
}

function openBatch(batch: Buffer): RawBatch {
  const firstOffset = Number(batch.readBigInt64BE(0))
  const damaged = (what: string) => new Error(`damaged record batch at offset ${firstOffset}: ${what}`)
  if (batch[16] !== 2) throw damaged(`format ${batch[16]}`)
  if (crc32c(batch, CHECKED_FROM) !== batch.readUInt32BE(17)) throw damaged('the checksum differs')
  const attributes = batch.readInt16BE(21)
  const records = () => decodeRecords(batch, firstOffset, attributes)
  return {
    firstOffset,
    lastOffset: firstOffset + batch.readInt32BE(23),
    producerId: batch.readBigInt64BE(43),
    epoch: batch.readInt16BE(51),
    sequence: batch.readInt32BE(53),
    isTransactional: (attributes & TRANSACTIONAL) !== 0,
    marker: attributes & CONTROL ? markerOf(batch) : undefined,
    records,
  }
}

/** A control record's key is i16 version · i16 kind. */
function markerOf(batch: Buffer): 'commit' | 'abort' | undefined {
  if (countOf(batch) === 0) return undefined
  const body = new Bytes(batch, HEAD)
  body.varint()
  body.at++
  body.varint()
  body.varint()
  body.varint()
  return batch.readInt16BE(body.at + 2) === 0 ? 'abort' : 'commit'
}

function* decodeRecords(batch: Buffer, firstOffset: number, attributes: number) {
  const base = Number(batch.readBigInt64BE(27))
  const appended = attributes & APPEND_TIME ? Number(batch.readBigInt64BE(35)) : undefined
  const body = new Bytes(bodyOf(batch, attributes & COMPRESSION, firstOffset), 0)
  for (let left = countOf(batch); left > 0; left--) {
    const size = body.varint()
    const end = body.at + size
    body.at++
    const created = base + body.varint()
    const offset = firstOffset + body.varint()
    const key = body.bytes()
    const value = Buffer.from(body.bytes() ?? [])
    const headers: Record<string, string> = {}
    for (let count = body.varint(); count > 0; count--) {
      const name = body.text()
      setHeader(headers, name, body.text())
    }
    body.at = end
    if (key?.length === 1 && key[0] === NO_KEY) continue
    const record = {
      offset,
      key: key && key[0] !== NO_KEY ? key.toString('utf8') : null,
      value,
      timestamp: appended ?? created,
      headers,
    }
    yield { record, size }
  }
}

function bodyOf(batch: Buffer, compression: number, offset: number): Buffer {
  if (compression === 0) return batch.subarray(HEAD)
  if (compression === GZIP) return gunzipSync(batch.subarray(HEAD))
  throw new Error(
    `record batch at offset ${offset} has compression ${compression}, which Almanac cannot read; only gzip (1) and none (0) are supported`,
  )
}
