/** Topics: creating them, and knowing what they are. */
import { JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { forMs, isPassing, persist, toJournalError } from './retry.ts'

const NAME = /^[A-Za-z0-9._-]{1,249}$/
const PATIENCE_MS = 30_000
/** An append is one record batch, and may hold a thousand records of some size. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
const REPLICAS = 3
/** Kafka compacts what is not in a partition's newest segment, so that one must not grow long. */
const COMPACTED = {
  'min.cleanable.dirty.ratio': '0.1',
  'segment.ms': '3600000',
  'segment.bytes': String(4 * MAX_BATCH_BYTES),
}
const ANY_TIME = String(2n ** 63n - 1n)

/** What an append needs to know. */
export type Known = { readonly partitions: number; readonly isCompacted: boolean }

export class Catalog {
  private readonly client: KafkaClient
  /** Partition counts and cleanup never change, so what has been seen once needs no asking again. */
  private readonly seen = new Map<string, Known>()

  constructor(client: KafkaClient) {
    this.client = client
  }

  /** What is known already, without asking Kafka. Throws `unknown_topic` for a partition that isn't there. */
  recall(address: PartitionAddress): Known | undefined {
    const known = this.seen.get(address.topic)
    if (known) mustHave(known, address)
    return known
  }

  /** Throws `unknown_topic`, `unavailable`. */
  async find(address: PartitionAddress): Promise<Known> {
    const known = this.recall(address) ?? (await this.look(address.topic))
    if (!known) throw new JournalError('unknown_topic', address.topic)
    mustHave(known, address)
    return known
  }

  /**
   * Creates what is missing, once nothing is found to differ. Other settings of a topic that is there, its retention time
   * among them, are its operator's and stay. Throws `topic_mismatch`, `unavailable`.
   */
  async ensure(topics: Readonly<Record<string, TopicSettings>>): Promise<void> {
    const entries = Object.entries(topics)
    for (const [name, { partitions }] of entries) {
      if (!NAME.test(name)) throw new RangeError(`topic name ${JSON.stringify(name)}`)
      if (!Number.isInteger(partitions) || partitions < 1) throw new RangeError(`${name}: ${partitions} partitions`)
    }
    const found = await Promise.all(entries.map(([name]) => this.seen.get(name) ?? this.look(name)))
    for (const [i, [name, asked]] of entries.entries()) mustMatch(name, asked, found[i])
    const missing = entries.filter((_, i) => !found[i])
    if (missing.length === 0) return
    const nodes = await persist(() => this.client.nodeCount(), forMs(PATIENCE_MS)).catch(rethrow)
    for (const [name, asked] of missing) await this.create(name, asked, Math.min(REPLICAS, nodes))
  }

  private async create(name: string, asked: TopicSettings, replicas: number): Promise<void> {
    const settings = settingsFor(asked, replicas)
    const create = () => this.client.createTopic(name, { partitions: asked.partitions, replicas, settings })
    await persist(create, forMs(PATIENCE_MS)).catch((error) => {
      // By another process, or by ourselves at an attempt that was not answered.
      if (!(error instanceof KafkaFailure) || error.type !== 'TOPIC_ALREADY_EXISTS') throw toJournalError(error)
    })
    const patience = forMs(PATIENCE_MS)
    const found = await persist(async () => {
      const known = await this.ask(name)
      if (!known) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', name)
      return known
    }, patience).catch(rethrow)
    mustMatch(name, asked, found)
    this.seen.set(name, found)
  }

  private async look(topic: string): Promise<Known | undefined> {
    const known = await persist(() => this.ask(topic), forMs(PATIENCE_MS)).catch(rethrow)
    if (known) this.seen.set(topic, known)
    return known
  }

  private async ask(topic: string): Promise<Known | undefined> {
    const partitions = await this.client.partitionsOf(topic)
    if (partitions === undefined) return undefined
    const settings = await this.client.settingsOf(topic, ['cleanup.policy']).catch((error) => {
      // It is so new that not every node knows it.
      if (isPassing(error)) return undefined
      throw error
    })
    if (!settings) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', topic)
    return { partitions, isCompacted: settings['cleanup.policy']?.includes('compact') ?? false }
  }
}

/**
 * - Records keep the time they were given, however old or young, and retention goes by it as it does in the embedded
 *   journal; Kafka deletes whole segments, so what is to go may stay a while longer, up to `segment.ms` and what fits one.
 * - Acknowledged means written by two nodes at least where there are three, and a node that lacks it never becomes leader.
 */
function settingsFor({ cleanup, retentionMs }: TopicSettings, replicas: number): Record<string, string> {
  return {
    'cleanup.policy': cleanup,
    'retention.ms': String(retentionMs ?? -1),
    'retention.bytes': '-1',
    'message.timestamp.type': 'CreateTime',
    'message.timestamp.before.max.ms': ANY_TIME,
    'message.timestamp.after.max.ms': ANY_TIME,
    'max.message.bytes': String(MAX_BATCH_BYTES),
    'min.insync.replicas': replicas >= REPLICAS ? '2' : '1',
    'unclean.leader.election.enable': 'false',
    'compression.type': 'producer',
    ...(cleanup === 'compact' ? COMPACTED : {}),
  }
}

function mustHave({ partitions }: Known, { topic, partition }: PartitionAddress): void {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return
  throw new JournalError('unknown_topic', `${topic}/${partition}: it has ${partitions} partitions`)
}

function mustMatch(name: string, { partitions, cleanup }: TopicSettings, found: Known | undefined): void {
  if (!found || (found.partitions === partitions && found.isCompacted === (cleanup === 'compact'))) return
  const has = `${found.partitions} partitions, ${found.isCompacted ? 'compact' : 'delete'}`
  throw new JournalError('topic_mismatch', `${name} has ${has}; asked for ${partitions} partitions, ${cleanup}`)
}

function rethrow(error: unknown): never {
  throw toJournalError(error)
}
