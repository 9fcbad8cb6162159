/**
 * Which topics the journal has, on record in its ledger: so that one which was deleted is not made anew and empty, and
 * records of another journal are not taken for this one's.
 */
import { JournalError, type TopicSettings } from '../journal.ts'
import type { KafkaCatalog } from './catalog.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import type { Ledger } from './ledger.ts'
import { forMs, type Patience, persist, toJournalError } from './retry.ts'
import { HEARD_MS } from './visible.ts'

const PATIENCE_MS = 30_000

type Parts = { readonly client: KafkaClient; readonly catalog: KafkaCatalog; readonly ledger: Ledger }

/** Throws `no_journal` unless one has been begun here. Makes nothing. */
export async function mustExist(client: KafkaClient, ledger: Ledger, patience: Patience): Promise<void> {
  const { topic } = ledger.address
  try {
    if ((await exists(client, topic, patience)) && (await ledger.journal(patience))) return
  } catch (error) {
    throw error instanceof KafkaFailure ? toJournalError(error) : error
  }
  throw new JournalError('no_journal', `there is no journal on Kafka: topic ${topic} is missing or empty`)
}

/** Throws `no_journal` if none of the topics exists. Makes nothing. */
export async function someMustExist(client: KafkaClient, topics: readonly string[], patience: Patience): Promise<void> {
  const areThere = await Promise.all(topics.map((topic) => exists(client, topic, patience))).catch((error) => {
    throw toJournalError(error)
  })
  if (!areThere.includes(true))
    throw new JournalError('no_journal', `Kafka has no topic ${topics[0]}, nor any other of this journal`)
}

export const exists = async (client: KafkaClient, topic: string, patience: Patience): Promise<boolean> =>
  (await persist(() => client.shapeOf(topic), patience)) !== undefined

/**
 * Makes the topics that are missing, and puts them on record before anything is written to them. Throws as `Catalog.ensure`
 * does; `topic_lost`, `foreign_records`.
 */
export async function ensureOnRecord(
  { client, catalog, ledger }: Parts,
  topics: Readonly<Record<string, TopicSettings>>,
): Promise<void> {
  try {
    const patience = forMs(PATIENCE_MS)
    const names = Object.keys(topics)
    const known = await onRecord(ledger, patience)
    await Promise.all(names.filter((name) => known?.has(name)).map((name) => mustBeThere(client, name)))
    const unknown = names.filter((name) => !known?.has(name))
    const isFilled = await Promise.all(unknown.map((name) => hasRecords(client, name, patience)))
    // Looked up after the records were seen: whoever has written them since had put the topic on record before.
    const knownNow = await onRecord(ledger, patience)
    const foreign = unknown.filter((name, i) => isFilled[i] && knownNow && !knownNow.has(name))
    if (foreign.length > 0)
      throw new JournalError(
        'foreign_records',
        `${foreign.join(', ')} hold records, and ${ledger.address.topic}, which would say what they are, is newer than they are`,
      )
    await catalog.ensure(topics)
    if (knownNow && names.every((name) => knownNow.has(name))) return
    const patienceNow = forMs(PATIENCE_MS)
    await ledger.change(ledger.address.topic, patienceNow, (row) => {
      if (!row) throw new Error(`${ledger.address.topic} has lost its journal`)
      const listed = new Set(row.topics)
      if (row.topics && names.every((name) => listed.has(name))) return undefined
      return { row: { ...row, topics: [...new Set([...listed, ...names])].sort() } }
    })
  } catch (error) {
    throw error instanceof KafkaFailure ? toJournalError(error) : error
  }
}

/** Undefined: nothing is on record, by an older release. What is there then counts as the journal's. */
async function onRecord(ledger: Ledger, patience: Patience): Promise<ReadonlySet<string> | undefined> {
  const topics = (await ledger.journal(patience))?.topics
  return topics && new Set(topics)
}

async function mustBeThere(client: KafkaClient, topic: string): Promise<void> {
  const { until } = forMs(HEARD_MS)
  const look = async () => {
    if (await client.shapeOf(topic)) return
    if (performance.now() < until) throw new KafkaFailure('refused', 'UNKNOWN_TOPIC_OR_PARTITION', topic)
    throw new JournalError('topic_lost', `${topic} is gone from Kafka, which this journal had before`)
  }
  await persist(look, forMs(PATIENCE_MS))
}

async function hasRecords(client: KafkaClient, topic: string, patience: Patience): Promise<boolean> {
  const shape = await persist(() => client.shapeOf(topic), patience)
  for (let partition = 0; partition < (shape?.partitions ?? 0); partition++)
    if ((await persist(() => client.offsetOf({ topic, partition }, 'written'), patience)) > 0) return true
  return false
}
