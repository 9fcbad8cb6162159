import { hash } from 'node:crypto'
import { once } from 'node:events'
import avro from 'avsc'
import { avroSchemas } from '../../contracts/avro.ts'
import type { Topic } from '../../contracts/topics.ts'
import { HASH } from '../digest.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

const SYNC_MARKER_BYTES = 16

/** Schema of a file's records: the record's position in the journal, and its value in the topic's current schema. */
const containerSchema = (topic: Topic) => ({
  type: 'record',
  name: 'JournalRecord',
  namespace: 'almanac',
  fields: [
    { name: 'topic', type: 'string' },
    { name: 'partition', type: 'int' },
    { name: 'offset', type: 'long' },
    { name: 'timestamp', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'key', type: ['null', 'string'] },
    { name: 'headers', type: { type: 'map', values: 'string' } },
    { name: 'value', type: avroSchemas[topic] },
  ],
})

/** Avro object container file, compressed with deflate. */
export class AvroEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #blocks: avro.streams.BlockEncoder
  readonly #chunks: Buffer[] = []

  constructor(start: FileStart) {
    this.#start = start
    const { topic, partition, from } = start
    // The marker separates blocks. It is random by default, and then the same records would not give the same bytes.
    const syncMarker = hash(HASH, `${topic}/${partition}/${from}`, 'buffer').subarray(0, SYNC_MARKER_BYTES)
    // Cast: the schema is JSON, and the encoder itself throws for JSON that is no schema.
    this.#blocks = new avro.streams.BlockEncoder(containerSchema(topic) as avro.Schema, {
      codec: 'deflate',
      syncMarker,
    })
    this.#blocks.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
  }

  async add(records: readonly ExportedRecord[]): Promise<void> {
    const { topic, partition } = this.#start
    for (const { offset, timestamp, key, headers, value } of records) {
      const isTaken = this.#blocks.write({ topic, partition, offset, timestamp, key, headers, value })
      if (!isTaken) await once(this.#blocks, 'drain')
    }
  }

  async finish(): Promise<Uint8Array> {
    const ended = once(this.#blocks, 'end')
    this.#blocks.end()
    await ended
    return Buffer.concat(this.#chunks)
  }
}
