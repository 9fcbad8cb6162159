import { avroSchemas } from '../../contracts/avro.ts'
import { AVRO_FROM } from '../../journal/codec.ts'

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

  /** Finds the fields. Returns false if the bytes are not an event in this release's schema. */
  read(bytes: Uint8Array): boolean {
    const { from, to } = this
    this.#at = AVRO_FROM
    for (let i = 0; i < fields.length; i++) {
      const kind = fields[i]?.kind
      if (kind === 'long') {
        const value = this.#long(bytes)
        if (i === SEQUENCE) this.sequence = value
        continue
      }
      const branch = kind === 'nullable' ? this.#long(bytes) : 1
      if (branch === 0) {
        from[i] = -1
        continue
      }
      const length = this.#long(bytes)
      if (branch !== 1 || !(length >= 0)) return false
      from[i] = this.#at
      this.#at += length
      to[i] = this.#at
    }
    return this.#at === bytes.length && Number.isSafeInteger(this.sequence) && this.sequence >= 0
  }

  /** Whether a field's text equals the bytes `text`. The casts: `field` comes from `fieldAt`, so it is a valid index. */
  is(field: number, text: Uint8Array, bytes: Uint8Array): boolean {
    const from = this.from[field] as number
    if ((this.to[field] as number) - from !== text.length) return false
    for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text[i]) return false
    return true
  }

  /** Reads an Avro long: zigzag, seven bits a byte, the lowest first. NaN at the end of the bytes. */
  #long(bytes: Uint8Array): number {
    const first = bytes[this.#at++]
    // Fast path: nearly all longs are lengths of one byte.
    if (first !== undefined && first < 0x80) return (first >>> 1) ^ -(first & 1)
    this.#at--
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[this.#at++]
      if (byte === undefined) return Number.NaN
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    }
  }
}
