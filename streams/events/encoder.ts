import { isUtf8 } from 'node:buffer'
import type { EventRecord } from '../../contracts/records.ts'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { CursorWriter, writeDigits } from './cursor-writer.ts'
import type { EventJournal, LogEntry } from './entry.ts'
import { EventFields, fieldAt } from './event-fields.ts'
import { frameShape, type Variable } from './frame-shape.ts'

/** Size of the buffers that frames are written into, one after another. Allocating each frame would cost more than its text. */
const SLAB_BYTES = 64 * 1024
/** Most bytes of UTF-8 for one UTF-16 code unit of a string. */
const WIDEST = 3
const SEQUENCE_DIGITS = 20
/** ISO 3166-1 alpha-3. */
const CODE_LETTERS = 3
/** Most shapes remembered; more than a journal has combinations of family, type and schema. */
const MAX_SHAPES = 256

const field = {
  id: fieldAt('id'),
  type: fieldAt('type'),
  source: fieldAt('source'),
  family: fieldAt('family'),
  country: fieldAt('country'),
  subject: fieldAt('subject'),
  time: fieldAt('time'),
  dataschema: fieldAt('dataschema'),
  data: fieldAt('data'),
}
/** Fields that the constant pieces of a frame depend on. */
const tags = [field.type, field.family, field.source, field.dataschema]

/** The parts that frames of events with equal tags have in common, as bytes. */
type Shape = {
  readonly tags: readonly Uint8Array[]
  readonly hasCountry: boolean
  readonly family: string
  readonly type: string
  readonly pieces: readonly Uint8Array[]
  readonly members: readonly Variable[]
  readonly bytes: number
}

/**
 * Makes frames from the journal's event records: `servedEvent` as JSON, byte for byte (a test compares them). Every event
 * passes through here, live or replayed. If its texts are the same bytes in JSON as in Avro, the frame is copied together
 * from the record without decoding it. The few other records are decoded. `data` is the stored JSON, unchanged.
 *
 * Casts of array elements: each index is within its array, and a check for every byte would cost time.
 */
export class EventEncoder {
  readonly #journal: Pick<EventJournal, 'id' | 'decode'>
  readonly #cursors: CursorWriter
  readonly #fields = new EventFields()
  readonly #countries = new Map<number, string>()
  #shapes: Shape[] = []
  /** Shape of the previous event. */
  #shape: Shape | undefined
  #slab = Buffer.alloc(0)
  #used = 0

  constructor(journal: Pick<EventJournal, 'id' | 'decode'>) {
    this.#journal = journal
    this.#cursors = new CursorWriter(journal.id)
  }

  /**
   * Makes the log entry of a record. Its cursor's hint is the offset after the event's own: the first record from there on is
   * the next event, whatever holes follow. Throws if a record's `data` isn't the JSON of an object.
   */
  entry({ offset, value }: { readonly offset: number; readonly value: Uint8Array }): LogEntry {
    const fields = this.#fields
    const shape = fields.read(value) ? this.#shapeOf(value) : undefined
    const frame = shape && this.#copied(shape, value, offset)
    if (!shape || !frame) return this.#spelled(this.#journal.decode('events', value), offset)
    const { sequence } = fields
    const country = shape.hasCountry ? this.#countryIn(value) : null
    return { sequence, offset, family: shape.family, country, type: shape.type, frame }
  }

  sequenceOf(value: Uint8Array): number {
    return this.#fields.read(value) ? this.#fields.sequence : this.#journal.decode('events', value).sequence
  }

  #shapeOf(value: Uint8Array): Shape {
    const isOf = (shape: Shape) => this.#isOf(shape, value)
    if (!this.#shape || !isOf(this.#shape)) this.#shape = this.#shapes.find(isOf) ?? this.#learn(value)
    return this.#shape
  }

  #isOf({ tags: texts, hasCountry }: Shape, value: Uint8Array): boolean {
    if ((this.#fields.from[field.country] as number) >= 0 !== hasCountry) return false
    for (let i = 0; i < tags.length; i++) {
      if (!this.#fields.is(tags[i] as number, texts[i] as Uint8Array, value)) return false
    }
    return true
  }

  #learn(value: Uint8Array): Shape {
    const record = this.#journal.decode('events', value)
    const { pieces, members } = frameShape(record)
    const bytes = pieces.map((piece) => Buffer.from(piece))
    const shape = {
      // Copied, because a view would share the record's bytes, which belong to the journal.
      tags: tags.map((tag) => Uint8Array.from(value.subarray(this.#fields.from[tag], this.#fields.to[tag]))),
      hasCountry: record.country !== null,
      family: record.family,
      type: record.type,
      pieces: bytes,
      members,
      bytes: bytes.reduce((sum, { length }) => sum + length, 0),
    }
    if (this.#shapes.length >= MAX_SHAPES) this.#shapes = []
    this.#shapes.push(shape)
    return shape
  }

  /** The frame, copied from the record's bytes; undefined if a text needs escaping. */
  #copied({ pieces, members, bytes }: Shape, value: Uint8Array, offset: number): Uint8Array | undefined {
    this.#makeRoom(bytes + value.length + SEQUENCE_DIGITS + 2 * members.length + this.#cursors.maxBytes)
    const slab = this.#slab
    let at = this.#used
    for (let i = 0; i < members.length; i++) {
      at = this.#writeMember(members[i] as Variable, value, offset, copyTo(slab, pieces[i] as Uint8Array, at))
      if (at < 0) return undefined
    }
    return this.#taken(copyTo(slab, pieces[members.length] as Uint8Array, at))
  }

  /** Writes one member. Returns the offset of its end, or -1 if its text needs escaping. */
  #writeMember(member: Variable, value: Uint8Array, offset: number, at: number): number {
    const slab = this.#slab
    if (member === 'data') return this.#writeData(value, at)
    slab[at] = 0x22
    let end: number
    if (member === 'sequence') {
      writeDigits(this.#fields.sequence, SEQUENCE_DIGITS, slab, at + 1)
      end = at + 1 + SEQUENCE_DIGITS
    } else if (member === 'cursor') end = this.#cursors.write(this.#fields.sequence + 1, offset + 1, slab, at + 1)
    else end = this.#writeText(field[member], value, at + 1)
    if (end < 0) return -1
    slab[end] = 0x22
    return end + 1
  }

  /** Copies a text whose characters need no escape in JSON and take one byte each. Returns -1 for any other text. */
  #writeText(text: number, value: Uint8Array, at: number): number {
    const slab = this.#slab
    const to = this.#fields.to[text] as number
    let end = at
    let isPlain = 1
    for (let i = this.#fields.from[text] as number; i < to; i++) {
      const byte = value[i] as number
      isPlain &= PLAIN[byte] as number
      slab[end++] = byte
    }
    return isPlain === 1 ? end : -1
  }

  #writeData(value: Uint8Array, at: number): number {
    const from = this.#fields.from[field.data] as number
    const to = this.#fields.to[field.data] as number
    if (value[from] !== 0x7b || value[to - 1] !== 0x7d) return -1
    const data = value.subarray(from, to)
    if (!isUtf8(data)) return -1
    this.#slab.set(data, at)
    return at + data.length
  }

  #spelled(record: EventRecord, offset: number): LogEntry {
    const { sequence, family, country, type } = record
    const text = this.message(record, offset)
    this.#makeRoom(text.length * WIDEST)
    const frame = this.#taken(this.#used + this.#slab.write(text, this.#used))
    return { sequence, offset, family, country, type, frame }
  }

  /** The frame of any event, as text: the slow path. */
  message(record: EventRecord, offset: number): string {
    const { sequence, data } = record
    if (!data.startsWith('{') || !data.endsWith('}')) throw new Error(`the data of event ${sequence} is no JSON object`)
    const place = { journal: this.#journal.id, sequence: sequence + 1, hint: offset + 1 }
    const padded = String(sequence).padStart(SEQUENCE_DIGITS, '0')
    const members = { ...record, sequence: padded, cursor: encodeEventCursor(place) }
    const shape = frameShape(record)
    const texts = shape.members.map((member) => (member === 'data' ? data : JSON.stringify(members[member])))
    return shape.pieces.map((piece, i) => piece + (texts[i] ?? '')).join('')
  }

  /**
   * The country of a record. Entries keep their strings, so equal codes share one, found by the code's bytes. The bytes are
   * ASCII, because the frame was copied.
   */
  #countryIn(value: Uint8Array): string {
    const from = this.#fields.from[field.country] as number
    const to = this.#fields.to[field.country] as number
    if (to - from !== CODE_LETTERS) return Buffer.from(value.subarray(from, to)).toString('latin1')
    const code = ((value[from] as number) << 16) | ((value[from + 1] as number) << 8) | (value[from + 2] as number)
    const known = this.#countries.get(code)
    if (known !== undefined) return known
    const text = String.fromCharCode(code >>> 16, (code >>> 8) & 0xff, code & 0xff)
    this.#countries.set(code, text)
    return text
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#slab.length) return
    this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, bytes))
    this.#used = 0
  }

  #taken(end: number): Uint8Array {
    const frame = this.#slab.subarray(this.#used, end)
    this.#used = end
    return frame
  }
}

/** 1 for characters that need no escape in JSON and take one byte in UTF-8. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
)

/** Up to this many bytes a loop is faster than a call. */
const SHORT = 24

/** Copies `bytes` to `at`. Returns the offset of their end. */
function copyTo(target: Uint8Array, bytes: Uint8Array, at: number): number {
  if (bytes.length > SHORT) target.set(bytes, at)
  else for (let i = 0; i < bytes.length; i++) target[at + i] = bytes[i] as number
  return at + bytes.length
}
