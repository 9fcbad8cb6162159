import type { Topic } from '../../contracts/topics.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'
import { SegmentWriter } from '../segment.ts'
import { AvroEncoder } from './avro.ts'
import { CsvEncoder } from './csv.ts'
import { NdjsonEncoder } from './ndjson.ts'
import type { ExportFormat } from './question.ts'

/** Place of a file's records: a partition, and the first offset that the file covers. */
export type FilePlace = { readonly topic: Topic; readonly partition: number; readonly from: number }

/** A record with its decoded value. */
export type ExportedRecord = PortableRecord & { readonly value: unknown }

/** Encoder of one file. The same records give the same bytes. */
export interface FileEncoder {
  /** Takes records in the order of their offsets, at least one in all. */
  add(records: readonly ExportedRecord[]): void | Promise<void>
  /** Returns the file. */
  finish(): Uint8Array | Promise<Uint8Array>
}

/** Makes the encoders of a format. Arrow's library is loaded only when it is needed. */
export async function encoderFor(format: ExportFormat): Promise<(place: FilePlace) => FileEncoder> {
  switch (format) {
    case 'parquet':
      return ({ topic, partition }) => new SegmentWriter(topic, partition)
    case 'arrow': {
      const { ArrowEncoder } = await import('./arrow.ts')
      return (place) => new ArrowEncoder(place)
    }
    case 'avro':
      return (place) => new AvroEncoder(place)
    case 'ndjson':
      return (place) => new NdjsonEncoder(place)
    case 'csv':
      return (place) => new CsvEncoder(place)
  }
}
