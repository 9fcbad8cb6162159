/**
 * Client on @platformatic/kafka: requests to one node, and the cluster's client that uses them. Only the package's public
 * API for single requests over connections is used. Its producer sends producer id 0, which fences the wrong producer,
 * and its consumer delivers records of aborted transactions.
 *
 * The request versions exist in Kafka 4.0, name topics instead of giving their ids, and keep a producer's epoch when a
 * transaction ends.
 */
import {
  addPartitionsToTxnV3,
  type Connection,
  createTopicsV7,
  deleteRecordsV2,
  describeConfigsV4,
  endTxnV4,
  findCoordinatorV4,
  initProducerIdV4,
  listOffsetsV7,
  metadataV12,
} from '@platformatic/kafka'
import type { PartitionAddress } from '../../journal.ts'
import type { Fetched, FetchOptions, KafkaClient, NewTopic, OpenTransaction, ProducerIdentity } from '../client.ts'
import type { KafkaConnection } from '../options.ts'
import { byTopic, type KafkaNode, type Metadata, type NodeAddress, RoutedClient } from '../routed-client.ts'
import { Trouble } from '../trouble.ts'
import { NodeConnection } from './connection.ts'
import { fetchRecords, produceRecords } from './records-api.ts'

/** Longer than a node holds back the answer to a fetch. */
const REQUEST_MS = 10_000
const TOPIC = 2 as const
const TRANSACTION = 1
const [EARLIEST, LATEST] = [-2n, -1n]

export function createPlatformaticClient(options: KafkaConnection): KafkaClient {
  const trouble = new Trouble(options.log)
  return new RoutedClient(options.brokers, (address, isLane) => new PlatformaticNode(address, options, isLane, trouble))
}

class PlatformaticNode implements KafkaNode {
  readonly #requestMs: number
  readonly #main: NodeConnection
  readonly #fetches: NodeConnection

  constructor(address: NodeAddress, options: KafkaConnection, isLane: boolean, trouble: Trouble) {
    this.#requestMs = options.requestMs ?? REQUEST_MS
    const connect = () => new NodeConnection(address, options, this.#requestMs, trouble)
    this.#main = connect()
    this.#fetches = isLane ? this.#main : connect()
  }

  async metadata(topic?: string): Promise<Metadata> {
    const asked = topic === undefined ? [] : [topic]
    const { brokers, topics } = await this.#ask((node) => metadataV12.api.async(node, asked, false, false))
    const partitions = topics[0]?.partitions ?? []
    return {
      nodes: new Map(brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }])),
      partitions: partitions.map(({ partitionIndex, leaderId, replicaNodes }) => ({
        id: partitionIndex,
        leader: leaderId,
        replicas: replicaNodes.length,
      })),
    }
  }

  async coordinatorOf(transactionalId: string): Promise<NodeAddress> {
    const find = (node: Connection) => findCoordinatorV4.api.async(node, TRANSACTION, [transactionalId])
    const [coordinator] = (await this.#ask(find)).coordinators
    if (!coordinator) throw new Error(`Kafka named no coordinator of transactional id ${transactionalId}`)
    return coordinator
  }

  async settingsOf(topic: string, names: readonly string[]): Promise<Record<string, string>> {
    const asked = { resourceType: TOPIC, resourceName: topic, configurationKeys: [...names] }
    const { results } = await this.#ask((node) => describeConfigsV4.api.async(node, [asked]))
    const configs = results[0]?.configs ?? []
    return Object.fromEntries(configs.map(({ name, value }) => [name, value ?? '']))
  }

  async createTopic(name: string, { partitions, replicas, settings }: NewTopic): Promise<void> {
    const configs = Object.entries(settings).map(([name, value]) => ({ name, value }))
    const asked = { name, numPartitions: partitions, replicationFactor: replicas, assignments: [], configs }
    await this.#ask((node) => createTopicsV7.api.async(node, [asked], this.#requestMs, false))
  }

  async initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity> {
    const init = (node: Connection) => initProducerIdV4.api.async(node, transactionalId, transactionTimeoutMs, -1n, -1)
    const { producerId, producerEpoch } = await this.#ask(init)
    return { producerId, epoch: producerEpoch }
  }

  produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number> {
    return this.#ask((node) => produceRecords(node, address, batch, transactionalId, this.#requestMs))
  }

  async joinTransaction(
    { transactionalId, producerId, epoch }: OpenTransaction,
    addresses: readonly PartitionAddress[],
  ): Promise<void> {
    const topics = byTopic(addresses).map(({ topic, partitions }) => ({ name: topic, partitions }))
    const asked = { transactionalId, producerId, producerEpoch: epoch, verifyOnly: false, topics }
    await this.#ask((node) => addPartitionsToTxnV3.api.async(node, [asked]))
  }

  async commitTransaction({ transactionalId, producerId, epoch }: OpenTransaction): Promise<void> {
    await this.#ask((node) => endTxnV4.api.async(node, transactionalId, producerId, epoch, true))
  }

  async deleteRecords({ topic, partition }: PartitionAddress, before: number): Promise<void> {
    const partitions = [{ partitionIndex: partition, offset: BigInt(before) }]
    await this.#ask((node) => deleteRecordsV2.api.async(node, [{ name: topic, partitions }], this.#requestMs))
  }

  offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number> {
    return this.#listOffset(address, edge === 'start' ? EARLIEST : LATEST, edge === 'written' ? 0 : 1)
  }

  async offsetForTime(address: PartitionAddress, time: number): Promise<number | undefined> {
    const offset = await this.#listOffset(address, BigInt(time), 1)
    return offset < 0 ? undefined : offset
  }

  async #listOffset({ topic, partition }: PartitionAddress, timestamp: bigint, isolation: 0 | 1): Promise<number> {
    const partitions = [{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }]
    const asked = [{ name: topic, partitions }]
    const { topics } = await this.#ask((node) => listOffsetsV7.api.async(node, -1, isolation, asked))
    return Number(topics[0]?.partitions[0]?.offset)
  }

  fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched> {
    return this.#fetches.request((node) => fetchRecords(node, address, offset, options))
  }

  close(): void {
    this.#main.close()
    this.#fetches.close()
  }

  #ask<T>(ask: (node: Connection) => Promise<T>): Promise<T> {
    return this.#main.request(ask)
  }
}
