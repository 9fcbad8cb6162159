import type { RecordOf, Topic } from '../../contracts/topics.ts'
import { recordLine } from '../../journal/record-line.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

/** NDJSON: the lines that `almanac replay` prints. */
export class NdjsonEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #chunks: Buffer[] = []

  constructor(start: FileStart) {
    this.#start = start
  }

  add(records: readonly ExportedRecord[]): void {
    const { topic, partition } = this.#start
    // Cast: the value was decoded as a record of the topic.
    const lines = records.map(
      (record) => `${recordLine({ ...record, topic, partition, value: record.value as RecordOf<Topic> })}\n`,
    )
    this.#chunks.push(Buffer.from(lines.join('')))
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
