import type { RecordOf, Topic } from '../../contracts/topics.ts'
import { recordLine } from '../../journal/record-line.ts'
import type { ExportedRecord, FileEncoder, FilePlace } from './encoder.ts'

/** NDJSON: the lines that `almanac replay` prints. */
export class NdjsonEncoder implements FileEncoder {
  readonly #place: FilePlace
  readonly #chunks: Buffer[] = []

  constructor(place: FilePlace) {
    this.#place = place
  }

  add(records: readonly ExportedRecord[]): void {
    const { topic, partition } = this.#place
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
