/**
 * List of the journal's topics, in its ledger. Because of it, a deleted topic is reported instead of created again
 * without its records, and records of another journal are not taken for this journal's.
 */
import { JournalError, type TopicSettings } from '../journal.ts'
import type { KafkaCatalog } from './catalog.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import type { Ledger } from './ledger.ts'
import { deadlineIn, type RetryDeadline, retryUntil, toJournalError } from './retry.ts'
import { HEARD_MS } from './visible.ts'

const TOPICS_TIMEOUT_MS = 30_000

type Parts = { readonly client: KafkaClient; readonly catalog: KafkaCatalog; readonly ledger: Ledger }

/** Throws `no_journal` unless a journal has been begun here. Creates nothing. */
export async function assertJournal(client: KafkaClient, ledger: Ledger, deadline: RetryDeadline): Promise<void> {
  const { topic } = ledger.address
  try {
    if ((await exists(client, topic, deadline)) && (await ledger.journal(deadline))) return
  } catch (error) {
    throw error instanceof KafkaFailure ? toJournalError(error) : error
  }
  throw new JournalError('no_journal', `there is no journal on Kafka: topic ${topic} is missing or empty`)
}

/** Throws `no_journal` if none of the topics exists. Creates nothing. */
export async function assertSomeTopic(
  client: KafkaClient,
  topics: readonly string[],
  deadline: RetryDeadline,
): Promise<void> {
  const areThere = await Promise.all(topics.map((topic) => exists(client, topic, deadline))).catch((error) => {
    throw toJournalError(error)
  })
  if (!areThere.includes(true))
    throw new JournalError('no_journal', `Kafka has no topic ${topics[0]}, nor any other of this journal`)
}

export const exists = async (client: KafkaClient, topic: string, deadline: RetryDeadline): Promise<boolean> =>
  (await retryUntil(() => client.shapeOf(topic), deadline)) !== undefined

/**
 * Creates the missing topics, and puts them on record before any record is written to them. Throws `topic_lost`,
 * `foreign_records`, and the errors of `KafkaCatalog.ensure`.
 */
export async function ensureOnRecord(
  { client, catalog, ledger }: Parts,
  topics: Readonly<Record<string, TopicSettings>>,
): Promise<void> {
  try {
    const deadline = deadlineIn(TOPICS_TIMEOUT_MS)
    const names = Object.keys(topics)
    const known = await onRecord(ledger, deadline)
    await Promise.all(names.filter((name) => known?.has(name)).map((name) => assertNotLost(client, name)))
    const unknown = names.filter((name) => !known?.has(name))
    const isFilled = await Promise.all(unknown.map((name) => hasRecords(client, name, deadline)))
    // The list is read again after the records: a process that wrote them meanwhile had put their topic on record before.
    const knownNow = await onRecord(ledger, deadline)
    const foreign = unknown.filter((name, i) => isFilled[i] && knownNow && !knownNow.has(name))
    if (foreign.length > 0)
      throw new JournalError(
        'foreign_records',
        `${foreign.join(', ')} hold records, but ${ledger.address.topic}, which lists the journal's topics, is newer than they are`,
      )
    await catalog.ensure(topics)
    if (knownNow && names.every((name) => knownNow.has(name))) return
    const deadlineNow = deadlineIn(TOPICS_TIMEOUT_MS)
    await ledger.change(ledger.address.topic, deadlineNow, (row) => {
      if (!row) throw new Error(`${ledger.address.topic} has lost its journal`)
      const listed = new Set(row.topics)
      if (row.topics && names.every((name) => listed.has(name))) return undefined
      return { row: { ...row, topics: [...new Set([...listed, ...names])].sort() } }
    })
  } catch (error) {
    throw error instanceof KafkaFailure ? toJournalError(error) : error
  }
}

/** Returns the topics on record. Undefined if an older release wrote no list: then every topic counts as the journal's. */
async function onRecord(ledger: Ledger, deadline: RetryDeadline): Promise<ReadonlySet<string> | undefined> {
  const topics = (await ledger.journal(deadline))?.topics
  return topics && new Set(topics)
}

async function assertNotLost(client: KafkaClient, topic: string): Promise<void> {
  const { until } = deadlineIn(HEARD_MS)
  const look = async () => {
    if (await client.shapeOf(topic)) return
    if (performance.now() < until) throw new KafkaFailure('refused', 'UNKNOWN_TOPIC_OR_PARTITION', topic)
    throw new JournalError('topic_lost', `${topic} is gone from Kafka, although this journal had it before`)
  }
  await retryUntil(look, deadlineIn(TOPICS_TIMEOUT_MS))
}

async function hasRecords(client: KafkaClient, topic: string, deadline: RetryDeadline): Promise<boolean> {
  const shape = await retryUntil(() => client.shapeOf(topic), deadline)
  for (let partition = 0; partition < (shape?.partitions ?? 0); partition++)
    if ((await retryUntil(() => client.offsetOf({ topic, partition }, 'written'), deadline)) > 0) return true
  return false
}
