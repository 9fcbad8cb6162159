import { RecordLines } from '../../journal/record-lines.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

/** NDJSON: the lines that `almanac replay` prints. */
export class NdjsonEncoder implements FileEncoder {
  readonly #partition: number
  readonly #lines: RecordLines
  readonly #chunks: Buffer[] = []

  constructor({ topic, partition }: FileStart) {
    this.#partition = partition
    this.#lines = new RecordLines(topic)
  }

  add(records: readonly ExportedRecord[]): void {
    for (const record of records) this.#lines.add(this.#partition, record)
    this.#chunks.push(this.#lines.take())
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
