import type { Topic } from '../contracts/topics.ts'
import type { JournalRecord } from './typed.ts'

/** A record as one line of JSON, without the line's end. `almanac replay` and exports write the same lines. */
export const recordLine = ({
  topic,
  partition,
  offset,
  key,
  timestamp,
  headers,
  value,
}: JournalRecord<Topic>): string =>
  JSON.stringify({ topic, partition, offset, key, timestamp, headers, value }, bytesAsBase64)

/** Bytes (a rejected document) as base64; a Buffer's own `toJSON` has run before a replacer sees the value. */
const bytesAsBase64 = (_: string, value: unknown): unknown => {
  const data =
    (value as { type?: string; data?: number[] } | null)?.type === 'Buffer'
      ? (value as { data: number[] }).data
      : undefined
  return data ? Buffer.from(data).toString('base64') : value
}
