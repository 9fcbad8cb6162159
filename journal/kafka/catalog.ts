/** Topics: creating them, and knowing what they are. */
import { JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import type { KafkaLog } from './options.ts'
import { forMs, isPassingFailure, persist, toJournalError } from './retry.ts'

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
const DEFAULT_SEGMENT_MS = 7 * 86_400_000
const SHORTEST_SEGMENT_MS = 60_000
const SETTINGS = [
  'cleanup.policy',
  'max.message.bytes',
  'message.timestamp.type',
  'min.insync.replicas',
  'retention.ms',
]
const ANY_TIME = String(2n ** 63n - 1n)

/** What an append needs to know. */
export type Known = {
  readonly partitions: number
  readonly replicas: number
  /** How many replicas must have a record before it is acknowledged. */
  readonly inSync: number
  readonly isCompacted: boolean
  /** Kafka gives records the time of their arrival instead of their own. */
  readonly isStamped: boolean
  /** How great a record batch may be. */
  readonly batchBytes: number
  /** null: for ever. */
  readonly retentionMs: number | null
}

export class KafkaCatalog {
  private readonly client: KafkaClient
  private readonly log: KafkaLog | undefined
  /** Partition counts and cleanup never change, so what has been seen once needs no asking again. */
  private readonly seen = new Map<string, Known>()

  constructor(client: KafkaClient, log: KafkaLog | undefined) {
    this.client = client
    this.log = log
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
   * among them, are its operator's and stay; a retention time that differs is warned of. Throws `topic_mismatch`,
   * `unavailable`.
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
    this.warnOfRetention(entries)
    const nodes = await persist(() => this.client.nodeCount(), forMs(PATIENCE_MS)).catch(rethrow)
    for (const [name, asked] of missing) await this.create(name, asked, Math.min(REPLICAS, nodes))
    if (missing.length > 0 && nodes === 2)
      this.warn('made topics on two nodes: a third to come gets no replica', missing)
    if (nodes > 1)
      this.warn(
        'topics have fewer replicas than the nodes allow',
        entries.filter(([name]) => this.isUnsafe(name, nodes)),
      )
  }

  /** Replicas are counted once, when a topic is made, and a node may have been away then. */
  private isUnsafe(name: string, nodes: number): boolean {
    const { replicas = 0, inSync = 0 } = this.seen.get(name) ?? {}
    return replicas < Math.min(REPLICAS, nodes) || (nodes >= REPLICAS && inSync < 2)
  }

  private warnOfRetention(entries: readonly [string, TopicSettings][]): void {
    const ofTopics = entries.flatMap(([name, { cleanup, retentionMs }]) => {
      const known = this.seen.get(name)
      if (!known || cleanup === 'compact' || known.retentionMs === retentionMs) return []
      const [has, asked] = [known.retentionMs, retentionMs].map((ms) => String(ms ?? -1))
      return [[name, `retention.ms is ${has}, the settings say ${asked}`] as const]
    })
    if (ofTopics.length === 0) return
    const message = 'retention differs from the settings: kafka-configs.sh changes that of a topic that is there'
    this.log?.('warn', message, { topics: Object.fromEntries(ofTopics) })
  }

  private warn(what: string, topics: readonly [string, unknown][]): void {
    if (topics.length === 0) return
    this.log?.('warn', `${what}; see docs/distributed.md#kafka`, { topics: topics.map(([name]) => name) })
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
    const shape = await this.client.shapeOf(topic)
    if (!shape) return undefined
    const settings = await this.client.settingsOf(topic, SETTINGS).catch((error) => {
      // It is so new that not every node knows it.
      if (isPassingFailure(error)) return undefined
      throw error
    })
    if (!settings) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', topic)
    return {
      ...shape,
      inSync: Number(settings['min.insync.replicas']),
      isCompacted: settings['cleanup.policy']?.includes('compact') ?? false,
      isStamped: settings['message.timestamp.type'] === 'LogAppendTime',
      batchBytes: Number(settings['max.message.bytes'] || MAX_BATCH_BYTES),
      retentionMs: retentionIn(settings['retention.ms'] ?? ''),
    }
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
    ...(cleanup === 'compact' ? COMPACTED : segmentsFor(retentionMs)),
  }
}

/** So that records are gone a quarter of their time late at most, rather than a week. */
function segmentsFor(retentionMs: number | null): Record<string, string> {
  const ms = Math.max(SHORTEST_SEGMENT_MS, Math.ceil((retentionMs ?? Number.POSITIVE_INFINITY) / 4))
  return ms < DEFAULT_SEGMENT_MS ? { 'segment.ms': String(ms) } : {}
}

/** A negative one is none. */
const retentionIn = (text: string): number | null => (text === '' || Number(text) < 0 ? null : Number(text))

function mustHave({ partitions }: Known, { topic, partition }: PartitionAddress): void {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return
  throw new JournalError('unknown_topic', `${topic}/${partition}: it has ${partitions} partitions`)
}

function mustMatch(name: string, { partitions, cleanup }: TopicSettings, found: Known | undefined): void {
  if (!found) return
  const has = `${found.partitions} partitions, ${found.isCompacted ? 'compact' : 'delete'}`
  const asked = `${partitions} partitions, ${cleanup}`
  if (has !== asked) throw new JournalError('topic_mismatch', `${name} has ${has}; asked for ${asked}`)
  if (!found.isStamped) return
  const times =
    'message.timestamp.type=LogAppendTime; asked for CreateTime, since records keep the time they were given'
  throw new JournalError('topic_mismatch', `${name} has ${times}`)
}

function rethrow(error: unknown): never {
  throw toJournalError(error)
}
