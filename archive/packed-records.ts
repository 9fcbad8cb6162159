import { setHeader } from '../journal/headers.ts'
import type { PortableRecord } from '../journal/portable-records.ts'

/**
 * Records one behind the other. Each is in the layout that its digest covers (`digest.ts`), with room before it for the
 * digest before it. So records are hashed, sent to a thread and written as columns without an object for each.
 */
export type PackedRecords = {
  readonly bytes: Buffer
  /** Where each record ends, and the room of the next one begins. */
  readonly ends: readonly number[]
}

/** Bytes of room before each record, as many as a digest has. */
const ROOM = 32
/** Stands for the length of the key of a record without one. */
const NO_KEY = 0xffff_ffff
const FIXED_BYTES = ROOM + 8 + 8 + 4 + 4 + 4 + 4
const LENGTH_BYTES = 4
const WORD = 2 ** 32

/** Packs records. Integers are big-endian, text is UTF-8. */
export class RecordPacker {
  #bytes: Buffer
  #at = 0
  readonly #ends: number[] = []

  /** @param size expected number of bytes; more are taken if they are needed */
  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  add({ offset, timestamp, schema, key, headers, body }: PortableRecord): void {
    const names = Object.keys(headers)
    if (names.length > 1) names.sort()
    this.begin(offset, timestamp, schema)
    if (key === null) this.noKey()
    else this.text(key)
    this.headers(names.length)
    for (const name of names) {
      this.text(name)
      // Cast: `names` are the headers' own keys.
      this.text(headers[name] as string)
    }
    this.end(body)
  }

  /** Begins a record. What follows is its key or `noKey`, the number of its headers, their names and values, and `end`. */
  begin(offset: number, timestamp: number, schema: number): void {
    this.#reserve(FIXED_BYTES)
    this.#at = this.#long(offset, this.#at + ROOM)
    this.#at = this.#long(timestamp, this.#at)
    this.#at = this.#bytes.writeUInt32BE(schema, this.#at)
  }

  noKey(): void {
    this.#at = this.#bytes.writeUInt32BE(NO_KEY, this.#at)
  }

  headers(count: number): void {
    this.#reserve(FIXED_BYTES)
    this.#at = this.#bytes.writeUInt32BE(count, this.#at)
  }

  text(text: string): void {
    this.#reserve(LENGTH_BYTES + 3 * text.length)
    const length = this.#bytes.write(text, this.#at + LENGTH_BYTES)
    this.#at = this.#bytes.writeUInt32BE(length, this.#at) + length
  }

  textBytes(bytes: Uint8Array): void {
    this.#reserve(LENGTH_BYTES + bytes.length)
    this.#at = this.#bytes.writeUInt32BE(bytes.length, this.#at)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  end(body: Uint8Array): void {
    this.textBytes(body)
    this.#ends.push(this.#at)
  }

  /** Returns what was packed. */
  finish(): PackedRecords {
    return { bytes: this.#bytes.subarray(0, this.#at), ends: this.#ends }
  }

  #long(value: number, at: number): number {
    this.#bytes.writeInt32BE(Math.floor(value / WORD), at)
    return this.#bytes.writeUInt32BE(((value % WORD) + WORD) % WORD, at + 4)
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + more))
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}

/** Number of the records before an offset. */
export function countBefore(records: PackedRecords, offset: number): number {
  const record = new PackedCursor()
  const found = records.ends.findIndex((_, number) => {
    record.read(records, number)
    return record.offset >= offset
  })
  return found < 0 ? records.ends.length : found
}

/** Tells where the parts of a packed record lie: of the one that `read` was called for last. */
export class PackedCursor {
  bytes: Buffer = Buffer.alloc(0)
  offset = 0
  timestamp = 0
  schema = 0
  /** Where the key begins; −1 without a key. */
  keyFrom = -1
  keyTo = -1
  /** Number of headers. */
  headers = 0
  bodyFrom = 0
  bodyTo = 0
  /** Begin and end of each header's name and value. */
  readonly #headers: number[] = []

  read({ bytes, ends }: PackedRecords, number: number): void {
    let at = (ends[number - 1] ?? 0) + ROOM
    this.bytes = bytes
    this.offset = long(bytes, at)
    this.timestamp = long(bytes, at + 8)
    this.schema = bytes.readUInt32BE(at + 16)
    at += 20
    const key = bytes.readUInt32BE(at)
    this.keyFrom = key === NO_KEY ? -1 : at + LENGTH_BYTES
    this.keyTo = this.keyFrom + key
    at = key === NO_KEY ? at + LENGTH_BYTES : this.keyTo
    this.headers = bytes.readUInt32BE(at)
    at += LENGTH_BYTES
    for (let i = 0; i < 4 * this.headers; i += 2) {
      this.#headers[i] = at + LENGTH_BYTES
      at = this.#headers[i + 1] = at + LENGTH_BYTES + bytes.readUInt32BE(at)
    }
    this.bodyFrom = at + LENGTH_BYTES
    // Cast: each record has an end.
    this.bodyTo = ends[number] as number
  }

  // Casts below: there are as many as `headers`.
  nameFrom = (header: number): number => this.#headers[4 * header] as number
  nameTo = (header: number): number => this.#headers[4 * header + 1] as number
  valueFrom = (header: number): number => this.#headers[4 * header + 2] as number
  valueTo = (header: number): number => this.#headers[4 * header + 3] as number
}

const long = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * WORD + bytes.readUInt32BE(at + 4)

export function packRecords(records: readonly PortableRecord[]): PackedRecords {
  const packer = new RecordPacker(records.reduce((sum, { body }) => sum + body.length + 256, 0))
  for (const record of records) packer.add(record)
  return packer.finish()
}

/** Returns the records. Their bodies are views. */
export function unpackedRecords(packed: PackedRecords): PortableRecord[] {
  const { bytes } = packed
  const at = new PackedCursor()
  const keyText = textReader(bytes)
  const nameTexts: ReturnType<typeof textReader>[] = []
  return packed.ends.map((_, number) => {
    at.read(packed, number)
    const headers: Record<string, string> = {}
    for (let i = 0; i < at.headers; i++) {
      nameTexts[i] ??= textReader(bytes)
      const name = nameTexts[i]?.(at.nameFrom(i), at.nameTo(i)) ?? ''
      setHeader(headers, name, bytes.toString('utf8', at.valueFrom(i), at.valueTo(i)))
    }
    return {
      offset: at.offset,
      timestamp: at.timestamp,
      key: at.keyFrom < 0 ? null : keyText(at.keyFrom, at.keyTo),
      headers,
      schema: at.schema,
      body: bytes.subarray(at.bodyFrom, at.bodyTo),
    }
  })
}

/** Returns a function that reads texts, which are often the same as the one before. */
function textReader(bytes: Buffer): (from: number, to: number) => string {
  let [lastFrom, lastTo, text] = [0, 0, '']
  return (from, to) => {
    if (bytes.compare(bytes, from, to, lastFrom, lastTo) !== 0) text = bytes.toString('utf8', from, to)
    ;[lastFrom, lastTo] = [from, to]
    return text
  }
}
