/** Client on kafkajs: requests to one node, and the cluster's client that uses them. */
import type { PartitionAddress } from '../../journal.ts'
import type { Fetched, FetchOptions, KafkaClient, NewTopic, OpenTransaction, ProducerIdentity } from '../client.ts'
import type { KafkaConnection } from '../options.ts'
import { byTopic, type KafkaNode, type Metadata, type NodeAddress, RoutedClient } from '../routed-client.ts'
import { Trouble } from '../trouble.ts'
import { Node } from './node.ts'
import { type ConnectionSettings, createLogger, createSocketFactory, type KafkaJsLogEntry } from './private.ts'
import { fetchProtocol, joinProtocol, parseFetch, parseJoin, parseProduce, produceProtocol } from './records-api.ts'

const CONNECT_MS = 3_000
/** Longer than a node holds back the answer to a fetch. */
const REQUEST_MS = 10_000
const TOPIC = 2

export function createKafkaJsClient(connection: KafkaConnection): KafkaClient {
  const { brokers, clientId, tls, sasl, requestMs = REQUEST_MS } = connection
  const logger = createLogger({ level: 4, logCreator: () => (entry) => log(connection, entry) })
  const settings = {
    clientId,
    ssl: tls,
    // A copy, because kafkajs writes into the SASL settings that it is given.
    sasl: sasl && { ...sasl },
    logger,
    socketFactory: createSocketFactory(),
    connectionTimeout: CONNECT_MS,
    requestTimeout: requestMs,
    enforceRequestTimeout: true,
  }
  const trouble = new Trouble(connection.log)
  return new RoutedClient(brokers, (address, isLane) => new KafkaJsNode({ ...settings, ...address }, isLane, trouble))
}

class KafkaJsNode implements KafkaNode {
  readonly #node: Node
  readonly #requestMs: number

  constructor(settings: ConnectionSettings, isLane: boolean, trouble: Trouble) {
    this.#node = new Node(settings, isLane, trouble)
    this.#requestMs = settings.requestTimeout
  }

  async metadata(topic?: string): Promise<Metadata> {
    const asked = topic === undefined ? [] : [topic]
    const { brokers, topicMetadata } = await this.#node.request((broker) => broker.metadata(asked))
    const partitions = topicMetadata[0]?.partitionMetadata ?? []
    return {
      nodes: new Map(brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }])),
      partitions: partitions.map(({ partitionId, leader, replicas }) => ({
        id: partitionId,
        leader,
        replicas: replicas.length,
      })),
    }
  }

  async coordinatorOf(transactionalId: string): Promise<NodeAddress> {
    const asked = { groupId: transactionalId, coordinatorType: 1 } as const
    return (await this.#node.request((broker) => broker.findGroupCoordinator(asked))).coordinator
  }

  async settingsOf(topic: string, names: readonly string[]): Promise<Record<string, string>> {
    const asked = { resources: [{ type: TOPIC, name: topic, configNames: names }] } as const
    const { resources } = await this.#node.request((broker) => broker.describeConfigs(asked))
    const entries = resources[0]?.configEntries ?? []
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]))
  }

  async createTopic(topic: string, { partitions, replicas, settings }: NewTopic): Promise<void> {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
    const asked = { topic, numPartitions: partitions, replicationFactor: replicas, configEntries }
    await this.#node.request((broker) => broker.createTopics({ topics: [asked] }))
  }

  async initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity> {
    const asked = { transactionalId: transactionalId ?? undefined, transactionTimeout: transactionTimeoutMs }
    const { producerId, producerEpoch } = await this.#node.request((broker) => broker.initProducerId(asked))
    return { producerId: BigInt(producerId), epoch: producerEpoch }
  }

  async produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number> {
    const protocol = produceProtocol(address, batch, transactionalId, this.#requestMs)
    return parseProduce(await this.#node.request(({ connectionPool }) => connectionPool.send(protocol)))
  }

  async joinTransaction(transaction: OpenTransaction, addresses: readonly PartitionAddress[]): Promise<void> {
    const protocol = joinProtocol({ ...asTransaction(transaction), topics: byTopic(addresses) })
    parseJoin(await this.#node.request(({ connectionPool }) => connectionPool.send(protocol)))
  }

  async commitTransaction(transaction: OpenTransaction): Promise<void> {
    const asked = { ...asTransaction(transaction), transactionResult: true }
    await this.#node.request((broker) => broker.endTxn(asked))
  }

  async deleteRecords({ topic, partition }: PartitionAddress, before: number): Promise<void> {
    const topics = [{ topic, partitions: [{ partition, offset: String(before) }] }]
    await this.#node.request((broker) => broker.deleteRecords({ topics }))
  }

  offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number> {
    return this.#listOffset(address, edge === 'start' ? '-2' : '-1', edge === 'written' ? 0 : 1)
  }

  async offsetForTime(address: PartitionAddress, time: number): Promise<number | undefined> {
    const offset = await this.#listOffset(address, String(time), 1)
    return offset < 0 ? undefined : offset
  }

  async #listOffset({ topic, partition }: PartitionAddress, timestamp: string, isolationLevel: 0 | 1): Promise<number> {
    const topics = [{ topic, partitions: [{ partition, timestamp }] }]
    const asked = { replicaId: -1, isolationLevel, topics } as const
    const { responses } = await this.#node.request((broker) => broker.listOffsets(asked))
    return Number(responses[0]?.partitions[0]?.offset)
  }

  async fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched> {
    const protocol = fetchProtocol(address, offset, options)
    return parseFetch(await this.#node.request(({ connectionPool }) => connectionPool.send(protocol)))
  }

  close(): void {
    this.#node.close()
  }
}

const asTransaction = ({ transactionalId, producerId, epoch }: OpenTransaction) => ({
  transactionalId,
  producerId: String(producerId),
  producerEpoch: epoch,
})

/**
 * Logs entries of kafkajs at level debug. Its errors are of single attempts; `Trouble` logs the nodes that do not answer.
 */
function log(connection: KafkaConnection, { namespace, log: entry }: KafkaJsLogEntry): void {
  const { message, timestamp, logger, stack, ...details } = entry
  connection.log?.('debug', `kafkajs ${namespace}: ${message}`, details)
}
