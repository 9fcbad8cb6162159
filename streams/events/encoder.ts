import { isUtf8 } from 'node:buffer'
import type { EventRecord } from '../../contracts/records.ts'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { CursorWriter, writeDigits } from './cursor-writer.ts'
import type { EventJournal, LogEntry } from './entry.ts'
import { EventFields, fieldAt } from './event-fields.ts'
import { frameShape, type Variable } from './frame-shape.ts'

/** Frames are written one behind the other into pieces of so many bytes: an allocation each would cost more than the text. */
const SLAB_BYTES = 64 * 1024
/** UTF-8 takes at most so many bytes for what a string counts as one. */
const WIDEST = 3
const SEQUENCE_DIGITS = 20
/** ISO 3166-1 alpha-3. */
const CODE_LETTERS = 3
/** More than there are families, types and schemas in any journal of ours. */
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
/** What the constant pieces of a frame come from. */
const tags = [field.type, field.family, field.source, field.dataschema]

/** What frames of events with equal tags have in common, as bytes. */
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
 * Makes events of the journal ready to be sent: `servedEvent` as JSON, byte for byte (a test compares them). This is what
 * every event passes, live or replayed, so its frame is put together from the bytes of the record, without making values
 * of them, where its texts stand in JSON as they stand in Avro; others, which are rare, are decoded. `data` is the
 * JSON that was written, as it was written.
 */
export class EventEncoder {
  readonly #journal: Pick<EventJournal, 'id' | 'decode'>
  readonly #cursors: CursorWriter
  readonly #fields = new EventFields()
  readonly #countries = new Map<number, string>()
  #shapes: Shape[] = []
  /** Of the event before. */
  #shape: Shape | undefined
  #slab = Buffer.alloc(0)
  #used = 0

  constructor(journal: Pick<EventJournal, 'id' | 'decode'>) {
    this.#journal = journal
    this.#cursors = new CursorWriter(journal.id)
  }

  /**
   * The cursor's hint is the offset after the event's own: whatever holes follow, the first record from there on is the
   * next event. Throws on a record whose `data` isn't an object's JSON.
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
      // Copies: `slice` of a Buffer would be a view of bytes that aren't ours.
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

  /** The frame; undefined where a text can't be copied as it is. */
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

  /** Answers where it ends; -1: it can't be copied as it is. */
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

  /** Only of characters that are themselves in JSON and one byte in UTF-8. */
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

  /** The frame of any event, as text. */
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

  /** One string for all equal ones: entries keep theirs. By its bytes where it is a code, of ASCII as it has been copied. */
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

/** 1 for characters that stand in JSON as they are, and take one byte in UTF-8. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
)

/** Up to so many bytes a loop is faster than a call. */
const SHORT = 24

/** Answers where it ends. */
function copyTo(target: Uint8Array, bytes: Uint8Array, at: number): number {
  if (bytes.length > SHORT) target.set(bytes, at)
  else for (let i = 0; i < bytes.length; i++) target[at + i] = bytes[i] as number
  return at + bytes.length
}
