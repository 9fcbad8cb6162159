/** One connection to a Kafka node, made at the first request and anew after any failure. */
import { isIP } from 'node:net'
import { Connection, type ConnectionOptions, ResponseError } from '@platformatic/kafka'
import { KafkaFailure } from '../client.ts'
import type { KafkaConnection } from '../options.ts'
import type { NodeAddress } from '../routed-client.ts'
import type { Trouble } from '../trouble.ts'

const CONNECT_MS = 3_000

export class NodeConnection {
  private readonly place: NodeAddress
  private readonly options: KafkaConnection
  private readonly requestMs: number
  private readonly trouble: Trouble
  private current: { readonly connection: Connection; readonly connected: Promise<void> } | undefined
  private isClosed = false

  constructor(place: NodeAddress, options: KafkaConnection, requestMs: number, trouble: Trouble) {
    this.place = place
    this.options = options
    this.requestMs = requestMs
    this.trouble = trouble
  }

  async request<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new KafkaFailure('unreachable', 'CLOSED', 'the client was closed')
    this.current ??= this.connect()
    const { connection, connected } = this.current
    await connected.catch((error) => {
      this.drop(connection)
      throw this.tell(explain(error, 'unreachable'))
    })
    try {
      const answer = await ask(connection)
      this.trouble.answered(this.place)
      return answer
    } catch (error) {
      const failure = this.tell(explain(error, 'unanswered'))
      if (!(failure instanceof KafkaFailure) || failure.kind === 'unanswered') this.drop(connection)
      throw failure
    }
  }

  /** What is under way fails. */
  close(): void {
    this.isClosed = true
    if (this.current) this.drop(this.current.connection)
  }

  private tell(failure: Error): Error {
    if (!this.isClosed && failure instanceof KafkaFailure && failure.kind !== 'refused')
      this.trouble.failed(this.place, failure)
    return failure
  }

  private connect() {
    const { host, port } = this.place
    const { clientId, tls, sasl } = this.options
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const connection = new Connection(clientId, {
      connectTimeout: CONNECT_MS,
      requestTimeout: this.requestMs,
      maxInflights: MAX_IN_FLIGHT,
      ...(tls ? { tls: { ...servername, ...(tls === true ? {} : tls) } } : {}),
      ...(sasl ? { sasl: { ...sasl, mechanism: mechanisms[sasl.mechanism] } } : {}),
    } satisfies ConnectionOptions)
    // The failures themselves reach whoever waits for an answer; with nobody listening this event ends the process.
    connection.on('error', () => undefined)
    connection.on('close', () => this.drop(connection))
    return { connection, connected: connection.connect(host, port) as Promise<void> }
  }

  private drop(connection: Connection): void {
    if (this.current?.connection === connection) this.current = undefined
    connection.socket?.destroy()
    // Only this stops the timer that would log in again, also where the node has ended the connection.
    connection.close(() => undefined)
  }
}

/** The package sends no more at once; what waits behind that would not be under its time limit. */
const MAX_IN_FLIGHT = 1_000_000

const mechanisms = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const

type Thrown = Error & { readonly code?: string; readonly cause?: Thrown }

/** `silence`: what no answer means at this point. Anything that is not about the connection or the answer stays as it is. */
function explain(thrown: unknown, silence: 'unreachable' | 'unanswered'): Error {
  if (thrown instanceof KafkaFailure) return thrown
  const chain: Thrown[] = []
  for (let at = thrown as Thrown | undefined; at; at = at.cause) chain.push(at)
  const refusal = chain.find((error) => error instanceof ResponseError)
  const detail = chain.map(({ message }) => message).join(': ')
  if (refusal) return new KafkaFailure('refused', typeOf(refusal), detail, { cause: thrown })
  // The node hung up, which it says to whoever comes without TLS.
  const isSilence = chain[0]?.code === 'PLT_KFK_NETWORK' || chain[0]?.message === 'Broker requires TLS.'
  if (!isSilence) return thrown as Error
  return new KafkaFailure(silence, silence.toUpperCase(), detail, { cause: thrown })
}

/** Of several errors in an answer that which is to blame for the others. */
function typeOf({ errors }: ResponseError): string {
  const types = errors.map((error) => (error as { readonly apiId?: string }).apiId ?? 'UNKNOWN')
  return types.find((type) => !vague.has(type)) ?? types[0] ?? 'UNKNOWN'
}

/** What stands at single records that are not the cause, and at partitions beside one that was refused. */
const vague = new Set(['UNKNOWN_SERVER_ERROR', 'OPERATION_NOT_ATTEMPTED'])
