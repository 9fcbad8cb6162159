/** Client of a cluster: finds the node that is responsible for a request, and sends it there once. */
import type { PartitionAddress } from '../journal.ts'
import {
  type Fetched,
  type FetchOptions,
  type KafkaClient,
  KafkaFailure,
  type Lane,
  type NewTopic,
  type OpenTransaction,
  type ProducerIdentity,
  type TopicShape,
} from './client.ts'

export type NodeAddress = { readonly host: string; readonly port: number }

export type Metadata = {
  /** Addresses by node id. */
  readonly nodes: ReadonlyMap<number, NodeAddress>
  /** `replicas` counts all replicas of the partition, those of stopped nodes included. */
  readonly partitions: readonly { readonly id: number; readonly leader: number; readonly replicas: number }[]
}

/** Requests to one node, which connects when needed. Every call throws KafkaFailure. */
export interface KafkaNode extends Omit<KafkaClient, 'openLane' | 'nodeCount' | 'shapeOf'> {
  /** Returns the nodes of the cluster, and the partitions of `topic`. Throws `UNKNOWN_TOPIC_OR_PARTITION`. */
  metadata(topic?: string): Promise<Metadata>
  coordinatorOf(transactionalId: string): Promise<NodeAddress>
}

/**
 * Opens a node. With `isLane` it serves one fetch at a time and nothing else; otherwise fetches must not delay other
 * requests.
 */
type OpenNode = (address: NodeAddress, isLane: boolean) => KafkaNode

/** Connects at the first request. */
export class RoutedClient implements KafkaClient {
  readonly #bootstrap: readonly NodeAddress[]
  readonly #openNode: OpenNode
  readonly #nodes = new Map<string, KafkaNode>()
  readonly #lanes = new Set<Lane>()
  readonly #leaders = new Map<string, NodeAddress[]>()
  readonly #coordinators = new Map<string, NodeAddress>()
  /** The node that last answered `anyNode`. */
  #answering: NodeAddress | undefined
  #isClosed = false

  constructor(brokers: readonly string[], openNode: OpenNode) {
    this.#bootstrap = brokers.map(parseAddress)
    this.#openNode = openNode
  }

  async nodeCount(): Promise<number> {
    return (await this.#anyNode((node) => node.metadata())).nodes.size
  }

  async shapeOf(topic: string): Promise<TopicShape | undefined> {
    try {
      const { partitions } = await this.#findLeaders(topic)
      return { partitions: partitions.length, replicas: Math.min(...partitions.map(({ replicas }) => replicas)) }
    } catch (error) {
      if (error instanceof KafkaFailure && error.type === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined
      throw error
    }
  }

  settingsOf(topic: string, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
    return this.#anyNode((node) => node.settingsOf(topic, names))
  }

  createTopic(name: string, topic: NewTopic): Promise<void> {
    return this.#anyNode((node) => node.createTopic(name, topic))
  }

  initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity> {
    const init = (node: KafkaNode) => node.initProducer(transactionalId, transactionTimeoutMs)
    return transactionalId === null ? this.#anyNode(init) : this.#coordinator(transactionalId, init)
  }

  produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number> {
    return this.#leader(address, (node) => node.produce(address, batch, transactionalId))
  }

  joinTransaction(transaction: OpenTransaction, addresses: readonly PartitionAddress[]): Promise<void> {
    return this.#coordinator(transaction.transactionalId, (node) => node.joinTransaction(transaction, addresses))
  }

  commitTransaction(transaction: OpenTransaction): Promise<void> {
    return this.#coordinator(transaction.transactionalId, (node) => node.commitTransaction(transaction))
  }

  deleteRecords(address: PartitionAddress, before: number): Promise<void> {
    return this.#leader(address, (node) => node.deleteRecords(address, before))
  }

  offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number> {
    return this.#leader(address, (node) => node.offsetOf(address, edge))
  }

  offsetForTime(address: PartitionAddress, time: number): Promise<number | undefined> {
    return this.#leader(address, (node) => node.offsetForTime(address, time))
  }

  fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched> {
    return this.#leader(address, (node) => node.fetch(address, offset, options))
  }

  openLane(): Lane {
    let current: { readonly key: string; readonly node: KafkaNode } | undefined
    let isClosed = false
    const nodeAt = (address: NodeAddress) => {
      if (isClosed || this.#isClosed) throw wasClosed()
      if (current?.key !== keyOf(address)) {
        current?.node.close()
        current = { key: keyOf(address), node: this.#openNode(address, true) }
      }
      return current.node
    }
    const lane: Lane = {
      fetch: (address, offset, options) =>
        this.#leader(address, (node) => node.fetch(address, offset, options), nodeAt),
      close: () => {
        isClosed = true
        this.#lanes.delete(lane)
        current?.node.close()
      },
    }
    this.#lanes.add(lane)
    return lane
  }

  close(): void {
    this.#isClosed = true
    for (const lane of this.#lanes) lane.close()
    for (const node of this.#nodes.values()) node.close()
  }

  async #leader<T>(
    address: PartitionAddress,
    ask: (node: KafkaNode) => Promise<T>,
    nodeAt = (leader: NodeAddress) => this.#node(leader),
  ): Promise<T> {
    const { topic, partition } = address
    const leaders = this.#leaders.get(topic) ?? (await this.#findLeaders(topic)).leaders
    const leader = leaders[partition]
    if (!leader) {
      // The topic may have got this partition since its metadata were read, so they are read again next time.
      this.#leaders.delete(topic)
      throw new KafkaFailure('refused', 'UNKNOWN_TOPIC_OR_PARTITION', `${topic}/${partition}`)
    }
    return ask(nodeAt(leader)).catch((error) => {
      if (isMisdirected(error)) this.#leaders.delete(topic)
      throw error
    })
  }

  async #findLeaders(topic: string) {
    const { nodes, partitions } = await this.#anyNode((node) => node.metadata(topic))
    const leaders: NodeAddress[] = []
    for (const { id, leader } of partitions) {
      const address = nodes.get(leader)
      if (!address) throw new KafkaFailure('refused', 'LEADER_NOT_AVAILABLE', `${topic}/${id}`)
      leaders[id] = address
    }
    this.#leaders.set(topic, leaders)
    return { leaders, partitions }
  }

  async #coordinator<T>(transactionalId: string, ask: (node: KafkaNode) => Promise<T>): Promise<T> {
    let address = this.#coordinators.get(transactionalId)
    if (!address) {
      address = await this.#anyNode((node) => node.coordinatorOf(transactionalId))
      this.#coordinators.set(transactionalId, address)
    }
    return ask(this.#node(address)).catch((error) => {
      if (isMisdirected(error)) this.#coordinators.delete(transactionalId)
      throw error
    })
  }

  /** Asks the nodes in turn until one answers, beginning with the one that answered last. */
  async #anyNode<T>(ask: (node: KafkaNode) => Promise<T>): Promise<T> {
    const known = [...this.#leaders.values()].flat()
    const first = this.#answering ? [this.#answering] : []
    const addresses = new Map([...first, ...this.#bootstrap, ...known].map((address) => [keyOf(address), address]))
    let last: unknown
    for (const address of addresses.values()) {
      try {
        const answer = await ask(this.#node(address))
        this.#answering = address
        return answer
      } catch (error) {
        if (!(error instanceof KafkaFailure) || error.kind === 'refused' || error.type === 'CLOSED') throw error
        last = error
      }
    }
    throw last
  }

  #node(address: NodeAddress): KafkaNode {
    if (this.#isClosed) throw wasClosed()
    const key = keyOf(address)
    const node = this.#nodes.get(key) ?? this.#openNode(address, false)
    this.#nodes.set(key, node)
    return node
  }
}

const wasClosed = () => new KafkaFailure('unreachable', 'CLOSED', 'the client was closed')

const keyOf = ({ host, port }: NodeAddress): string => `${host}:${port}`

/** Parses `host:port`, with an IPv6 address in brackets. Throws a RangeError. */
export function parseAddress(broker: string): NodeAddress {
  const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(broker) ?? []
  if (!port) throw new RangeError(`Kafka broker ${JSON.stringify(broker)} must be host:port`)
  return { host, port: Number(port) }
}

const misdirected = new Set([
  'NOT_LEADER_OR_FOLLOWER',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'KAFKA_STORAGE_ERROR',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'REPLICA_NOT_AVAILABLE',
  'NOT_COORDINATOR',
  'COORDINATOR_NOT_AVAILABLE',
])

/** Whether the node did not answer, or is not (or no longer) responsible for the request. */
const isMisdirected = (error: unknown): boolean =>
  error instanceof KafkaFailure && (error.kind !== 'refused' || misdirected.has(error.type))

/** Groups partitions by topic, as Kafka's requests list them. */
export const byTopic = (addresses: readonly PartitionAddress[]) =>
  Array.from(
    Map.groupBy(addresses, ({ topic }) => topic),
    ([topic, all]) => ({ topic, partitions: all.map(({ partition }) => partition) }),
  )
