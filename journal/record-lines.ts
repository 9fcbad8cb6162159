import { avroSchemas } from '../contracts/avro.ts'
import type { Topic } from '../contracts/topics.ts'
import { jsonWriter, TextBuffer } from './avro-json.ts'
import { UndecodableRecord } from './codec.ts'
import { newestVersion, type PortableRecord, portableDecoder } from './portable-records.ts'

/** Records of a topic as lines of JSON. `almanac replay` and exports write the same lines. */
export class RecordLines {
  readonly #topic: Topic
  readonly #text = new TextBuffer()
  readonly #writeValue: ReturnType<typeof jsonWriter>
  readonly #decode: ReturnType<typeof portableDecoder>
  readonly #newest: number

  constructor(topic: Topic) {
    this.#topic = topic
    this.#writeValue = jsonWriter(avroSchemas[topic])
    this.#decode = portableDecoder(topic)
    this.#newest = newestVersion(topic)
  }

  /** Length of the lines in bytes. */
  get length(): number {
    return this.#text.length
  }

  /** Adds a record. Throws UndecodableRecord, and then adds nothing. */
  add(partition: number, record: PortableRecord): void {
    const { offset, key, timestamp, headers, schema, body } = record
    const { length } = this.#text
    const head = JSON.stringify({ topic: this.#topic, partition, offset, key, timestamp, headers })
    this.#text.write(`${head.slice(0, -1)},"value":`)
    if (schema !== this.#newest || !this.#writeValue(this.#text, body)) {
      try {
        this.#text.write(JSON.stringify(withoutBytes(this.#decode(record))))
      } catch (cause) {
        this.#text.length = length
        const place = `${this.#topic}/${partition} offset ${offset}`
        throw new UndecodableRecord(`${place}: ${cause instanceof Error ? cause.message : cause}`, { cause })
      }
    }
    this.#text.write('}\n')
  }

  /** Returns the lines, and begins anew. */
  take(): Buffer {
    return this.#text.take()
  }
}

/** A value whose bytes (a rejected document) are base64. */
const withoutBytes = (value: object): object =>
  'bytes' in value ? { ...value, bytes: Buffer.from(value.bytes as Uint8Array).toString('base64') } : value
