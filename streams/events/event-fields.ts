import { avroSchemas } from '../../contracts/avro.ts'
import { AVRO_FROM } from '../../journal/codec.ts'
import { isText, type WordText } from './words.ts'

/** The fields in the order of their bytes. The cast: `AvroSchema` types any schema, and that of a topic is a record. */
const fields = (avroSchemas.events as { fields: readonly { name: string; type: unknown }[] }).fields.map(
  ({ name, type }) => ({ name, kind: kindOf(type, name) }),
)

type Kind = 'long' | 'string' | 'nullable'

function kindOf(type: unknown, name: string): Kind {
  if (type === 'long' || type === 'string') return type
  if (JSON.stringify(type) === '["null","string"]') return 'nullable'
  throw new Error(`field ${name} of events is of an Avro type that is not read here: ${JSON.stringify(type)}`)
}

/** Index of a field in `EventFields`. */
export function fieldAt(name: string): number {
  const at = fields.findIndex((field) => field.name === name)
  if (at < 0) throw new Error(`events have no field ${name}`)
  return at
}

const SEQUENCE = fieldAt('sequence')

/** Positions of an event's fields in its Avro bytes. One instance is reused for all events, so that nothing is allocated. */
export class EventFields {
  /** Start and end of each text. A start of -1 means null. */
  readonly from = new Int32Array(fields.length)
  readonly to = new Int32Array(fields.length)
  sequence = 0
  #at = 0
  #end = 0

  /** Finds the fields. Returns false if the bytes from `start` to `end` are not an event in this release's schema. */
  read(view: DataView, start: number, end: number): boolean {
    const { from, to } = this
    this.#at = start + AVRO_FROM
    this.#end = end
    for (let i = 0; i < fields.length; i++) {
      const kind = fields[i]?.kind
      if (kind === 'long') {
        const value = this.#long(view)
        if (i === SEQUENCE) this.sequence = value
        continue
      }
      const branch = kind === 'nullable' ? this.#long(view) : 1
      if (branch === 0) {
        from[i] = -1
        continue
      }
      const length = this.#long(view)
      if (branch !== 1 || !(length >= 0)) return false
      from[i] = this.#at
      this.#at += length
      to[i] = this.#at
    }
    return this.#at === end && Number.isSafeInteger(this.sequence) && this.sequence >= 0
  }

  /** Number of bytes of a text; -1 for null. The casts: `field` comes from `fieldAt`, so it is a valid index. */
  lengthOf(field: number): number {
    const from = this.from[field] as number
    return from < 0 ? -1 : (this.to[field] as number) - from
  }

  /** Whether a field has this text. The casts: `field` comes from `fieldAt`, so it is a valid index. */
  is(field: number, text: WordText, view: DataView): boolean {
    return isText(text, view, this.from[field] as number, this.to[field] as number)
  }

  /** Reads an Avro long: zigzag, seven bits a byte, the lowest first. NaN at the end of the bytes. */
  #long(view: DataView): number {
    let value = 0
    for (let scale = 1; this.#at < this.#end; scale *= 128) {
      const byte = view.getUint8(this.#at++)
      // Nearly all longs are lengths of one byte.
      if (scale === 1 && byte < 0x80) return (byte >>> 1) ^ -(byte & 1)
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    }
    return Number.NaN
  }
}
