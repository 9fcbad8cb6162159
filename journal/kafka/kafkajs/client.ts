/** The client seam on kafkajs: finds the node that a request belongs to, and sends it there once. */
import type { PartitionAddress } from '../../journal.ts'
import {
  type Fetched,
  type FetchOptions,
  type KafkaClient,
  KafkaFailure,
  type Lane,
  type NewTopic,
  type OpenTransaction,
  type ProducerIdentity,
} from '../client.ts'
import type { KafkaConnection } from '../options.ts'
import { Node } from './node.ts'
import { type Broker, createLogger, createSocketFactory, type LogEntry } from './private.ts'
import { fetchProtocol, parseFetch, parseProduce, produceProtocol } from './records-api.ts'

const CONNECT_MS = 3_000
/** Longer than a fetch is held back. */
const REQUEST_MS = 10_000
const TOPIC = 2

type Place = { readonly host: string; readonly port: number }

/** Connects at the first request. */
export function createKafkaJsClient(connection: KafkaConnection): KafkaClient {
  return new KafkaJsClient(connection)
}

class KafkaJsClient implements KafkaClient {
  private readonly connection: KafkaConnection
  private readonly logger: unknown
  private readonly socketFactory = createSocketFactory()
  private readonly nodes = new Map<string, Node>()
  private readonly lanes = new Set<Lane>()
  private readonly leaders = new Map<string, Place[]>()
  private readonly coordinators = new Map<string, Place>()
  private readonly requestMs: number
  private readonly bootstrap: readonly Place[]

  constructor(connection: KafkaConnection) {
    this.connection = connection
    this.requestMs = connection.requestMs ?? REQUEST_MS
    this.bootstrap = connection.brokers.map(placeOf)
    this.logger = createLogger({ level: 4, logCreator: () => (entry) => this.log(entry) })
  }

  async nodeCount(): Promise<number> {
    return this.anyNode(async (broker) => (await broker.metadata([])).brokers.length)
  }

  async partitionsOf(topic: string): Promise<number | undefined> {
    try {
      return (await this.findLeaders(topic)).length
    } catch (error) {
      if (error instanceof KafkaFailure && error.type === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined
      throw error
    }
  }

  async settingsOf(topic: string, names: readonly string[]): Promise<Record<string, string>> {
    const asked = { resources: [{ type: TOPIC, name: topic, configNames: names }] } as const
    const { resources } = await this.anyNode((broker) => broker.describeConfigs(asked))
    const entries = resources[0]?.configEntries ?? []
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]))
  }

  async createTopic(topic: string, { partitions, replicas, settings }: NewTopic): Promise<void> {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
    const asked = { topic, numPartitions: partitions, replicationFactor: replicas, configEntries }
    await this.anyNode((broker) => broker.createTopics({ topics: [asked] }))
  }

  async initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity> {
    const asked = { transactionalId: transactionalId ?? undefined, transactionTimeout: transactionTimeoutMs }
    const init = (broker: Broker) => broker.initProducerId(asked)
    const { producerId, producerEpoch } = await (transactionalId === null
      ? this.anyNode(init)
      : this.coordinator(transactionalId, init))
    return { producerId: BigInt(producerId), epoch: producerEpoch }
  }

  async produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number> {
    const protocol = produceProtocol(address, batch, transactionalId, this.requestMs)
    return parseProduce(await this.leader(address, ({ connectionPool }) => connectionPool.send(protocol)))
  }

  async joinTransaction(transaction: OpenTransaction, addresses: readonly PartitionAddress[]): Promise<void> {
    const byTopic = Map.groupBy(addresses, ({ topic }) => topic)
    const topics = Array.from(byTopic, ([topic, all]) => ({ topic, partitions: all.map(({ partition }) => partition) }))
    const asked = { ...asTransaction(transaction), topics }
    await this.coordinator(transaction.transactionalId, (broker) => broker.addPartitionsToTxn(asked))
  }

  async commitTransaction(transaction: OpenTransaction): Promise<void> {
    const asked = { ...asTransaction(transaction), transactionResult: true }
    await this.coordinator(transaction.transactionalId, (broker) => broker.endTxn(asked))
  }

  async offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number> {
    const partitions = [{ partition: address.partition, timestamp: edge === 'start' ? '-2' : '-1' }]
    const isolationLevel = edge === 'written' ? 0 : 1
    const asked = { replicaId: -1, isolationLevel, topics: [{ topic: address.topic, partitions }] } as const
    const { responses } = await this.leader(address, (broker) => broker.listOffsets(asked))
    return Number(responses[0]?.partitions[0]?.offset)
  }

  fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched> {
    return this.leader(address, (broker) => fetchFrom(broker, address, offset, options))
  }

  openLane(): Lane {
    let current: { readonly key: string; readonly node: Node } | undefined
    const lane: Lane = {
      fetch: (address, offset, options) => {
        const ask = (broker: Broker) => fetchFrom(broker, address, offset, options)
        return this.leader(address, ask, (place) => {
          if (current?.key !== keyOf(place)) {
            current?.node.close()
            current = { key: keyOf(place), node: this.newNode(place, true) }
          }
          return current.node
        })
      },
      close: () => {
        this.lanes.delete(lane)
        current?.node.close()
      },
    }
    this.lanes.add(lane)
    return lane
  }

  close(): void {
    for (const lane of this.lanes) lane.close()
    for (const node of this.nodes.values()) node.close()
  }

  private async leader<T>(
    address: PartitionAddress,
    ask: (broker: Broker) => Promise<T>,
    nodeAt = (place: Place) => this.node(place),
  ): Promise<T> {
    const { topic, partition } = address
    const leaders = this.leaders.get(topic) ?? (await this.findLeaders(topic))
    const place = leaders[partition]
    if (!place) throw new KafkaFailure('refused', 'UNKNOWN_TOPIC_OR_PARTITION', `${topic}/${partition}`)
    return nodeAt(place)
      .request(ask)
      .catch((error) => {
        if (isMisdirected(error)) this.leaders.delete(topic)
        throw error
      })
  }

  private async findLeaders(topic: string): Promise<Place[]> {
    const { brokers, topicMetadata } = await this.anyNode((broker) => broker.metadata([topic]))
    const places = new Map(brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]))
    const leaders: Place[] = []
    for (const { partitionId, leader } of topicMetadata[0]?.partitionMetadata ?? []) {
      const place = places.get(leader)
      if (!place) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', `${topic}/${partitionId}`)
      leaders[partitionId] = place
    }
    this.leaders.set(topic, leaders)
    return leaders
  }

  private async coordinator<T>(transactionalId: string, ask: (broker: Broker) => Promise<T>): Promise<T> {
    let place = this.coordinators.get(transactionalId)
    if (!place) {
      const asked = { groupId: transactionalId, coordinatorType: 1 } as const
      place = (await this.anyNode((broker) => broker.findGroupCoordinator(asked))).coordinator
      this.coordinators.set(transactionalId, place)
    }
    return this.node(place)
      .request(ask)
      .catch((error) => {
        if (isMisdirected(error)) this.coordinators.delete(transactionalId)
        throw error
      })
  }

  /** Asks the nodes in turn, from the first that ever answered on, until one is reached. */
  private async anyNode<T>(ask: (broker: Broker) => Promise<T>): Promise<T> {
    const known = [...this.leaders.values()].flat()
    const places = new Map([...this.bootstrap, ...known].map((place) => [keyOf(place), place]))
    let last: unknown
    for (const place of places.values()) {
      try {
        return await this.node(place).request(ask)
      } catch (error) {
        if (!(error instanceof KafkaFailure) || error.kind === 'refused') throw error
        last = error
      }
    }
    throw last
  }

  private node(place: Place): Node {
    const key = keyOf(place)
    const node = this.nodes.get(key) ?? this.newNode(place, false)
    this.nodes.set(key, node)
    return node
  }

  private newNode({ host, port }: Place, isLane: boolean): Node {
    const { clientId, tls, sasl } = this.connection
    const settings = {
      ...{ host, port, clientId, ssl: tls, sasl, logger: this.logger, socketFactory: this.socketFactory },
      ...{ connectionTimeout: CONNECT_MS, requestTimeout: this.requestMs, enforceRequestTimeout: true },
    }
    return new Node(settings, isLane)
  }

  /** What kafkajs calls errors are single attempts: whoever repeats them decides whether they are. */
  private log({ namespace, label, log: { message, timestamp, logger, stack, ...details } }: LogEntry): void {
    // Every refusal of a broker is an ERROR of kafkajs; what they mean is ours to say.
    const level =
      namespace === 'Connection' && message.startsWith('Response')
        ? 'debug'
        : label === 'ERROR' || label === 'WARN'
          ? 'warn'
          : 'debug'
    this.connection.log?.(level, `kafkajs ${namespace}: ${message}`, details)
  }
}

async function fetchFrom(broker: Broker, address: PartitionAddress, offset: number, options: FetchOptions) {
  return parseFetch(await broker.connectionPool.send(fetchProtocol(address, offset, options)))
}

const keyOf = ({ host, port }: Place): string => `${host}:${port}`

/** `host:port`; an IPv6 address in brackets. */
function placeOf(broker: string): Place {
  const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(broker) ?? []
  if (!port) throw new RangeError(`Kafka broker ${JSON.stringify(broker)}: host:port`)
  return { host, port: Number(port) }
}

const asTransaction = ({ transactionalId, producerId, epoch }: OpenTransaction) => ({
  ...{ transactionalId, producerId: String(producerId), producerEpoch: epoch },
})

const misdirected = new Set([
  ...['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION', 'KAFKA_STORAGE_ERROR'],
  ...['FENCED_LEADER_EPOCH', 'UNKNOWN_LEADER_EPOCH', 'REPLICA_NOT_AVAILABLE'],
  ...['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE'],
])

/** The node is gone or not the one to ask (any more). */
const isMisdirected = (error: unknown): boolean =>
  error instanceof KafkaFailure && (error.kind !== 'refused' || misdirected.has(error.type))
