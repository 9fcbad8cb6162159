/**
 * All private parts of kafkajs that Almanac uses: its connections (TLS, SASL, framing, timeouts) and its encoding of
 * requests. Its producer, consumer and cluster are not used, because they
 * - lose and duplicate records of concurrent idempotent sends, and of transactions after a failed one;
 * - deliver records of aborted transactions;
 * - skip silently what retention has deleted, and cannot read from an offset.
 * Private parts may change with any release, hence the pinned version: read the files named below before raising it.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const PINNED = '2.2.4'
const { version } = require('kafkajs/package.json') as { version: string }
if (version !== PINNED)
  throw new Error(
    `kafkajs ${version} is installed; Almanac uses private parts of ${PINNED}: install exactly that version`,
  )

export type Protocol = {
  readonly request: object
  readonly response: { decode(payload: Buffer): Promise<unknown>; parse(decoded: unknown): Promise<unknown> }
}
type Connection = {
  rejectRequests(error: Error): void
  disconnect(): Promise<unknown>
  readonly socket?: { destroy(): void }
}
export type ConnectionPool = {
  /** The second connection carries fetches, the first everything else. */
  pool: Connection[]
  send(protocol: Protocol): Promise<unknown>
}
type ApiError = { readonly type: string; readonly message: string }
type TopicPartitions<P> = { readonly topic: string; readonly partitions: readonly P[] }
type Answer<P> = { readonly responses: readonly TopicPartitions<P>[] }

/** Requests to one node. Offsets and producer ids are decimal text. */
export type Broker = {
  connect(): Promise<void>
  readonly connectionPool: ConnectionPool
  metadata(topics: readonly string[]): Promise<{
    readonly brokers: readonly { readonly nodeId: number; readonly host: string; readonly port: number }[]
    readonly topicMetadata: readonly {
      readonly topic: string
      readonly partitionMetadata: readonly {
        readonly partitionId: number
        readonly leader: number
        readonly replicas: readonly number[]
      }[]
    }[]
  }>
  findGroupCoordinator(asked: { groupId: string; coordinatorType: 0 | 1 }): Promise<{
    readonly coordinator: { readonly nodeId: number; readonly host: string; readonly port: number }
  }>
  initProducerId(asked: {
    transactionalId: string | undefined
    transactionTimeout: number
  }): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
  endTxn(asked: Transaction & { transactionResult: boolean }): Promise<unknown>
  listOffsets(asked: {
    replicaId: -1
    isolationLevel: 0 | 1
    topics: readonly TopicPartitions<{ partition: number; timestamp: string }>[]
  }): Promise<Answer<{ readonly offset: string }>>
  deleteRecords(asked: { topics: readonly TopicPartitions<{ partition: number; offset: string }>[] }): Promise<unknown>
  createTopics(asked: {
    topics: readonly {
      topic: string
      numPartitions: number
      replicationFactor: number
      configEntries: readonly { name: string; value: string }[]
    }[]
  }): Promise<unknown>
  describeConfigs(asked: { resources: readonly { type: 2; name: string; configNames: readonly string[] }[] }): Promise<{
    readonly resources: readonly {
      readonly configEntries: readonly { readonly configName: string; readonly configValue: string }[]
    }[]
  }>
}
export type JoinRequest = Transaction & { topics: readonly TopicPartitions<number>[] }
type Transaction = { transactionalId: string; producerId: string; producerEpoch: number }

export interface Encoder {
  writeString(text: string | null): Encoder
  writeInt16(value: number): Encoder
  writeInt32(value: number): Encoder
  writeBytes(bytes: Buffer): Encoder
}
export interface Decoder {
  readInt16(): number
  readInt32(): number
  readInt64(): { toString(): string }
  readString(): string
  readBytes(length: number): Buffer
}

export type ConnectionSettings = {
  readonly host: string
  readonly port: number
  readonly clientId: string
  readonly ssl: unknown
  readonly sasl: unknown
  readonly connectionTimeout: number
  readonly requestTimeout: number
  readonly enforceRequestTimeout: boolean
  readonly socketFactory: unknown
  readonly logger: unknown
}

export const Broker = require('kafkajs/src/broker') as new (settings: {
  connectionPool: ConnectionPool
  logger: unknown
  allowAutoTopicCreation: boolean
}) => Broker
export const ConnectionPool = require('kafkajs/src/network/connectionPool') as new (
  settings: ConnectionSettings,
) => ConnectionPool
export const Encoder = require('kafkajs/src/protocol/encoder') as new () => Encoder
export const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder
export const { createErrorFromCode } = require('kafkajs/src/protocol/error') as {
  createErrorFromCode(code: number): Error & ApiError
}
export const { createLogger } = require('kafkajs/src/loggers') as {
  createLogger(settings: { level: number; logCreator: () => (entry: KafkaJsLogEntry) => void }): unknown
}
export const createSocketFactory = require('kafkajs/src/network/socketFactory') as () => unknown
export const { requests } = require('kafkajs/src/protocol/requests') as {
  requests: {
    Fetch: { protocol(asked: { version: 11 }): (fetch: FetchRequest) => Protocol }
    AddPartitionsToTxn: { protocol(asked: { version: 1 }): (join: JoinRequest) => Protocol }
  }
}

export type KafkaJsLogEntry = {
  readonly namespace: string
  readonly label: 'ERROR' | 'WARN' | 'INFO' | 'DEBUG'
  readonly log: Readonly<Record<string, unknown>> & { readonly message: string }
}
type FetchRequest = {
  replicaId: -1
  maxWaitTime: number
  minBytes: number
  maxBytes: number
  isolationLevel: 0 | 1
  topics: readonly TopicPartitions<{ partition: number; fetchOffset: string; maxBytes: number }>[]
}

/**
 * Prevents idle timers (K5): kafkajs sets one without delay whenever its queue is empty, about 900 a second on an idle
 * connection.
 */
const RequestQueue = require('kafkajs/src/network/requestQueue') as {
  prototype: { scheduleCheckPendingRequests(this: { pending: unknown[]; throttledUntil: number }): void }
}
const { scheduleCheckPendingRequests } = RequestQueue.prototype
RequestQueue.prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheckPendingRequests.call(this)
}

/**
 * Prevents leaked connections: for each request that comes before it is connected, kafkajs opens a connection and forgets
 * all but the last. The others would stay open and keep the process alive.
 */
const { prototype } = require('kafkajs/src/network/connection') as { prototype: { connect(): Promise<unknown> } }
const { connect } = prototype
const connecting = new WeakMap<object, Promise<unknown>>()
prototype.connect = function () {
  const pending = connecting.get(this) ?? connect.call(this).finally(() => connecting.delete(this))
  connecting.set(this, pending)
  return pending
}
