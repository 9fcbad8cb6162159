import type { StoredRecord } from '../journal.ts'
import { compress, type Encodable, encodeBatch, encodeBatches, filler } from './record-batch.ts'

/** Holes of more offsets than this get batches of fillers only, which are sent compressed. */
const LONG_HOLE = 100
/** Records and fillers held in memory at once. */
const MOST_HELD = 20_000
/** Fillers in one batch. The node checks each of them, so larger batches would be slow. */
const MOST_FILLERS = 100_000

/**
 * Yields batches that, appended at offset `at`, give each record its own offset. Fillers take the other offsets before
 * `to`.
 */
export function* batchesAt(
  at: number,
  records: readonly StoredRecord[],
  to: number,
  keyed: boolean,
  maxBytes: number,
): Generator<Buffer> {
  let run: Encodable[] = []
  let next = at
  const stops = [...records, { offset: to, timestamp: records.at(-1)?.timestamp ?? 0 }]
  for (const [i, { offset, timestamp }] of stops.entries()) {
    const hole = offset - next
    if (hole > LONG_HOLE || run.length > MOST_HELD) {
      yield* encodeBatches(run, keyed, maxBytes)
      run = []
    }
    if (hole > LONG_HOLE) yield* fillers(hole, timestamp)
    else run.push(...new Array(hole).fill(filler(timestamp)))
    const record = records[i]
    if (record) run.push(record)
    next = offset + 1
  }
  yield* encodeBatches(run, keyed, maxBytes)
}

function* fillers(count: number, timestamp: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= MOST_FILLERS)
    yield compress(encodeBatch(new Array(Math.min(left, MOST_FILLERS)).fill(filler(timestamp)), true))
}
