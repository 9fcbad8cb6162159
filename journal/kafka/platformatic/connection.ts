/** One connection to a Kafka node, opened at the first request and again after a failure. */
import { isIP } from 'node:net'
import { Connection, type ConnectionOptions, ResponseError } from '@platformatic/kafka'
import { KafkaFailure } from '../client.ts'
import type { KafkaConnection } from '../options.ts'
import type { NodeAddress } from '../routed-client.ts'
import type { Trouble } from '../trouble.ts'

const CONNECT_MS = 3_000

export class NodeConnection {
  readonly #address: NodeAddress
  readonly #options: KafkaConnection
  readonly #requestMs: number
  readonly #trouble: Trouble
  #current: { readonly connection: Connection; readonly connected: Promise<void> } | undefined
  #isClosed = false

  constructor(address: NodeAddress, options: KafkaConnection, requestMs: number, trouble: Trouble) {
    this.#address = address
    this.#options = options
    this.#requestMs = requestMs
    this.#trouble = trouble
  }

  async request<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new KafkaFailure('unreachable', 'CLOSED', 'the client was closed')
    this.#current ??= this.#connect()
    const { connection, connected } = this.#current
    await connected.catch((error) => {
      this.#drop(connection)
      throw this.#tell(explain(error, 'unreachable'))
    })
    try {
      const answer = await ask(connection)
      this.#trouble.answered(this.#address)
      return answer
    } catch (error) {
      const failure = this.#tell(explain(error, 'unanswered'))
      if (!(failure instanceof KafkaFailure) || failure.kind === 'unanswered') this.#drop(connection)
      throw failure
    }
  }

  /** Closes the connection. Requests under way fail. */
  close(): void {
    this.#isClosed = true
    if (this.#current) this.#drop(this.#current.connection)
  }

  #tell(failure: Error): Error {
    if (!this.#isClosed && failure instanceof KafkaFailure && failure.kind !== 'refused')
      this.#trouble.failed(this.#address, failure)
    return failure
  }

  #connect() {
    const { host, port } = this.#address
    const { clientId, tls, sasl } = this.#options
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const connection = new Connection(clientId, {
      connectTimeout: CONNECT_MS,
      requestTimeout: this.#requestMs,
      maxInflights: MAX_IN_FLIGHT,
      ...(tls ? { tls: { ...servername, ...(tls === true ? {} : tls) } } : {}),
      ...(sasl ? { sasl: { ...sasl, mechanism: mechanisms[sasl.mechanism] } } : {}),
    } satisfies ConnectionOptions)
    // Each request reports its own failure. Without a listener, this event would end the process.
    connection.on('error', () => undefined)
    connection.on('close', () => this.#drop(connection))
    return { connection, connected: connection.connect(host, port) as Promise<void> }
  }

  #drop(connection: Connection): void {
    if (this.#current?.connection === connection) this.#current = undefined
    connection.socket?.destroy()
    // This stops the timer that would log in again, also if the node has closed the connection. Nothing waits for the
    // result.
    connection.close(() => undefined)
  }
}

/**
 * Requests under way at a time. The package does not time out the requests that wait beyond this number, so it is never
 * reached.
 */
const MAX_IN_FLIGHT = 1_000_000

const mechanisms = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const

type Thrown = Error & { readonly code?: string; readonly cause?: Thrown }

/**
 * Translates an error of the package. `silence` is the kind of failure if no answer came. Any other error is returned as
 * it is.
 */
function explain(thrown: unknown, silence: 'unreachable' | 'unanswered'): Error {
  if (thrown instanceof KafkaFailure) return thrown
  const chain: Thrown[] = []
  for (let at = thrown as Thrown | undefined; at; at = at.cause) chain.push(at)
  const refusal = chain.find((error) => error instanceof ResponseError)
  const detail = chain.map(({ message }) => message).join(': ')
  if (refusal) return new KafkaFailure('refused', typeOf(refusal), detail, { cause: thrown })
  // Without TLS the package reports "Broker requires TLS." whenever the node closes the connection.
  const isSilence = chain[0]?.code === 'PLT_KFK_NETWORK' || chain[0]?.message === 'Broker requires TLS.'
  // The package throws only Errors.
  if (!isSilence) return thrown as Error
  return new KafkaFailure(silence, silence.toUpperCase(), detail, { cause: thrown })
}

/** The root cause among the errors of one response. */
function typeOf({ errors }: ResponseError): string {
  const types = errors.map((error) => (error as { readonly apiId?: string }).apiId ?? 'UNKNOWN')
  return types.find((type) => !vague.has(type)) ?? types[0] ?? 'UNKNOWN'
}

/** Errors that Kafka gives to records and partitions next to the one that caused the refusal. */
const vague = new Set(['UNKNOWN_SERVER_ERROR', 'OPERATION_NOT_ATTEMPTED'])
