/** A consistent moment of the embedded journal, read in one snapshot. */
import { type ClaimState, type Cut, type PartitionToCut, partitionKey } from '../journal.ts'
import { readBatch } from './read-batch.ts'
import type { Store } from './store.ts'

const ALL = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }

/** Reads a cut. Throws `offset_out_of_range` for a tail outside of its partition. */
export function embeddedCut(store: Store, partitions: readonly (PartitionToCut & { readonly log: number })[]): Cut {
  const tails = partitions.flatMap((partition) =>
    partition.tail === undefined
      ? []
      : [[partitionKey(partition), readBatch(store, partition, partition.tail, ALL).records] as const],
  )
  return {
    bounds: Object.fromEntries(partitions.map((partition) => [partitionKey(partition), store.bounds(partition.log)])),
    tails: Object.fromEntries(tails),
    claims: claimsIn(store),
  }
}

/** All partitions, with the names of their topics. */
export const logsOf = (store: Store) =>
  store.topics().flatMap(({ name, row }) =>
    Array.from({ length: row.partitions }, (_, partition) => ({
      name,
      key: `${name}/${partition}`,
      log: row.firstLog + partition,
    })),
  )

export function claimsIn(store: Store): readonly ClaimState[] {
  const logs = logsOf(store)
  return store.claims().map(({ name, row }) => {
    const positions = logs.flatMap(({ key, log }) => {
      const offset = store.position(name, log)
      return offset === undefined ? [] : [[key, offset] as const]
    })
    return { name, epoch: row.epoch, positions: Object.fromEntries(positions) }
  })
}
