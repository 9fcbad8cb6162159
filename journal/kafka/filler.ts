import { compress, encodeBatch } from './record-batch.ts'

/** More would be slow to check for the node that takes them. */
export const MOST_FILLERS = 100_000

/** Records that take offsets and nothing else, to be aborted. Of the time of their neighbours, so that they go with them. */
export function fillerBatch(count: number, timestamp: number): Buffer {
  // With a key, which compacted topics demand.
  const filler = { key: '', value: new Uint8Array(), timestamp, headers: {} }
  return compress(encodeBatch(new Array(count).fill(filler), true))
}
