/**
 * Encoding of a record without its offset. An entry of the log (`log-entry.ts`) holds one record or several, and each of them
 * has this body. The same record always gives the same bytes.
 *
 *   i48 timestamp, UTC ms
 *   u16 key length (65535: no key) · key
 *   u16 number of headers, in order of their names, each: u16 name length · name · u32 value length · value
 *   value: the rest
 *
 * Integers are big-endian, text is UTF-8. What stands before the value is called the head of the body.
 */

import { setHeader } from '../headers.ts'
import {
  JournalError,
  MAX_HEADER_BYTES,
  MAX_KEY_BYTES,
  MAX_RECORD_BYTES,
  type NewRecord,
  type RecordHead,
  type StoredRecord,
} from '../journal.ts'

const NO_KEY = 0xffff
const KEY_LENGTH_AT = 6
const KEY_AT = 8
/** Smallest body: a record without key, headers and value. */
export const LEAST_BODY_BYTES = 10

/** A record that is going to be encoded, and how long its parts will be. */
export type MeasuredRecord = {
  readonly record: NewRecord
  /** Names of the headers, in order. */
  readonly names: readonly string[]
  readonly keyBytes: number
  readonly headBytes: number
}

/** Sorts names, which mostly are in order. Sorting them would cost more than the rest of a measurement. */
function inOrder(names: string[]): string[] {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as string) > (names[i] as string)) return names.sort()
  return names
}

/** Number of bytes of the body of a measured record. */
export const bodyBytes = ({ headBytes, record }: MeasuredRecord): number => headBytes + record.value.length

/**
 * Measures a record. Throws `record_too_large`, and a RangeError for a time or text that could not be read back unchanged.
 * The cast is safe because `names` are the headers' own keys, as in `writeBody`.
 */
export function measureRecord(record: NewRecord): MeasuredRecord {
  const { key, value, timestamp, headers } = record
  if (!Number.isSafeInteger(timestamp)) throw new RangeError(`timestamp ${timestamp} is not whole milliseconds`)
  const keyBytes = key === null ? 0 : utf8Length(key)
  const names = inOrder(Object.keys(headers))
  let headerBytes = 0
  for (const name of names) headerBytes += 6 + utf8Length(name) + utf8Length(headers[name] as string)
  if (value.length > MAX_RECORD_BYTES || keyBytes > MAX_KEY_BYTES || headerBytes > MAX_HEADER_BYTES) {
    const found = `value ${value.length}, key ${keyBytes}, headers ${headerBytes} bytes`
    const allowed = `${MAX_RECORD_BYTES}, ${MAX_KEY_BYTES}, ${MAX_HEADER_BYTES}`
    throw new JournalError('record_too_large', `${found}; at most ${allowed}`)
  }
  return { record, names, keyBytes, headBytes: LEAST_BODY_BYTES + keyBytes + headerBytes }
}

/** Writes the body of a record and returns the offset of its end. */
export function writeBody({ record, names, keyBytes }: MeasuredRecord, bytes: Buffer, from: number): number {
  const { key, value, timestamp, headers } = record
  bytes.writeIntBE(timestamp, from, 6)
  let at = bytes.writeUInt16BE(key === null ? NO_KEY : keyBytes, from + KEY_LENGTH_AT)
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
  return at + value.length
}

/** Returns the time of the record of a body, UTC ms. */
export const timeOf = (bytes: Buffer, from: number): number => bytes.readIntBE(from, 6)

/** Reads the time and the key of the record of a body. */
export function headOf(bytes: Buffer, from: number): RecordHead {
  const keyBytes = bytes.readUInt16BE(from + KEY_LENGTH_AT)
  const key = keyBytes === NO_KEY ? null : bytes.toString('utf8', from + KEY_AT, from + KEY_AT + keyBytes)
  return { key, timestamp: timeOf(bytes, from) }
}

/** Tells whether the record of a body has a key. */
export const bodyHasKey = (bytes: Buffer, from: number): boolean => bytes.readUInt16BE(from + KEY_LENGTH_AT) !== NO_KEY

/** Returns where the value of a body begins. */
export function valueStart(bytes: Buffer, from: number): number {
  const keyBytes = bytes.readUInt16BE(from + KEY_LENGTH_AT)
  let at = from + KEY_AT + (keyBytes === NO_KEY ? 0 : keyBytes)
  const count = bytes.readUInt16BE(at)
  at += 2
  for (let i = 0; i < count; i++) {
    at += 2 + bytes.readUInt16BE(at)
    at += 4 + bytes.readUInt32BE(at)
  }
  return at
}

/** Reads a record, whose value is a view of `bytes`. The body has been checked by the checksum around it. */
export function recordOf(bytes: Buffer, from: number, to: number, offset: number): StoredRecord {
  const { key, timestamp } = headOf(bytes, from)
  let at = from + KEY_AT + (key === null ? 0 : bytes.readUInt16BE(from + KEY_LENGTH_AT))
  const count = bytes.readUInt16BE(at)
  at += 2
  const headers: Record<string, string> = {}
  for (let i = 0; i < count; i++) {
    const nameEnd = at + 2 + bytes.readUInt16BE(at)
    const name = nameAt(bytes, at + 2, nameEnd)
    const textEnd = nameEnd + 4 + bytes.readUInt32BE(nameEnd)
    setHeader(headers, name, bytes.toString('utf8', nameEnd + 4, textEnd))
    at = textEnd
  }
  return { offset, key, value: bytes.subarray(at, to), timestamp, headers }
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
