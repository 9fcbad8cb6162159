/** One connection, or a pair of them, to one Kafka node; made anew after any failure. */
import { KafkaFailure } from '../client.ts'
import type { Trouble } from '../trouble.ts'
import { Broker, ConnectionPool, type ConnectionSettings } from './private.ts'
import { typeOf } from './records-api.ts'

export class Node {
  private readonly settings: ConnectionSettings
  private readonly isLane: boolean
  private readonly trouble: Trouble
  private connecting: Promise<Broker> | undefined
  /** The newest, connected or not. */
  private broker: Broker | undefined
  private isClosed = false

  /** A lane sends everything over one connection; otherwise fetches have one of their own. */
  constructor(settings: ConnectionSettings, isLane: boolean, trouble: Trouble) {
    this.settings = settings
    this.isLane = isLane
    this.trouble = trouble
  }

  async request<T>(ask: (broker: Broker) => Promise<T>): Promise<T> {
    this.connecting ??= this.connect()
    const connecting = this.connecting
    const broker = await connecting.catch((error) => {
      if (this.connecting === connecting) this.connecting = undefined
      throw this.tell(explain(error, 'unreachable'))
    })
    try {
      const answer = await ask(broker)
      this.trouble.answered(this.settings)
      return answer
    } catch (error) {
      const failure = this.tell(explain(error, 'unanswered'))
      // kafkajs goes on with a connection that doesn't answer, and with half an answer of the one before.
      if (failure instanceof KafkaFailure && failure.kind === 'unanswered' && this.connecting === connecting) {
        this.connecting = undefined
        cut(broker)
      }
      throw failure
    }
  }

  close(): void {
    this.isClosed = true
    if (this.broker) cut(this.broker)
    this.connecting = undefined
  }

  private tell(failure: Error): Error {
    if (!this.isClosed && failure instanceof KafkaFailure && failure.kind !== 'refused')
      this.trouble.failed(this.settings, failure)
    return failure
  }

  private async connect(): Promise<Broker> {
    if (this.isClosed) throw new KafkaFailure('unreachable', 'CLOSED', 'the client was closed')
    const connectionPool = new ConnectionPool(this.settings)
    if (this.isLane) connectionPool.pool[1] = connectionPool.pool[0] as (typeof connectionPool.pool)[0]
    const broker = new Broker({ connectionPool, logger: this.settings.logger, allowAutoTopicCreation: false })
    this.broker = broker
    try {
      await broker.connect()
      return broker
    } catch (error) {
      cut(broker)
      throw error
    }
  }
}

/** Ends the connections at once, and whatever waits for an answer with them. */
function cut({ connectionPool }: Broker): void {
  for (const connection of connectionPool.pool) {
    connection.rejectRequests(Object.assign(new Error('the connection was cut'), { name: 'KafkaJSConnectionError' }))
    connection.disconnect().catch(() => undefined)
    connection.socket?.destroy()
  }
}

type KafkaJsError = Error & {
  readonly type?: string
  readonly errors?: readonly Error[]
  /** Of DeleteRecords. */
  readonly partitions?: readonly { readonly error: Error }[]
}

const unanswered = new Set(['KafkaJSConnectionError', 'KafkaJSConnectionClosedError', 'KafkaJSRequestTimeoutError'])

/** `silence`: what no answer means at this point. Anything that is not about the connection or the answer stays as it is. */
function explain(thrown: unknown, silence: 'unreachable' | 'unanswered'): Error {
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
