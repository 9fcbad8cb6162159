import { isUtf8 } from 'node:buffer'
import type { EventRecord } from '../../contracts/records.ts'
import { Lineage } from '../../domain/lineage.ts'
import type { ValueRun } from '../../journal/journal.ts'
import { CursorWriters, writeDigits } from './cursor-writer.ts'
import { cursorOf, type EncodedEvent, type EventJournal } from './encoded-event.ts'
import { EventFields, fieldAt } from './event-fields.ts'
import { type FrameLayout, frameLayout, frameShape, SEQUENCE_DIGITS } from './frame-shape.ts'
import { copyPlain, type WordText, wordTextOf } from './words.ts'

/** Size of the buffers that frames are written into, one after another. Allocating each frame would cost more than its text. */
const SLAB_BYTES = 64 * 1024
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

/** Texts that differ from event to event. Each has a byte offset of its own in the frame, because its length is part of the shape. */
const texts = ['id', 'subject', 'time', 'country'] as const
const textFields = texts.map((text) => field[text])

/** Facts that are the same for the frames of all events with equal tags and texts of equal lengths. */
type Shape = {
  readonly tags: readonly WordText[]
  readonly lengths: readonly number[]
  /** Where each of `texts` belongs in the head of the frame. */
  readonly textOffsets: readonly number[]
  readonly family: string
  readonly type: string
  readonly layout: FrameLayout
}

/**
 * Makes frames from the journal's event records: `servedEvent` as JSON, byte for byte (a test compares them). Every event
 * passes through here, live or replayed. If its texts are the same bytes in JSON as in Avro, the frame is copied together
 * from the record without decoding it. The few other records are decoded. `data` is the stored JSON, unchanged.
 *
 * What frames have in common is copied at once, and texts are compared and copied four bytes at a time. Both matter: copying
 * each piece of a frame and loops over single bytes took half of the time.
 *
 * Casts of array elements: each index is within its array, and a check for every byte would cost time.
 */
export class EventEncoder {
  readonly #journal: Pick<EventJournal, 'id' | 'generations' | 'decode'>
  readonly #lineage: Lineage
  readonly #cursors: CursorWriters
  readonly #fields = new EventFields()
  readonly #countries = new Map<number, string>()
  #shapes: Shape[] = []
  /** Shape of the previous event. */
  #shape: Shape | undefined
  #slab = new Uint8Array(0)
  #view = new DataView(this.#slab.buffer)
  #used = 0

  constructor(journal: Pick<EventJournal, 'id' | 'generations' | 'decode'>) {
    const lineage = new Lineage(journal)
    this.#journal = journal
    this.#lineage = lineage
    this.#cursors = new CursorWriters(lineage)
  }

  /**
   * Encodes the events of a run of records, and adds them to `events`. A cursor's hint is the offset after the event's
   * own: the first record from there on is the next event, whatever holes follow. Throws if a record's `data` isn't the JSON
   * of an object.
   */
  eventsOf(run: ValueRun, events: EncodedEvent[]): void {
    const { bytes, offsets } = run
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const first = events.length
    let unchecked = 0
    let start = this.#used
    let end = start
    for (let i = 0; i < offsets.length; i++) {
      const slab = this.#slab
      events.push(this.#event(run, view, i))
      if (this.#slab !== slab) {
        // The frame is the first one of a new slab.
        this.#assureUtf8(run, events, first, unchecked, i, slab.subarray(start, end))
        unchecked = i
        start = 0
      }
      end = this.#used
    }
    this.#assureUtf8(run, events, first, unchecked, offsets.length, this.#slab.subarray(start, end))
  }

  /** Returns the sequences of a run of records, with their offsets. */
  sequencesIn({ bytes, offsets, from, to }: ValueRun): { readonly sequence: number; readonly offset: number }[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return offsets.map((offset, i) => {
      const [start, end] = [from[i] as number, to[i] as number]
      if (this.#fields.read(view, start, end)) return { sequence: this.#fields.sequence, offset }
      return { sequence: this.#journal.decode('events', bytes.subarray(start, end)).sequence, offset }
    })
  }

  #event({ bytes, offsets, from, to }: ValueRun, view: DataView, i: number): EncodedEvent {
    const fields = this.#fields
    const [start, end, offset] = [from[i] as number, to[i] as number, offsets[i] as number]
    if (!fields.read(view, start, end)) return this.#spelled(bytes.subarray(start, end), offset)
    const shape = this.#shapeOf(bytes, view, start, end)
    const frame = this.#copied(shape, bytes, view, offset)
    if (!frame) return this.#spelled(bytes.subarray(start, end), offset)
    const country = fields.lengthOf(field.country) < 0 ? null : this.#countryIn(bytes)
    return { sequence: fields.sequence, offset, family: shape.family, country, type: shape.type, frame }
  }

  /**
   * Decodes the records from number `from` to `to` of a run if their frames, which are `frames`, are not UTF-8: then a writer
   * has put other bytes into `data`. All frames are checked at once. A frame ends with one byte of ASCII, so no character
   * extends over two frames. The event of the run's first record is number `first` of `events`.
   */
  #assureUtf8(
    run: ValueRun,
    events: EncodedEvent[],
    first: number,
    from: number,
    to: number,
    frames: Uint8Array,
  ): void {
    if (isUtf8(frames)) return
    for (let i = from; i < to; i++) {
      const value = run.bytes.subarray(run.from[i], run.to[i])
      events[first + i] = this.#spelled(value, run.offsets[i] as number)
    }
  }

  #shapeOf(bytes: Buffer, view: DataView, start: number, end: number): Shape {
    if (this.#shape && this.#isOf(this.#shape, view)) return this.#shape
    this.#shape = this.#shapes.find((shape) => this.#isOf(shape, view)) ?? this.#learn(bytes, start, end)
    return this.#shape
  }

  #isOf(shape: Shape, view: DataView): boolean {
    const fields = this.#fields
    for (let i = 0; i < texts.length; i++) {
      if (fields.lengthOf(textFields[i] as number) !== shape.lengths[i]) return false
    }
    for (let i = 0; i < tags.length; i++)
      if (!fields.is(tags[i] as number, shape.tags[i] as WordText, view)) return false
    return true
  }

  #learn(value: Buffer, start: number, end: number): Shape {
    const fields = this.#fields
    const record = this.#journal.decode('events', value.subarray(start, end))
    const [id, subject, time, country] = textFields.map((text) => fields.lengthOf(text)) as [
      number,
      number,
      number,
      number,
    ]
    const layout = frameLayout(record, { id, subject, time, country })
    const shape = {
      tags: tags.map((tag) => wordTextOf(value.subarray(fields.from[tag], fields.to[tag]))),
      lengths: [id, subject, time, country],
      textOffsets: texts.map((text) => layout.textOffsets[text] ?? 0),
      family: record.family,
      type: record.type,
      layout,
    }
    if (this.#shapes.length >= MAX_SHAPES) this.#shapes = []
    this.#shapes.push(shape)
    return shape
  }

  /** The frame, copied from the record's bytes; undefined if a text needs escaping. */
  #copied(shape: Shape, value: Buffer, view: DataView, offset: number): Uint8Array | undefined {
    const fields = this.#fields
    const { textOffsets, layout } = shape
    const { head, beforeCursor, end } = layout
    const from = fields.from[field.data] as number
    const to = fields.to[field.data] as number
    if (value[from] !== 0x7b || value[to - 1] !== 0x7d) return undefined
    this.#makeRoom(head.length + to - from + beforeCursor.length + this.#cursors.maxBytes + end.length)
    const slab = this.#slab
    const start = this.#used
    slab.set(head, start)
    for (let i = 0; i < texts.length; i++) {
      const text = textFields[i] as number
      const first = fields.from[text] as number
      if (
        first >= 0 &&
        !copyPlain(view, first, fields.to[text] as number, this.#view, start + (textOffsets[i] as number))
      )
        return undefined
    }
    writeDigits(fields.sequence, SEQUENCE_DIGITS, slab, start + layout.sequenceAt)
    let at = start + head.length
    value.copy(slab, at, from, to)
    at = copyTo(slab, beforeCursor, at + to - from)
    at = this.#cursors.write(fields.sequence + 1, offset + 1, slab, at)
    return this.#taken(copyTo(slab, end, at))
  }

  /** Decodes a record. Its frame has a buffer of its own, so that the slab holds copied frames alone. */
  #spelled(value: Buffer, offset: number): EncodedEvent {
    const record = this.#journal.decode('events', value)
    const { sequence, family, country, type } = record
    return { sequence, offset, family, country, type, frame: Buffer.from(this.message(record, offset)) }
  }

  /** The frame of any event, as text: the slow path. */
  message(record: EventRecord, offset: number): string {
    const { sequence, data } = record
    if (!data.startsWith('{') || !data.endsWith('}')) throw new Error(`the data of event ${sequence} is no JSON object`)
    const position = { sequence: sequence + 1, hint: offset + 1 }
    const padded = String(sequence).padStart(SEQUENCE_DIGITS, '0')
    const members = { ...record, sequence: padded, cursor: cursorOf(this.#lineage, position) }
    const shape = frameShape(record)
    const values = shape.members.map((member) => (member === 'data' ? data : JSON.stringify(members[member])))
    return shape.pieces.map((piece, i) => piece + (values[i] ?? '')).join('')
  }

  /**
   * The country of a record. Entries keep their strings, so equal codes share one, found by the code's bytes. The bytes are
   * ASCII, because the frame was copied.
   */
  #countryIn(value: Buffer): string {
    const from = this.#fields.from[field.country] as number
    const to = this.#fields.to[field.country] as number
    if (to - from !== CODE_LETTERS) return value.toString('latin1', from, to)
    const code = ((value[from] as number) << 16) | ((value[from + 1] as number) << 8) | (value[from + 2] as number)
    const known = this.#countries.get(code)
    if (known !== undefined) return known
    const text = String.fromCharCode(code >>> 16, (code >>> 8) & 0xff, code & 0xff)
    this.#countries.set(code, text)
    return text
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#slab.length) return
    // Not a Buffer, because views of one cost more.
    this.#slab = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, bytes)).buffer)
    this.#view = new DataView(this.#slab.buffer)
    this.#used = 0
  }

  #taken(end: number): Uint8Array {
    const frame = this.#slab.subarray(this.#used, end)
    this.#used = end
    return frame
  }
}

/** Up to this many bytes a loop is faster than a call. */
const SHORT = 24

/** Copies `bytes` to `at`. Returns the offset of their end. */
function copyTo(target: Uint8Array, bytes: Uint8Array, at: number): number {
  if (bytes.length > SHORT) target.set(bytes, at)
  else for (let i = 0; i < bytes.length; i++) target[at + i] = bytes[i] as number
  return at + bytes.length
}
