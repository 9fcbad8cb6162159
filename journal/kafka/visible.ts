/**
 * Waits until readers see what was written. While an earlier transaction of another producer is open, it hides later
 * commits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalError, type PartitionAddress } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { type RetryDeadline, retryUntil } from './retry.ts'

/** Longest that a node may take to learn of a new topic. */
export const HEARD_MS = 4_000

/** Waits until readers see all records that are in the partitions now. Throws as `untilEndIs` does. */
export async function untilAllIsVisible(
  client: KafkaClient,
  addresses: readonly PartitionAddress[],
  deadline: RetryDeadline,
): Promise<void> {
  await Promise.all(
    addresses.map(async (address) => {
      const written = await writtenTo(client, address, deadline)
      if (written !== undefined) await untilEndIs(client, address, written, deadline)
    }),
  )
}

/** Returns the high watermark. Returns undefined if the topic has been deleted, so that there is nothing to wait for. */
function writtenTo(
  client: KafkaClient,
  address: PartitionAddress,
  deadline: RetryDeadline,
): Promise<number | undefined> {
  const now = performance.now()
  const until = Math.min(now + HEARD_MS, (now + deadline.until) / 2)
  const look = async () =>
    client.offsetOf(address, 'written').catch((error) => {
      if (!(error instanceof KafkaFailure) || error.type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error
      if (performance.now() < until) throw error
      return undefined
    })
  return retryUntil(look, deadline)
}

/** Waits until the last stable offset is at least `least`. Throws `unavailable` after the deadline. */
export async function untilEndIs(
  client: KafkaClient,
  address: PartitionAddress,
  least: number,
  deadline: RetryDeadline,
): Promise<void> {
  for (let pause = 1; ; pause = Math.min(2 * pause, 50)) {
    if ((await retryUntil(() => client.offsetOf(address, 'end'), deadline)) >= least) return
    deadline.signal?.throwIfAborted()
    if (performance.now() > deadline.until)
      throw new JournalError(
        'unavailable',
        `${address.topic}/${address.partition}: an open transaction hides the newest records`,
      )
    await sleep(pause)
  }
}
