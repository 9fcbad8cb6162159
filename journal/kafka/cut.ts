/**
 * A consistent moment of a journal on Kafka. The ledger tells which transactions there were: if it has the same rows before
 * and after the ends were read, and no open transaction, then none ended in between. Before the ends are read, all that the
 * rows speak of is visible.
 */

import { isDeepStrictEqual } from 'node:util'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import { type Cut, JournalError, type PartitionToCut, partitionKey, type StoredRecord } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import type { Ledger, LedgerClaimRow } from './ledger.ts'
import type { Reader } from './reader.ts'
import type { RetryDeadline } from './retry.ts'
import { untilAllIsVisible } from './visible.ts'

type Parts = { readonly client: KafkaClient; readonly ledger: Ledger; readonly reader: Reader }

/** Longest pause between two tries. A random part of it keeps the tries from falling in step with a writer. */
const PAUSE_MS = 20

/** Tries until the deadline. Throws `unavailable`, KafkaFailure, and `offset_out_of_range` for a tail. */
export async function kafkaCut(
  parts: Parts,
  partitions: readonly PartitionToCut[],
  deadline: RetryDeadline,
): Promise<Cut> {
  const { ledger, reader } = parts
  for (;;) {
    const { rows } = await ledger.claims(deadline)
    await untilAllIsVisible(parts.client, wroteTo(rows), deadline)
    const bounds = await Promise.all(
      partitions.map(async (address) => [partitionKey(address), await reader.bounds(address)] as const),
    )
    const after = await ledger.claims(deadline)
    if (!after.isOpen && isDeepStrictEqual(after.rows, rows)) {
      const claims = Array.from(rows, ([name, { epoch, positions }]) => ({ name, epoch, positions }))
      const cut = { bounds: Object.fromEntries(bounds), claims }
      return { ...cut, tails: await tailsOf(reader, partitions, cut.bounds) }
    }
    deadline.signal?.throwIfAborted()
    if (performance.now() > deadline.until)
      throw new JournalError(
        'unavailable',
        'transactions follow each other so closely that there was no moment between them: try again when less is written',
      )
    await pause(Math.random() * PAUSE_MS, deadline.signal ?? new AbortController().signal, systemTime)
  }
}

/** Partitions that the last transactions wrote to, each once. */
function wroteTo(rows: ReadonlyMap<string, LedgerClaimRow>) {
  const addresses = Array.from(rows.values()).flatMap(({ wrote }) => wrote)
  return Array.from(new Map(addresses.map((address) => [partitionKey(address), address])).values())
}

/**
 * Reads the tails at once. Kafka compacts only segments that it no longer writes to, so records that were just written are
 * still there.
 */
async function tailsOf(
  reader: Reader,
  partitions: readonly PartitionToCut[],
  bounds: Cut['bounds'],
): Promise<Cut['tails']> {
  const tails: Record<string, StoredRecord[]> = {}
  for (const { topic, partition, tail } of partitions) {
    if (tail === undefined) continue
    const key = partitionKey({ topic, partition })
    const end = bounds[key]?.end ?? 0
    const records: StoredRecord[] = []
    for (let at = tail; at < end; ) {
      const batch = await reader.read({ topic, partition }, at)
      records.push(...batch.records.filter(({ offset }) => offset < end))
      at = batch.next
    }
    tails[key] = records
  }
  return tails
}
