import { isUtf8 } from 'node:buffer'
import type { AvroSchema } from '../contracts/avro.ts'
import { type AvroBytes, malformedAvro, readBlocks, readLength, readLong } from './avro-bytes.ts'

/** Bytes of Avro that are read, and a text that is written behind what it has. */
type Tape = AvroBytes & {
  out: Buffer
  length: number
  /** Whether a byte outside of ASCII was written. */
  hasWide: boolean
}
type Step = (tape: Tape) => void

/** A text that grows, as UTF-8. */
export class TextBuffer {
  bytes: Buffer = Buffer.allocUnsafe(64 * 1024)
  length = 0

  write(text: string): void {
    this.bytes = withRoom(this.bytes, this.length, 3 * text.length)
    this.length += this.bytes.write(text, this.length)
  }

  /** Returns a copy of the text, and begins a new one. */
  take(): Buffer {
    const copy = Buffer.from(this.bytes.subarray(0, this.length))
    this.length = 0
    return copy
  }
}

/**
 * Returns a function that writes the JSON of Avro values, byte for byte what `JSON.stringify` makes of the decoded ones, with
 * `bytes` in base64 and maps in the order of their entries. Without an object for each value it takes a third of the time.
 * It returns false, and writes nothing, if a value is not well-formed, or has an integer of 2^53 − 1 or more: decoding it
 * says why. The schema may have what `contracts/avro.ts` derives: unions tell their members apart by null alone.
 */
export function jsonWriter(schema: AvroSchema): (to: TextBuffer, value: Uint8Array) => boolean {
  const step = stepOf(schema)
  const tape: Tape = { bytes: new Uint8Array(0), from: 0, end: 0, out: Buffer.alloc(0), length: 0, hasWide: false }
  return (to, value) => {
    Object.assign(tape, { bytes: value, from: 0, end: value.length, out: to.bytes, length: to.length, hasWide: false })
    try {
      step(tape)
    } catch (error) {
      if (error !== malformedAvro) throw error
      return false
    }
    if (tape.from !== tape.end) return false
    if (tape.hasWide && !isUtf8(tape.out.subarray(to.length, tape.length))) return false
    to.bytes = tape.out
    to.length = tape.length
    return true
  }
}

const ZERO = 0x30
const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** A buffer with room for `more` bytes behind `length`: the same one, or a larger copy. */
function withRoom(bytes: Buffer, length: number, more: number): Buffer {
  if (length + more <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + more))
  larger.set(bytes.subarray(0, length))
  return larger
}

const literal = (text: string): Step => {
  const piece = Buffer.from(text)
  return (tape) => put(tape, piece)
}

/** By a loop, because most pieces have a few bytes. */
function put(tape: Tape, piece: Uint8Array): void {
  tape.out = withRoom(tape.out, tape.length, piece.length)
  const { out } = tape
  let { length } = tape
  for (let i = 0; i < piece.length; i++) out[length++] = piece[i] as number
  tape.length = length
}

/** What stands for a byte in a text of JSON; undefined for those that stand for themselves. */
const escapes: readonly (Uint8Array | undefined)[] = Array.from({ length: 0x100 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : undefined,
)
const LONGEST_ESCAPE = 6

function text(tape: Tape): void {
  const size = readLength(tape)
  const end = tape.from + size
  tape.out = withRoom(tape.out, tape.length, LONGEST_ESCAPE * size + 2)
  const { bytes, out } = tape
  let { length } = tape
  let all = 0
  out[length++] = QUOTE
  for (let from = tape.from; from < end; from++) {
    const byte = bytes[from] as number
    const escaped = escapes[byte]
    all |= byte
    if (escaped === undefined) out[length++] = byte
    else for (let i = 0; i < escaped.length; i++) out[length++] = escaped[i] as number
  }
  out[length++] = QUOTE
  if (all >= 0x80) tape.hasWide = true
  tape.from = end
  tape.length = length
}

function base64(tape: Tape): void {
  const size = readLength(tape)
  const end = tape.from + size
  const { buffer, byteOffset } = tape.bytes
  put(tape, Buffer.from(JSON.stringify(Buffer.from(buffer, byteOffset + tape.from, size).toString('base64'))))
  tape.from = end
}

function integer(tape: Tape): void {
  const value = readLong(tape)
  if (value >= 0 && value < 10) put(tape, digits[value] as Uint8Array)
  else put(tape, Buffer.from(String(value)))
}
const digits = Array.from({ length: 10 }, (_, digit) => Uint8Array.of(ZERO + digit))

const booleans = [literal('false'), literal('true')]
const boolean: Step = (tape) => memberOf(booleans, tape.bytes[tape.from++])(tape)

function memberOf(members: readonly Step[], index: number | undefined): Step {
  const member = members[index ?? -1]
  if (!member) throw malformedAvro
  return member
}

const plain: Readonly<Record<string, Step>> = {
  string: text,
  long: integer,
  boolean,
  bytes: base64,
  null: literal('null'),
}

function stepOf(schema: AvroSchema): Step {
  if (typeof schema === 'string') {
    const step = plain[schema]
    if (!step) throw new Error(`no JSON of Avro's type ${schema}`)
    return step
  }
  if (Array.isArray(schema)) {
    const members = schema.map(stepOf)
    return (tape) => memberOf(members, readLong(tape))(tape)
  }
  // Cast: a schema that is no name and no union has these members.
  const { type, fields, items, values } = schema as {
    readonly type: AvroSchema
    readonly fields?: readonly { readonly name: string; readonly type: AvroSchema }[]
    readonly items?: AvroSchema
    readonly values?: AvroSchema
  }
  if (fields) return record(fields)
  if (items !== undefined) return list('[', ']', stepOf(items))
  if (values === undefined) return stepOf(type)
  const [colon, step] = [literal(':'), stepOf(values)]
  return list('{', '}', (tape) => {
    text(tape)
    colon(tape)
    step(tape)
  })
}

function record(fields: readonly { readonly name: string; readonly type: AvroSchema }[]): Step {
  const steps = fields.flatMap(({ name, type }, i) => [
    literal(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    stepOf(type),
  ])
  steps.push(literal(fields.length === 0 ? '{}' : '}'))
  return (tape) => {
    for (let i = 0; i < steps.length; i++) (steps[i] as Step)(tape)
  }
}

function list(begin: string, end: string, entry: Step): Step {
  const [open, comma, close] = [literal(begin), literal(','), literal(end)]
  return (tape) => {
    open(tape)
    let isFirst = true
    readBlocks(tape, () => {
      if (!isFirst) comma(tape)
      isFirst = false
      entry(tape)
    })
    close(tape)
  }
}
