/**
 * Index of record times: the greatest time in each block of offsets. A look-up reads only the records of blocks that may
 * hold what it looks for. It is exact for times in any order, because a block whose greatest time is too early has no match,
 * whatever lies around it (docs/decisions/0067-offsets-by-time.md).
 *
 * The time of the block that is being filled stands in the row of the log's bounds, which every commit writes anyway. A full
 * block gets a row of its own. Records that are deleted later may leave a time that is too great, which costs a search of the
 * block in vain. A block without a row is searched, too: former releases wrote none.
 */
import { BLOCK, blockOf } from './block-time.ts'
import { firstOffsetAtOrAfter, type LogAddress } from './read-batch.ts'
import type { Store } from './store.ts'

/** A step of a look-up: the offset found, or the one from which the next step goes on. */
type TimeSearch = { readonly found: number } | { readonly next: number }

/**
 * Looks for the first record from `from` on whose time is at or after `time`. Reads the records of one block at most, so that
 * other work gets a turn between two steps. `found` is the end of the log if there is none.
 */
export function searchTime(store: Store, address: LogAddress, from: number, time: number): TimeSearch {
  const { start, end, blockTime } = store.logState(address.log)
  const at = Math.max(from, start)
  const block = firstCandidate(store, address.log, blockOf(at), blockOf(end), time)
  if (block === blockOf(end) && blockTime !== undefined && (blockTime ?? Number.NEGATIVE_INFINITY) < time) {
    return { found: end }
  }
  const next = Math.min((block + 1) * BLOCK, end)
  const found = firstOffsetAtOrAfter(store, address, Math.max(at, block * BLOCK), next, time)
  return found !== undefined || next === end ? { found: found ?? end } : { next }
}

/** The first block from number `from` on that may have a record at or after `time`, or `last`, which is not full yet. */
function firstCandidate(store: Store, log: number, from: number, last: number, time: number): number {
  let expected = from
  for (const known of store.blockTimes(log, from, last)) {
    if (known.block > expected || known.time >= time) return expected
    expected++
  }
  return expected
}
