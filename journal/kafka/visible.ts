/** Waiting until readers see what was written: a commit lies hidden behind somebody else's earlier transaction while that is open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalError, type PartitionAddress } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import { type Patience, persist } from './retry.ts'

/** Waits until readers see all that has been written to the partitions so far. Throws as `untilEndIs`. */
export async function untilAllIsVisible(
  client: KafkaClient,
  addresses: readonly PartitionAddress[],
  patience: Patience,
): Promise<void> {
  await Promise.all(
    addresses.map(async (address) => {
      const written = await persist(() => client.offsetOf(address, 'written'), patience)
      await untilEndIs(client, address, written, patience)
    }),
  )
}

/** Throws `unavailable` when patience is over. */
export async function untilEndIs(
  client: KafkaClient,
  address: PartitionAddress,
  least: number,
  patience: Patience,
): Promise<void> {
  for (let pause = 1; ; pause = Math.min(2 * pause, 50)) {
    if ((await persist(() => client.offsetOf(address, 'end'), patience)) >= least) return
    patience.signal?.throwIfAborted()
    if (performance.now() > patience.until)
      throw new JournalError('unavailable', `${address.topic}/${address.partition}: an open transaction is in the way`)
    await sleep(pause)
  }
}
