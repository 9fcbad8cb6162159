import { SegmentWriter } from '../segment.ts'
import { AvroEncoder } from './avro.ts'
import { CsvEncoder } from './csv.ts'
import type { FileEncoder, FilePlace } from './encoder.ts'
import { NdjsonEncoder } from './ndjson.ts'
import type { ExportFormat } from './question.ts'

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
