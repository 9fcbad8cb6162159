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
  JSON.stringify({ topic, partition, offset, key, timestamp, headers, value: withoutBytes(value) })

/** A value whose bytes (a rejected document) are base64. By hand, because a replacer would be asked about each member. */
const withoutBytes = (value: JournalRecord<Topic>['value']): object =>
  'bytes' in value ? { ...value, bytes: Buffer.from(value.bytes).toString('base64') } : value
