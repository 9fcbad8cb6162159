import avro from 'avsc'
import { type AvroSchema, avroSchemas } from '../contracts/avro.ts'
import type { RecordOf, Topic } from '../contracts/topics.ts'
import type { ValueRun } from './journal.ts'
import type { SchemaRegistry } from './registry.ts'
import { sharingOf } from './shared-members.ts'

/**
 * Avro in the Confluent wire format: one zero byte, the schema id (4 bytes, big endian), then the Avro binary. A value
 * is read with its writer's schema and resolved to the current one.
 */
const MAGIC = 0
/** Index of the first byte of the Avro binary. */
export const AVRO_FROM = 5

export class UndecodableRecord extends Error {}

export interface Codec<T extends Topic> {
  encode(value: RecordOf<T>): Uint8Array
  /**
   * Decodes a value. Returns a promise only for the first value of a schema version, because that schema has to be
   * fetched from the registry.
   */
  decode(bytes: Uint8Array): RecordOf<T> | Promise<RecordOf<T>>
  /** Tells whether all values of a run have the schema that `encode` writes. */
  areUpToDate(run: ValueRun): boolean
  /** Returns the value in the schema that `encode` writes: the same bytes, unless another version wrote them. */
  upToDate(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** The id of the schema that a value was written with. Throws UndecodableRecord. */
export function schemaIdOf(topic: Topic, bytes: Uint8Array, from = 0, to = bytes.length): number {
  if (to - from < AVRO_FROM || bytes[from] !== MAGIC)
    throw new UndecodableRecord(`a value of topic ${topic} is not in the Confluent wire format`)
  // Casts: the length was checked.
  const [high, low] = [from + 1, from + 3]
  const start = ((bytes[high] as number) << 8) | (bytes[high + 1] as number)
  return ((start << 16) | ((bytes[low] as number) << 8) | (bytes[low + 1] as number)) >>> 0
}

/** Copies a value and gives the copy another schema id. */
export function withSchemaId(value: Uint8Array, id: number): Uint8Array {
  const copy = Buffer.from(value)
  copy.writeUInt32BE(id, 1)
  return copy
}

/** Puts the Confluent header before an Avro body. */
export function confluentValue(id: number, body: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(AVRO_FROM + body.length)
  value[0] = MAGIC
  value.writeUInt32BE(id, 1)
  value.set(body, AVRO_FROM)
  return value
}

/** Where values are encoded before they are copied out. Nearly all records are smaller. */
const scratch = Buffer.alloc(16 * 1024)

/** Records are decoded without the library's own methods. */
// Cast: `AvroSchema` is any JSON value, and `forSchema` itself throws for one that is no schema.
const typeFor = (schema: AvroSchema): avro.Type =>
  avro.Type.forSchema(schema as avro.Schema, { omitRecordMethods: true })

export async function codecFor<T extends Topic>(topic: T, registry: SchemaRegistry): Promise<Codec<T>> {
  const writerId = await registry.register(topic)
  const current = typeFor(avroSchemas[topic])
  const resolvers = new Map<number, avro.Resolver | null>([[writerId, null]])
  const share = sharingOf(topic)

  const learn = async (id: number): Promise<void> => {
    const writer = typeFor(await registry.schema(id))
    resolvers.set(id, current.createResolver(writer))
  }
  const read = (bytes: Buffer, id: number): RecordOf<T> => {
    let decoded: { value: RecordOf<T>; offset: number }
    try {
      // Decodes in place, because a view of each value costs as much as decoding it.
      decoded = current.decode(bytes, AVRO_FROM, resolvers.get(id) ?? undefined)
    } catch (cause) {
      throw undecodable(id, cause)
    }
    if (decoded.offset !== bytes.length) {
      throw undecodable(id, new Error(decoded.offset < 0 ? 'truncated' : 'trailing data'))
    }
    share?.(decoded.value)
    return decoded.value
  }
  const undecodable = (id: number, cause: unknown) =>
    new UndecodableRecord(`a value of topic ${topic} does not decode with schema ${id}`, { cause })
  const encode = (value: RecordOf<T>): Uint8Array => {
    const end = current.encode(value, scratch, AVRO_FROM)
    // A value that does not fit says by how many bytes.
    if (end < AVRO_FROM) return confluentValue(writerId, current.toBuffer(value))
    scratch[0] = MAGIC
    scratch.writeUInt32BE(writerId, 1)
    const bytes = Buffer.allocUnsafe(end)
    bytes.set(scratch.subarray(0, end))
    return bytes
  }
  const decode = (value: Uint8Array): RecordOf<T> | Promise<RecordOf<T>> => {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const id = schemaIdOf(topic, bytes)
    return resolvers.has(id) ? read(bytes, id) : learn(id).then(() => read(bytes, id))
  }
  return {
    encode,
    decode,
    areUpToDate({ bytes, from, to }) {
      for (let i = 0; i < from.length; i++) if (schemaIdOf(topic, bytes, from[i], to[i]) !== writerId) return false
      return true
    },
    upToDate(bytes) {
      if (schemaIdOf(topic, bytes) === writerId) return bytes
      const value = decode(bytes)
      return value instanceof Promise ? value.then(encode) : encode(value)
    },
  }
}
