/** Waiting until readers see what was written: a commit lies hidden behind somebody else's earlier transaction while that is open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalError, type PartitionAddress } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { type Patience, persist } from './retry.ts'

/** A node may not have heard yet of a topic that was made just now. */
export const HEARD_MS = 4_000

/** Waits until readers see all that has been written to the partitions so far. Throws as `untilEndIs`. */
export async function untilAllIsVisible(
  client: KafkaClient,
  addresses: readonly PartitionAddress[],
  patience: Patience,
): Promise<void> {
  await Promise.all(
    addresses.map(async (address) => {
      const written = await writtenTo(client, address, patience)
      if (written !== undefined) await untilEndIs(client, address, written, patience)
    }),
  )
}

/** Undefined: somebody has deleted the topic, and all of it with it. */
function writtenTo(client: KafkaClient, address: PartitionAddress, patience: Patience): Promise<number | undefined> {
  const now = performance.now()
  const until = Math.min(now + HEARD_MS, (now + patience.until) / 2)
  const look = async () =>
    client.offsetOf(address, 'written').catch((error) => {
      if (!(error instanceof KafkaFailure) || error.type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error
      if (performance.now() < until) throw error
      return undefined
    })
  return persist(look, patience)
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
