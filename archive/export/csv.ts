import type { Topic } from '../../contracts/topics.ts'
import { memberAt } from '../cells.ts'
import { memberColumns } from '../columns.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

const recordColumnNames = ['_topic', '_partition', '_offset', '_time', '_key', '_record_id', '_headers'] as const

/**
 * CSV (RFC 4180) with the columns of the archive's table, except the encoded value. Members are as the record has them:
 * decimals as they were printed, times in ISO 8601. Lists and maps are JSON, bytes are base64. An empty field is null,
 * and `""` is an empty text.
 */
export class CsvEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #chunks: Buffer[]

  constructor(start: FileStart) {
    this.#start = start
    this.#chunks = [Buffer.from(csvLine([...recordColumnNames, ...memberColumns[start.topic].map(({ name }) => name)]))]
  }

  add(records: readonly ExportedRecord[]): void {
    const { topic, partition } = this.#start
    const lines = records.map((record) => csvLine(fieldsOf(topic, partition, record)))
    this.#chunks.push(Buffer.from(lines.join('')))
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}

const fieldsOf = (topic: Topic, partition: number, record: ExportedRecord) => [
  topic,
  partition,
  record.offset,
  new Date(record.timestamp).toISOString(),
  record.key,
  record.headers['record-id'] ?? null,
  record.headers,
  ...memberColumns[topic].map(({ path }) => memberAt(record.value, path)),
]

const csvLine = (fields: readonly unknown[]): string => `${fields.map(fieldText).join(',')}\r\n`

const special = /[",\r\n]/

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = plainText(value)
  return text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function plainText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
