import type { Producer, Transaction } from 'kafkajs'
import type { PartitionAddress } from '../../../journal/journal.ts'

type Seen = { readonly offset: number; readonly text: string }

/**
 * 48 records in transactions of two producers that overlap, one to four records each, some of them aborted. Returns what
 * must be seen.
 */
export async function writeHistory(
  producers: readonly [Producer, Producer],
  { topic, partition }: PartitionAddress,
  random: () => number,
): Promise<Seen[]> {
  const open = new Map<Producer, { transaction: Transaction; written: Seen[]; size: number }>()
  const committed: Seen[] = []
  const begin = async (producer: Producer) => ({
    transaction: await producer.transaction(),
    written: [],
    size: 1 + Math.floor(random() * 4),
  })
  for (let step = 0; step < 48; step++) {
    const producer = producers[random() < 0.5 ? 0 : 1]
    const current = open.get(producer) ?? (await begin(producer))
    open.set(producer, current)
    const text = `${step}`
    const [answer] = await current.transaction.send({ topic, messages: [{ partition, value: text }] })
    current.written.push({ offset: Number(answer?.baseOffset), text })
    if (current.written.length < current.size) continue
    if (random() < 0.35) await current.transaction.abort()
    else {
      await current.transaction.commit()
      committed.push(...current.written)
    }
    open.delete(producer)
  }
  for (const { transaction } of open.values()) await transaction.abort()
  return committed.toSorted((a, b) => a.offset - b.offset)
}
