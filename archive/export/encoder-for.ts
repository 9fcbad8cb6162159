import { packRecords } from '../packed-records.ts'
import { SegmentWriter } from '../segment.ts'
import { AvroEncoder } from './avro.ts'
import { CsvEncoder } from './csv.ts'
import type { FileEncoder, FileStart } from './encoder.ts'
import { NdjsonEncoder } from './ndjson.ts'
import type { ExportFormat } from './question.ts'

/** Makes the encoders of a format. Arrow's library is loaded only when it is needed. */
export async function encoderFor(format: ExportFormat): Promise<(start: FileStart) => FileEncoder> {
  switch (format) {
    case 'parquet':
      return ({ topic, partition }) => {
        const writer = new SegmentWriter(topic, partition)
        return { add: (records) => writer.add(packRecords(records)), finish: () => writer.finish() }
      }
    case 'arrow': {
      const { ArrowEncoder } = await import('./arrow.ts')
      return (start) => new ArrowEncoder(start)
    }
    case 'avro':
      return (start) => new AvroEncoder(start)
    case 'ndjson':
      return (start) => new NdjsonEncoder(start)
    case 'csv':
      return (start) => new CsvEncoder(start)
  }
}
