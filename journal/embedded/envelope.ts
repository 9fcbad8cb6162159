/**
 * Encoding of one record. The same record always gives the same bytes.
 *
 *   u8 format (2) · u32 CRC-32 of all that follows and of the record's key in LMDB · i48 timestamp, UTC ms
 *   u16 key length (65535: no key) · key
 *   u16 number of headers, in order of their names, each: u16 name length · name · u32 value length · value
 *   value: the rest
 *
 * Integers are big-endian, text is UTF-8. The checksum covers the key in LMDB (u16 log · u48 offset), so that a record
 * is not taken for that of another offset. Format 1, which is still read, leaves the key out of the checksum.
 */
import { crc32 } from 'node:zlib'
import {
  JournalError,
  MAX_HEADER_BYTES,
  MAX_KEY_BYTES,
  MAX_RECORD_BYTES,
  type NewRecord,
  type StoredRecord,
} from '../journal.ts'

const FORMAT = 2
const FORMAT_WITHOUT_PLACE = 1
const NO_KEY = 0xffff
const CHECKED_FROM = 5
const FIXED_BYTES = 15
const KEY_LENGTH_AT = 11

/**
 * Encodes a record without its checksum, which `seal` adds. Throws `record_too_large`, and a RangeError for a time or
 * text that could not be read back unchanged. The casts are safe because `names` are the headers' own keys.
 */
export function encodeEnvelope({ key, value, timestamp, headers }: NewRecord): Buffer {
  if (!Number.isSafeInteger(timestamp)) throw new RangeError(`timestamp ${timestamp} is not whole milliseconds`)
  const keyBytes = key === null ? 0 : utf8Length(key)
  const names = Object.keys(headers).sort()
  let headerBytes = 0
  for (const name of names) headerBytes += 6 + utf8Length(name) + utf8Length(headers[name] as string)
  if (value.length > MAX_RECORD_BYTES || keyBytes > MAX_KEY_BYTES || headerBytes > MAX_HEADER_BYTES) {
    const found = `value ${value.length}, key ${keyBytes}, headers ${headerBytes} bytes`
    const allowed = `${MAX_RECORD_BYTES}, ${MAX_KEY_BYTES}, ${MAX_HEADER_BYTES}`
    throw new JournalError('record_too_large', `${found}; at most ${allowed}`)
  }
  const bytes = Buffer.allocUnsafe(FIXED_BYTES + keyBytes + headerBytes + value.length)
  bytes[0] = FORMAT
  bytes.writeUInt32BE(0, 1)
  bytes.writeIntBE(timestamp, CHECKED_FROM, 6)
  let at = bytes.writeUInt16BE(key === null ? NO_KEY : keyBytes, KEY_LENGTH_AT)
  if (key !== null) at += bytes.write(key, at)
  at = bytes.writeUInt16BE(names.length, at)
  for (const name of names) {
    const nameBytes = bytes.write(name, at + 2)
    bytes.writeUInt16BE(nameBytes, at)
    at += 2 + nameBytes
    const textBytes = bytes.write(headers[name] as string, at + 4)
    bytes.writeUInt32BE(textBytes, at)
    at += 4 + textBytes
  }
  bytes.set(value, at)
  return bytes
}

/** Shared buffer: every read and write needs a place key only for a moment. */
const place = Buffer.alloc(8)

/** Returns a record's key in LMDB: u16 log · u48 offset. Valid until the next call. */
export function placeKey(log: number, offset: number): Buffer {
  place.writeUInt16BE(log, 0)
  place.writeUIntBE(offset, 2, 6)
  return place
}

/** Writes the checksum of an envelope that will be stored under `key`. */
export function seal(bytes: Buffer, key: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(key, crc32(bytes.subarray(CHECKED_FROM))), 1)
  return bytes
}

/** Describes what is wrong with the bytes; undefined if nothing is. */
export function faultOfEnvelope(bytes: Buffer, key: Buffer): string | undefined {
  if (bytes.length < FIXED_BYTES) return `${bytes.length} bytes are too few`
  if (bytes[0] !== FORMAT && bytes[0] !== FORMAT_WITHOUT_PLACE) return `unknown format ${bytes[0]}`
  const ofContent = crc32(bytes.subarray(CHECKED_FROM))
  const expected = bytes[0] === FORMAT ? crc32(key, ofContent) : ofContent
  return expected === bytes.readUInt32BE(1) ? undefined : 'the checksum differs'
}

/** Tells from the bytes of an envelope whether its record has a key. */
export const hasKey = (bytes: Buffer): boolean =>
  bytes.length >= FIXED_BYTES && bytes.readUInt16BE(KEY_LENGTH_AT) !== NO_KEY

/** Decodes a record, whose value is a view of `bytes`. Throws an Error that says what is wrong with the bytes. */
export function decodeEnvelope(bytes: Buffer, log: number, offset: number): StoredRecord {
  const fault = faultOfEnvelope(bytes, placeKey(log, offset))
  if (fault !== undefined) throw new Error(fault)
  const timestamp = bytes.readIntBE(CHECKED_FROM, 6)
  const keyBytes = bytes.readUInt16BE(KEY_LENGTH_AT)
  let at = 13
  let key: string | null = null
  if (keyBytes !== NO_KEY) {
    key = bytes.toString('utf8', at, at + keyBytes)
    at += keyBytes
  }
  const count = bytes.readUInt16BE(at)
  at += 2
  const headers: Record<string, string> = {}
  for (let i = 0; i < count; i++) {
    const nameEnd = at + 2 + bytes.readUInt16BE(at)
    const name = nameAt(bytes, at + 2, nameEnd)
    const textEnd = nameEnd + 4 + bytes.readUInt32BE(nameEnd)
    setOwn(headers, name, bytes.toString('utf8', nameEnd + 4, textEnd))
    at = textEnd
  }
  return { offset, key, value: bytes.subarray(at), timestamp, headers }
}

/** Cache of ASCII header names. Records share the same few, and comparing bytes is cheaper than decoding a string. */
const names: string[] = []
const MAX_NAMES = 16

function nameAt(bytes: Buffer, from: number, to: number): string {
  for (const name of names) if (name.length === to - from && standsAt(bytes, from, name)) return name
  const name = bytes.toString('utf8', from, to)
  if (names.length < MAX_NAMES && name.length === to - from) names.push(name)
  return name
}

function standsAt(bytes: Buffer, from: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (bytes[from + i] !== ascii.charCodeAt(i)) return false
  return true
}

function utf8Length(text: string): number {
  const length = Buffer.byteLength(text)
  if (length !== text.length && !text.isWellFormed()) throw new RangeError('text with a lone surrogate')
  return length
}

/** Assigns a header, also one that is called `__proto__`, which a plain assignment would not set. */
function setOwn(headers: Record<string, string>, name: string, text: string): void {
  if (name !== '__proto__') headers[name] = text
  else Object.defineProperty(headers, name, { value: text, enumerable: true, configurable: true, writable: true })
}
