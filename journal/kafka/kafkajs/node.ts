/** Connections to one Kafka node, opened again after a failure. */
import { KafkaFailure } from '../client.ts'
import type { Trouble } from '../trouble.ts'
import { Broker, ConnectionPool, type ConnectionSettings } from './private.ts'
import { typeOf } from './records-api.ts'

export class Node {
  readonly #settings: ConnectionSettings
  readonly #isLane: boolean
  readonly #trouble: Trouble
  #connecting: Promise<Broker> | undefined
  /** The newest broker, connected or not. */
  #broker: Broker | undefined
  #isClosed = false

  /** A lane uses one connection for everything; otherwise fetches have a separate one. */
  constructor(settings: ConnectionSettings, isLane: boolean, trouble: Trouble) {
    this.#settings = settings
    this.#isLane = isLane
    this.#trouble = trouble
  }

  async request<T>(ask: (broker: Broker) => Promise<T>): Promise<T> {
    this.#connecting ??= this.#connect()
    const connecting = this.#connecting
    const broker = await connecting.catch((error) => {
      if (this.#connecting === connecting) this.#connecting = undefined
      throw this.#tell(explain(error, 'unreachable'))
    })
    try {
      const answer = await ask(broker)
      this.#trouble.answered(this.#settings)
      return answer
    } catch (error) {
      const failure = this.#tell(explain(error, 'unanswered'))
      // kafkajs would keep using a connection that does not answer, and take half a response for the next one's start.
      if (failure instanceof KafkaFailure && failure.kind === 'unanswered' && this.#connecting === connecting) {
        this.#connecting = undefined
        cut(broker)
      }
      throw failure
    }
  }

  close(): void {
    this.#isClosed = true
    if (this.#broker) cut(this.#broker)
    this.#connecting = undefined
  }

  #tell(failure: Error): Error {
    if (!this.#isClosed && failure instanceof KafkaFailure && failure.kind !== 'refused')
      this.#trouble.failed(this.#settings, failure)
    return failure
  }

  async #connect(): Promise<Broker> {
    if (this.#isClosed) throw new KafkaFailure('unreachable', 'CLOSED', 'the client was closed')
    const connectionPool = new ConnectionPool(this.#settings)
    if (this.#isLane) connectionPool.pool[1] = connectionPool.pool[0] as (typeof connectionPool.pool)[0]
    const broker = new Broker({ connectionPool, logger: this.#settings.logger, allowAutoTopicCreation: false })
    this.#broker = broker
    try {
      await broker.connect()
      return broker
    } catch (error) {
      cut(broker)
      throw error
    }
  }
}

/** Closes the connections at once. Requests that wait for an answer fail. */
function cut({ connectionPool }: Broker): void {
  for (const connection of connectionPool.pool) {
    connection.rejectRequests(Object.assign(new Error('the connection was cut'), { name: 'KafkaJSConnectionError' }))
    // The socket is destroyed below, so it does not matter whether kafkajs can say goodbye.
    connection.disconnect().catch(() => undefined)
    connection.socket?.destroy()
  }
}

type KafkaJsError = Error & {
  readonly type?: string
  readonly errors?: readonly Error[]
  /** Errors of DeleteRecords. */
  readonly partitions?: readonly { readonly error: Error }[]
}

const unanswered = new Set(['KafkaJSConnectionError', 'KafkaJSConnectionClosedError', 'KafkaJSRequestTimeoutError'])

/**
 * Translates an error of kafkajs. `silence` is the kind of failure if no answer came. Any other error is returned as it
 * is.
 */
function explain(thrown: unknown, silence: 'unreachable' | 'unanswered'): Error {
  // kafkajs throws only Errors; the further fields are optional.
  const error = thrown as KafkaJsError
  if (error instanceof KafkaFailure) return error
  const [first] = error.errors ?? error.partitions?.map((partition) => partition.error) ?? []
  if (first) return explain(first, silence)
  if (unanswered.has(error.name) || error.name === 'KafkaJSLockTimeout')
    return new KafkaFailure(silence, silence.toUpperCase(), error.message, { cause: error })
  if (error.name === 'KafkaJSSASLAuthenticationError')
    return new KafkaFailure('refused', 'SASL_AUTHENTICATION_FAILED', error.message, { cause: error })
  if (!error.type) return error
  return new KafkaFailure('refused', typeOf(error.type, error.message), error.message, { cause: error })
}
