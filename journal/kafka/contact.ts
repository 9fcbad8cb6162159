/**
 * What a broker is to somebody who comes with these settings, found out with bytes of our own: one that wants TLS, a
 * password or a certificate mostly hangs up without a word, which to a client looks like a broker that is just going away.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { KafkaConnection } from './options.ts'
import { addressText, type NodeAddress } from './routed-client.ts'

export type ContactState =
  /** Speaks Kafka with us; whether it lets us in, a client is told in words. */
  | 'answers'
  /** No connection, or no answer. */
  | 'away'
  | 'wants TLS'
  | 'has no TLS'
  /** Its certificate is not of an authority that we know. */
  | 'untrusted'
  /** Its certificate is not for the host that we asked for. */
  | 'other host'
  /** It wants a certificate of ours, or does not take the one that we have. */
  | 'wants a certificate'
  | 'wants a login'

export type Contact = { readonly broker: string; readonly state: ContactState; readonly detail: string }

/** No broker lets us in as we come, and at least one does not because of how we come. */
export class ContactError extends Error {
  override readonly name = 'ContactError'
  readonly contact: Contact
  constructor(contact: Contact) {
    super(`Kafka broker ${contact.broker} ${contact.state}${contact.detail === '' ? '' : ` (${contact.detail})`}`)
    this.contact = contact
  }
}

/**
 * Whether a broker answers; resolves as soon as one does. False: all are away, and may come. Throws ContactError, and what
 * TLS throws for files that it can't use.
 */
export async function meet({
  brokers,
  tls,
  sasl,
}: Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'>): Promise<boolean> {
  if (tls && tls !== true) createSecureContext(tls)
  const contacts: Contact[] = []
  const looks = brokers.map(async (broker) => {
    const found = await contact(broker, { ...(tls && { tls }), ...(sasl && { sasl }) })
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

const PATIENCE_MS = 3_000
const AGAIN_MS = 200

/** Takes some 10 s at most. */
export async function contact(broker: string, options: Pick<KafkaConnection, 'tls' | 'sasl'>): Promise<Contact> {
  const place = addressText(broker)
  const first = await look(place, options)
  if (first.said) return { broker, state: first.state, detail: first.detail }
  // That it hung up says something only if it does so again.
  await sleep(AGAIN_MS)
  const second = await look(place, options)
  const isSame = second.state === first.state
  return { broker, state: isSame || second.said ? second.state : 'away', detail: second.detail }
}

/** `said`: the broker or TLS said so; otherwise it follows from its silence. */
type Look = { readonly state: ContactState; readonly detail: string; readonly said: boolean }

const said = (state: ContactState, error?: unknown): Look => ({ state, detail: reasonOf(error), said: true })
const silent = (state: ContactState, error: unknown): Look => ({ state, detail: reasonOf(error), said: false })

async function look(place: NodeAddress, { tls, sasl }: Pick<KafkaConnection, 'tls' | 'sasl'>): Promise<Look> {
  if (!tls) {
    return visit(openPlain(place), async (line) => {
      const answer = await line.ask(API_VERSIONS).catch((error: Error) => error)
      if (answer instanceof Error) return (await hasTls(place)) ? said('wants TLS') : silent('away', answer)
      if (answer[0] === TLS_ALERT) return said('wants TLS')
      return sasl ? said('answers') : letsIn(line)
    })
  }
  const files = tls === true ? {} : tls
  return visit(openTls(place, files), async (line) => {
    const answer = await line.ask(API_VERSIONS).catch((error: Error) => error)
    // Whoever may come in is told the versions: it doesn't know our certificate, or misses one.
    if (answer instanceof Error)
      return isAlert(answer) ? said('wants a certificate', answer) : silent('wants a certificate', answer)
    return sasl ? said('answers') : letsIn(line)
  }).then(async (found) => {
    const isCut = found.state === 'away' && /before secure|WRONG_VERSION|ECONNRESET/.test(found.detail)
    return isCut && (await speaksPlainly(place)) ? said('has no TLS') : found
  })
}

/** A broker that knows us only after a login ends the connection at the first question. */
const letsIn = (line: Line): Promise<Look> =>
  line.ask(METADATA).then(
    () => said('answers'),
    (error) => silent('wants a login', error),
  )

async function visit(opening: Promise<Socket>, ask: (line: Line) => Promise<Look>): Promise<Look> {
  let socket: Socket
  try {
    socket = await opening
  } catch (error) {
    return whyClosed(error as NodeJS.ErrnoException)
  }
  try {
    return await ask(new Line(socket))
  } finally {
    socket.destroy()
  }
}

function whyClosed(error: NodeJS.ErrnoException): Look {
  const { code = '' } = error
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return said('other host', error)
  if (/^(?:CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_)/.test(code)) return said('untrusted', error)
  return isAlert(error) ? said('wants a certificate', error) : said('away', error)
}

const isAlert = (error: NodeJS.ErrnoException): boolean =>
  /ALERT_(?:BAD_|UNKNOWN_C|.*CERT|.*UNKNOWN_CA|HANDSHAKE)/.test(error.code ?? '')

const hasTls = (place: NodeAddress): Promise<boolean> =>
  opens(openTls(place, { rejectUnauthorized: false })).catch((error) => isAlert(error))

const speaksPlainly = (place: NodeAddress): Promise<boolean> =>
  visit(openPlain(place), async (line) =>
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
  socket.on('error', () => undefined)
  try {
    await once(socket, event, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return socket
  } catch (error) {
    socket.destroy()
    throw (error as Error).name === 'AbortError' ? new Error(`nothing within ${PATIENCE_MS} ms`) : error
  }
}

/** A connection that is asked one thing after the other. */
class Line {
  private readonly socket: Socket

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Resolves with what comes first. Rejects when the connection ends or nothing comes. */
  async ask(request: Buffer): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const late = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    const ended = () => reject(this.socket.errored ?? new Error('it ended the connection'))
    this.socket.once('data', resolve).once('error', reject).once('close', ended)
    if (this.socket.destroyed) ended()
    else this.socket.write(request)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.socket.off('data', resolve).off('error', reject).off('close', ended)
    }
  }
}

/** First byte of a TLS record that says what was wrong (RFC 8446, 5.1). */
const TLS_ALERT = 0x15

/** A Kafka request with the header of version 1 and no client id. Source: https://kafka.apache.org/protocol */
function requestOf(api: number, version: number, body: readonly number[]): Buffer {
  const bytes = Buffer.from([0, 0, 0, 0, 0, api, 0, version, 0, 0, 0, 1, 0xff, 0xff, ...body])
  bytes.writeInt32BE(bytes.length - 4)
  return bytes
}

const API_VERSIONS = requestOf(18, 0, [])
/** Of no topic, and none is to be made. */
const METADATA = requestOf(3, 5, [0, 0, 0, 0, 0])

/** OpenSSL's own words stand in `reason`; in its message they stand between places in its code. */
function reasonOf(error: unknown): string {
  const { errors, reason, message } = (error ?? {}) as Partial<AggregateError> & { readonly reason?: string }
  return reason || message || errors?.[0]?.message || ''
}
