/** Creates topics, and remembers their settings. */
import { JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import type { KafkaLog } from './options.ts'
import { deadlineIn, isPassingFailure, retryUntil, toJournalError } from './retry.ts'

const NAME = /^[A-Za-z0-9._-]{1,249}$/
const TOPIC_TIMEOUT_MS = 30_000
/** An append is one record batch, which may hold a thousand large records. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
const REPLICAS = 3
/** Kafka does not compact a partition's newest segment, so that segment is kept short. */
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

/** Properties of a topic that an append depends on. */
export type Known = {
  readonly partitions: number
  readonly replicas: number
  /** Number of replicas that must have a record before it is acknowledged. */
  readonly inSync: number
  readonly isCompacted: boolean
  /** Whether Kafka replaces the time of a record with the time of its arrival. */
  readonly isStamped: boolean
  /** Largest record batch that the topic accepts, in bytes. */
  readonly batchBytes: number
  /** null: for ever. */
  readonly retentionMs: number | null
}

export class KafkaCatalog {
  readonly #client: KafkaClient
  readonly #log: KafkaLog | undefined
  /** Topics seen so far. Almanac never changes a topic's partitions or cleanup, so each topic is asked for once. */
  readonly #seen = new Map<string, Known>()

  constructor(client: KafkaClient, log: KafkaLog | undefined) {
    this.#client = client
    this.#log = log
  }

  /**
   * Returns what is remembered of a topic, without asking Kafka. Throws `unknown_topic` for a partition that does not
   * exist.
   */
  recall(address: PartitionAddress): Known | undefined {
    const known = this.#seen.get(address.topic)
    if (known) assertPartition(known, address)
    return known
  }

  /** Throws `unknown_topic`, `unavailable`. */
  async find(address: PartitionAddress): Promise<Known> {
    const known = this.recall(address) ?? (await this.#look(address.topic))
    if (!known) throw new JournalError('unknown_topic', address.topic)
    assertPartition(known, address)
    return known
  }

  /**
   * Creates the missing topics, unless an existing topic has other partitions, cleanup or time stamps than asked for:
   * then it throws `topic_mismatch` and creates nothing. All other settings of an existing topic belong to its operator
   * and stay as they are; a different retention time is logged as a warning. Also throws `unavailable`.
   */
  async ensure(topics: Readonly<Record<string, TopicSettings>>): Promise<void> {
    const entries = Object.entries(topics)
    for (const [name, { partitions }] of entries) {
      if (!NAME.test(name)) throw new RangeError(`topic name ${JSON.stringify(name)}`)
      if (!Number.isInteger(partitions) || partitions < 1) throw new RangeError(`${name}: ${partitions} partitions`)
    }
    const found = await Promise.all(entries.map(([name]) => this.#seen.get(name) ?? this.#look(name)))
    for (const [i, [name, asked]] of entries.entries()) assertSameShape(name, asked, found[i])
    const missing = entries.filter((_, i) => !found[i])
    this.#warnOfRetention(entries)
    const nodes = await retryUntil(() => this.#client.nodeCount(), deadlineIn(TOPIC_TIMEOUT_MS)).catch(rethrow)
    for (const [name, asked] of missing) await this.#create(name, asked, Math.min(REPLICAS, nodes))
    if (missing.length > 0 && nodes === 2)
      this.#warn('topics were created on two nodes; a node that joins later gets no replica of them', missing)
    if (nodes > 1)
      this.#warn(
        'topics have fewer replicas than the number of nodes allows',
        entries.filter(([name]) => this.#isUnsafe(name, nodes)),
      )
  }

  /**
   * Whether a topic could have more replicas. Kafka fixes their number when a topic is created, and a node may have been
   * down then.
   */
  #isUnsafe(name: string, nodes: number): boolean {
    const { replicas = 0, inSync = 0 } = this.#seen.get(name) ?? {}
    return replicas < Math.min(REPLICAS, nodes) || (nodes >= REPLICAS && inSync < 2)
  }

  #warnOfRetention(entries: readonly [string, TopicSettings][]): void {
    const ofTopics = entries.flatMap(([name, { cleanup, retentionMs }]) => {
      const known = this.#seen.get(name)
      if (!known || cleanup === 'compact' || known.retentionMs === retentionMs) return []
      const [has, asked] = [known.retentionMs, retentionMs].map((ms) => String(ms ?? -1))
      return [[name, `retention.ms is ${has}; the settings ask for ${asked}`] as const]
    })
    if (ofTopics.length === 0) return
    const message = 'retention differs from the settings; change it on an existing topic with kafka-configs.sh'
    this.#log?.('warn', message, { topics: Object.fromEntries(ofTopics) })
  }

  #warn(what: string, topics: readonly [string, unknown][]): void {
    if (topics.length === 0) return
    this.#log?.('warn', `${what}; see docs/distributed.md#kafka`, { topics: topics.map(([name]) => name) })
  }

  async #create(name: string, asked: TopicSettings, replicas: number): Promise<void> {
    const settings = settingsFor(asked, replicas)
    const create = () => this.#client.createTopic(name, { partitions: asked.partitions, replicas, settings })
    await retryUntil(create, deadlineIn(TOPIC_TIMEOUT_MS)).catch((error) => {
      // Created by another process, or by an earlier attempt of this one whose answer was lost.
      if (!(error instanceof KafkaFailure) || error.type !== 'TOPIC_ALREADY_EXISTS') throw toJournalError(error)
    })
    const deadline = deadlineIn(TOPIC_TIMEOUT_MS)
    const found = await retryUntil(async () => {
      const known = await this.#ask(name)
      if (!known) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', name)
      return known
    }, deadline).catch(rethrow)
    assertSameShape(name, asked, found)
    this.#seen.set(name, found)
  }

  async #look(topic: string): Promise<Known | undefined> {
    const known = await retryUntil(() => this.#ask(topic), deadlineIn(TOPIC_TIMEOUT_MS)).catch(rethrow)
    if (known) this.#seen.set(topic, known)
    return known
  }

  async #ask(topic: string): Promise<Known | undefined> {
    const shape = await this.#client.shapeOf(topic)
    if (!shape) return undefined
    const settings = await this.#client.settingsOf(topic, SETTINGS).catch((error) => {
      // The topic is so new that this node does not know it yet; the caller retries.
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
 * Returns the settings of a new topic.
 * - Records keep the time they were given, however far in the past or future. Retention goes by that time, as in the
 *   embedded journal. Kafka deletes whole segments, so a record may stay longer: up to `segment.ms`, or until its segment
 *   is full.
 * - With three nodes or more, a record is acknowledged once two nodes have it. A node that lacks it never becomes leader.
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

/** Settings that delete records at most a quarter of their retention time late. By default Kafka may be a week late. */
function segmentsFor(retentionMs: number | null): Record<string, string> {
  const ms = Math.max(SHORTEST_SEGMENT_MS, Math.ceil((retentionMs ?? Number.POSITIVE_INFINITY) / 4))
  return ms < DEFAULT_SEGMENT_MS ? { 'segment.ms': String(ms) } : {}
}

/** Reads `retention.ms`. A negative value means for ever. */
const retentionIn = (text: string): number | null => (text === '' || Number(text) < 0 ? null : Number(text))

function assertPartition({ partitions }: Known, { topic, partition }: PartitionAddress): void {
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return
  throw new JournalError('unknown_topic', `${topic}/${partition}: the topic has ${partitions} partitions`)
}

function assertSameShape(name: string, { partitions, cleanup }: TopicSettings, found: Known | undefined): void {
  if (!found) return
  const has = `${found.partitions} partitions, ${found.isCompacted ? 'compact' : 'delete'}`
  const asked = `${partitions} partitions, ${cleanup}`
  if (has !== asked) throw new JournalError('topic_mismatch', `${name} has ${has}; asked for ${asked}`)
  if (!found.isStamped) return
  const times =
    'message.timestamp.type=LogAppendTime; asked for CreateTime, because records keep the time they were given'
  throw new JournalError('topic_mismatch', `${name} has ${times}`)
}

function rethrow(error: unknown): never {
  throw toJournalError(error)
}
