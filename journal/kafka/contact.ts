/**
 * Finds out why a Kafka broker refuses a connection with the given settings. A broker that requires TLS, a password or a
 * certificate usually just closes the connection, and to a Kafka client that looks like a broker that is shutting down.
 * Hence this probe writes a few requests to the socket itself.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { KafkaConnection } from './options.ts'
import { type NodeAddress, parseAddress } from './routed-client.ts'

export type ContactState =
  /** The broker answers Kafka requests. Whether it accepts the login, it tells a client in an error of its own. */
  | 'answers'
  /** There is no connection, or no answer. */
  | 'away'
  | 'wants TLS'
  | 'has no TLS'
  /** The broker's certificate is not signed by a trusted authority. */
  | 'untrusted'
  /** The broker's certificate is for another host name. */
  | 'other host'
  /** The broker requires a client certificate, or does not accept the one that was sent. */
  | 'wants a certificate'
  | 'wants a login'

export type Contact = { readonly broker: string; readonly state: ContactState; readonly detail: string }

/** Thrown if no broker can be used, and at least one refuses the connection because of the settings. */
export class ContactError extends Error {
  override readonly name = 'ContactError'
  readonly contact: Contact
  constructor(contact: Contact) {
    super(`Kafka broker ${contact.broker} ${contact.state}${contact.detail === '' ? '' : ` (${contact.detail})`}`)
    this.contact = contact
  }
}

/**
 * Resolves with true as soon as one broker answers, and with false if none can be reached (they may come up later). Throws
 * ContactError, and the error of TLS for certificate files that cannot be used.
 */
export async function probeBrokers({
  brokers,
  tls,
  sasl,
}: Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'>): Promise<boolean> {
  if (tls && tls !== true) createSecureContext(tls)
  const contacts: Contact[] = []
  const looks = brokers.map(async (broker) => {
    const found = await probeBroker(broker, { ...(tls && { tls }), ...(sasl && { sasl }) })
    contacts.push(found)
    if (found.state !== 'answers') throw found
  })
  const isMet = await Promise.any(looks).then(
    () => true,
    () => false,
  )
  if (isMet) return true
  const refusal = contacts.find(({ state }) => state !== 'away')
  if (refusal) throw new ContactError(refusal)
  return false
}

const BROKER_PROBE_TIMEOUT_MS = 3_000
const SECOND_PROBE_AFTER_MS = 200

/** Probes one broker. Takes about 10 s at most. */
export async function probeBroker(broker: string, options: Pick<KafkaConnection, 'tls' | 'sasl'>): Promise<Contact> {
  const address = parseAddress(broker)
  const first = await probe(address, options)
  if (first.said) return { broker, state: first.state, detail: first.detail }
  // A closed connection may be chance, so it counts only if the second probe ends the same way.
  await sleep(SECOND_PROBE_AFTER_MS)
  const second = await probe(address, options)
  const isSame = second.state === first.state
  return { broker, state: isSame || second.said ? second.state : 'away', detail: second.detail }
}

/** `said`: the broker or TLS reported the state. Otherwise it is inferred from a closed connection or a missing answer. */
type Look = { readonly state: ContactState; readonly detail: string; readonly said: boolean }

const said = (state: ContactState, error?: unknown): Look => ({ state, detail: reasonOf(error), said: true })
const silent = (state: ContactState, error: unknown): Look => ({ state, detail: reasonOf(error), said: false })

async function probe(address: NodeAddress, { tls, sasl }: Pick<KafkaConnection, 'tls' | 'sasl'>): Promise<Look> {
  if (!tls) {
    return withSocket(openPlain(address), async (line) => {
      const answer = await line.ask(API_VERSIONS).catch((error: Error) => error)
      if (answer instanceof Error) return (await hasTls(address)) ? said('wants TLS') : silent('away', answer)
      if (answer[0] === TLS_ALERT) return said('wants TLS')
      return sasl ? said('answers') : askForMetadata(line)
    })
  }
  const files = tls === true ? {} : tls
  return withSocket(openTls(address, files), async (line) => {
    const answer = await line.ask(API_VERSIONS).catch((error: Error) => error)
    // A broker tells its versions to every client that it admits. So it lacks a certificate, or rejects the one it got.
    if (answer instanceof Error)
      return isAlert(answer) ? said('wants a certificate', answer) : silent('wants a certificate', answer)
    return sasl ? said('answers') : askForMetadata(line)
  }).then(async (found) => {
    const isCut = found.state === 'away' && /before secure|WRONG_VERSION|ECONNRESET/.test(found.detail)
    return isCut && (await speaksPlainly(address)) ? said('has no TLS') : found
  })
}

/** Asks for metadata. A broker that requires a login closes the connection at this request. */
const askForMetadata = (line: Line): Promise<Look> =>
  line.ask(METADATA).then(
    () => said('answers'),
    (error) => silent('wants a login', error),
  )

async function withSocket(opening: Promise<Socket>, ask: (line: Line) => Promise<Look>): Promise<Look> {
  let socket: Socket
  try {
    socket = await opening
  } catch (error) {
    // Node's sockets reject with a system error or an error of TLS; both have a code.
    return stateOfFailure(error as NodeJS.ErrnoException)
  }
  try {
    return await ask(new Line(socket))
  } finally {
    socket.destroy()
  }
}

function stateOfFailure(error: NodeJS.ErrnoException): Look {
  const { code = '' } = error
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return said('other host', error)
  if (/^(?:CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_)/.test(code)) return said('untrusted', error)
  return isAlert(error) ? said('wants a certificate', error) : said('away', error)
}

const isAlert = (error: NodeJS.ErrnoException): boolean =>
  /ALERT_(?:BAD_|UNKNOWN_C|.*CERT|.*UNKNOWN_CA|HANDSHAKE)/.test(error.code ?? '')

const hasTls = (address: NodeAddress): Promise<boolean> =>
  opens(openTls(address, { rejectUnauthorized: false })).catch((error) => isAlert(error))

const speaksPlainly = (address: NodeAddress): Promise<boolean> =>
  withSocket(openPlain(address), async (line) =>
    line.ask(API_VERSIONS).then(
      (answer) => (answer[0] === TLS_ALERT ? silent('away', 'an alert') : said('answers')),
      (error) => silent('away', error),
    ),
  ).then(({ state }) => state === 'answers')

async function opens(opening: Promise<Socket>): Promise<boolean> {
  ;(await opening).destroy()
  return true
}

async function openPlain({ host, port }: NodeAddress): Promise<Socket> {
  return opened(connect({ host, port }), 'connect')
}

async function openTls({ host, port }: NodeAddress, files: object): Promise<TLSSocket> {
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  return opened(tlsConnect({ host, port, ...name, ...files }), 'secureConnect')
}

async function opened<S extends Socket>(socket: S, event: string): Promise<S> {
  // `once` below and `Line.ask` report the errors. Without a listener, a later error would end the process.
  socket.on('error', () => undefined)
  try {
    await once(socket, event, { signal: AbortSignal.timeout(BROKER_PROBE_TIMEOUT_MS) })
    return socket
  } catch (error) {
    socket.destroy()
    throw (error as Error).name === 'AbortError'
      ? new Error(`no connection within ${BROKER_PROBE_TIMEOUT_MS} ms`)
      : error
  }
}

/** A connection for requests that are sent one after the other. */
class Line {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Sends a request and resolves with the first bytes that arrive. Rejects if the connection ends or times out. */
  async ask(request: Buffer): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const timer = setTimeout(
      () => reject(new Error(`no answer within ${BROKER_PROBE_TIMEOUT_MS} ms`)),
      BROKER_PROBE_TIMEOUT_MS,
    )
    const ended = () => reject(this.#socket.errored ?? new Error('the broker closed the connection'))
    this.#socket.once('data', resolve).once('error', reject).once('close', ended)
    if (this.#socket.destroyed) ended()
    else this.#socket.write(request)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#socket.off('data', resolve).off('error', reject).off('close', ended)
    }
  }
}

/** First byte of a TLS alert record (RFC 8446, 5.1). */
const TLS_ALERT = 0x15

/** A Kafka request with the header of version 1 and no client id. Source: https://kafka.apache.org/protocol */
function requestOf(api: number, version: number, body: readonly number[]): Buffer {
  const bytes = Buffer.from([0, 0, 0, 0, 0, api, 0, version, 0, 0, 0, 1, 0xff, 0xff, ...body])
  bytes.writeInt32BE(bytes.length - 4)
  return bytes
}

const API_VERSIONS = requestOf(18, 0, [])
/** Metadata request for no topics, with auto-creation off. */
const METADATA = requestOf(3, 5, [0, 0, 0, 0, 0])

/** Text of an error. OpenSSL's `reason` is used where there is one, because its message is full of locations in its source. */
function reasonOf(error: unknown): string {
  const { errors, reason, message } = (error ?? {}) as Partial<AggregateError> & { readonly reason?: string }
  return reason || message || errors?.[0]?.message || ''
}
