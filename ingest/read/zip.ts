import { crc32 } from 'node:zlib'
import { Inflate } from 'fflate'
import { errorMessage } from '../../base/errors.ts'
import { documentLimits } from '../limits.ts'
import { DocumentError } from '../source.ts'

export type ZipEntry = {
  readonly name: string
  /** Unpacks the entry and checks its CRC-32. Throws `DocumentError` `malformed_zip`. */
  readonly read: () => Uint8Array
  /** Does the same piece by piece, so the CRC-32 is known to be right only at the end. */
  readonly pieces: () => Iterable<Uint8Array>
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/**
 * Reads the entries of a zip archive. No entry gives more bytes than the directory declares, and an archive that
 * declares more than `maxBytes` in all is refused, so a zip bomb costs nothing. Reads neither encryption nor Zip64.
 * Throws `DocumentError` `malformed_zip` (a cut archive has no directory at its end) or `too_large`.
 * Source: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export function readZip(bytes: Uint8Array, maxBytes: number = documentLimits.unpackedBytes): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const u16 = (offset: number) => view.getUint16(offset, true)
  const u32 = (offset: number) => view.getUint32(offset, true)
  if (!isZip(bytes)) throw malformed('file', 'it is no zip archive')
  return guarded('directory', () => {
    const end = endOfDirectory(view)
    const entries: ZipEntry[] = []
    let total = 0
    let next = u32(end + 16)
    const count = u16(end + 10)
    if (count > documentLimits.zipEntries)
      throw new DocumentError(
        'too_large',
        `The archive has ${count} entries; at most ${documentLimits.zipEntries} are read.`,
      )
    for (let left = count; left > 0; left--) {
      const at = next
      if (u32(at) !== ENTRY) throw malformed('directory', `no entry at byte ${at}`)
      total += u32(at + 24)
      if (total > maxBytes) throw new DocumentError('too_large', `The archive unpacks to more than ${maxBytes} bytes.`)
      const name = new TextDecoder().decode(slice(bytes, at + 46, u16(at + 28)))
      const pieces = () => unpack(name, bytes, view, at)
      entries.push({ name, pieces, read: () => Buffer.concat([...pieces()]) })
      next += 46 + u16(at + 28) + u16(at + 30) + u16(at + 32)
    }
    return entries
  })
}

/**
 * Returns a zip archive's only .csv file whose name matches, or the bytes themselves. Throws what `readZip` throws, or
 * `not_one_csv`.
 */
export function csvIn(bytes: Uint8Array, name = /\.csv$/): Uint8Array {
  if (!isZip(bytes)) return bytes
  const entries = readZip(bytes)
  const [csv, ...others] = entries.filter((entry) => name.test(entry.name))
  if (csv && others.length === 0) return csv.read()
  const names = entries.map(({ name }) => JSON.stringify(name)).join(', ')
  throw new DocumentError('not_one_csv', `The archive must hold one .csv file; it holds: ${names}.`)
}

function endOfDirectory(view: DataView): number {
  // The record is 22 bytes and may be followed by a comment of up to 65,535.
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--) {
    if (view.getUint32(at, true) === END && at + 22 + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  throw malformed('directory', 'not found, so the archive has been cut')
}

/** Unpacks an entry; `at` is the index of its directory record. */
function* unpack(name: string, bytes: Uint8Array, view: DataView, at: number): Generator<Uint8Array> {
  const u16 = (offset: number) => view.getUint16(offset, true)
  const u32 = (offset: number) => view.getUint32(offset, true)
  const { method, size, crc, packed } = guarded(name, () => {
    const [flags, method, local] = [u16(at + 8), u16(at + 10), u32(at + 42)]
    if ((flags & 1) !== 0) throw malformed(name, 'encrypted')
    if (method !== STORED && method !== DEFLATED) throw malformed(name, `packed by method ${method}`)
    if (u32(local) !== LOCAL) throw malformed(name, `not at byte ${local}`)
    const packed = slice(bytes, local + 30 + u16(local + 26) + u16(local + 28), u32(at + 20))
    return { method, size: u32(at + 24), crc: u32(at + 16), packed }
  })
  let length = 0
  let found = 0
  const inflated = method === STORED ? [packed].values() : inflate(packed)
  for (;;) {
    const next = guarded(name, () => inflated.next())
    if (next.done) break
    length += next.value.length
    found = crc32(next.value, found)
    if (length > size) break
    yield next.value
  }
  if (length !== size || found !== crc) throw malformed(name, 'not the bytes that were packed')
}

const PACKED_PIECE_BYTES = 16 * 1024

/** Node's own zlib inflates at once or asynchronously; parsers are synchronous. */
function* inflate(packed: Uint8Array): Generator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let isEnded = false
  const stream = new Inflate((piece, isLast) => {
    pieces.push(piece)
    isEnded ||= isLast
  })
  for (let at = 0; at < packed.length; at += PACKED_PIECE_BYTES) {
    stream.push(packed.subarray(at, at + PACKED_PIECE_BYTES), at + PACKED_PIECE_BYTES >= packed.length)
    yield* pieces
    pieces = []
  }
  if (!isEnded) throw new RangeError('the packed bytes have no end')
}

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw new RangeError('beyond the end')
  return bytes.subarray(start, start + length)
}

const malformed = (part: string, detail: string, cause?: unknown) =>
  new DocumentError('malformed_zip', `The archive can't be read: ${part}: ${detail}.`, part, { cause })

/**
 * Turns the platform's errors, for reads past the end and bad deflate streams, into `malformed_zip`. The cast is safe
 * because the platform throws only Errors.
 */
function guarded<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    throw malformed(part, errorMessage(cause), cause)
  }
}
