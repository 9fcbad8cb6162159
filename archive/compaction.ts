import type { Archive } from './archive.ts'
import type { ChainEntry } from './chain-entry.ts'
import { type NewEncoder, OpenSegment } from './open-segment.ts'
import { packRecords } from './packed-records.ts'
import { provenRecords } from './proven-records.ts'
import { segmentBytes } from './read.ts'

/** Largest segment. It bounds the memory of a writer, and of a reader that needs the whole file to prove it. */
export const SEGMENT_RECORDS = 500_000
export const SEGMENT_BYTES = 8 * 2 ** 20

/** Entries that are merged at a time. */
const FAN_IN = 8

/**
 * Selects neighbours to merge into one segment: the first ones of which none has more than half of the records. Each merge
 * thus at least doubles the size of a record's segment, so a record is rewritten a few times and not at every merge.
 */
export function mergeable(chain: readonly ChainEntry[]): readonly ChainEntry[] | undefined {
  for (let i = 0; i + FAN_IN <= chain.length; i++) {
    const window = chain.slice(i, i + FAN_IN)
    const records = window.reduce((sum, { count }) => sum + count, 0)
    const bytes = window.reduce((sum, entry) => sum + entry.bytes, 0)
    const isEven = window.every(({ count, gap }) => !gap && 2 * count <= records)
    if (isEven && records <= SEGMENT_RECORDS && bytes <= SEGMENT_BYTES) return window
  }
  return undefined
}

/**
 * Writes one segment that holds what these neighbours hold. Its entry lies beside theirs: `chainOf` prefers it, and
 * `sweepPartition` deletes theirs later. Undefined if another owner has replaced one of them meanwhile. Holds
 * the files of all neighbours in memory, which have `SEGMENT_BYTES` together at most.
 */
export async function merge(
  archive: Archive,
  neighbours: readonly ChainEntry[],
  now: number,
  newEncoder?: NewEncoder,
): Promise<ChainEntry | undefined> {
  const [first] = neighbours
  if (!first) return undefined
  // Read before the segment begins, because the encoder's thread keeps a segment until it is finished.
  const files: (Uint8Array | undefined)[] = []
  for (const entry of neighbours) {
    const bytes = await segmentBytes(archive, entry)
    if (bytes === 'replaced') return undefined
    files.push(bytes)
  }
  const merged = new OpenSegment(first.topic, first.partition, first.from, first.before, newEncoder)
  for (const [i, entry] of neighbours.entries()) {
    const bytes = files[i]
    if (bytes) for await (const records of provenRecords(entry, bytes)) await merged.add(records, entry.to)
    await merged.add(packRecords([]), entry.to)
  }
  return merged.seal(archive, now)
}
