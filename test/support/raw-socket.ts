import { connect, type Socket } from 'node:net'
import { onTestFinished } from './concurrent.ts'
import { until } from './journal.ts'

/** A TCP client that does nothing by itself: it answers no close frame and doesn't close its side when the server does. */
export class RawSocket {
  readonly socket: Socket
  /** Everything received, a character a byte. */
  received = ''
  /** When the server's FIN came, monotonic ms. */
  finAt: number | undefined
  /** The connection is no more: closed by both, or reset. */
  isGone = false
  /** Words of the system about it. */
  fault: string | undefined

  constructor(port: number, { from }: { from?: string } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, ...(from ? { localAddress: from } : {}) })
    this.socket.on('data', (data) => (this.received += data.toString('latin1')))
    this.socket.on('end', () => (this.finAt = performance.now()))
    this.socket.on('close', () => (this.isGone = true))
    this.socket.on('error', (error: NodeJS.ErrnoException) => (this.fault = error.code))
    onTestFinished(() => void this.socket.destroy())
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** Waits until it has received this text. */
  async seen(text: string): Promise<this> {
    await until(`${JSON.stringify(text)} is received`, () => this.received.includes(text) || this.isOver)
    if (!this.received.includes(text)) throw new Error(`instead of ${text} came ${this.received} ${this.fault ?? ''}`)
    return this
  }

  /** Waits until the server has closed its side, or the whole connection. */
  async ended(): Promise<this> {
    await until('the server closes the connection', () => this.isOver)
    return this
  }

  get isOver(): boolean {
    return this.isGone || this.finAt !== undefined
  }

  /** The first line received. */
  get statusLine(): string {
    return this.received.slice(0, this.received.indexOf('\r\n'))
  }

  /** The body of the answer, as JSON. */
  get body(): unknown {
    return JSON.parse(this.received.slice(this.received.indexOf('\r\n\r\n') + 4))
  }
}

/** A client's frame of up to 125 bytes (RFC 6455, 5.2); `first` is its first byte. */
export function maskedFrame(first: number, payload: Uint8Array): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const masked = Buffer.from(payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)))
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length]), mask, masked])
}

export const textFrame = (text: string): Buffer => maskedFrame(0x81, Buffer.from(text))

/** A client's close frame with code 1000. */
export const closeFrame = Buffer.from([0x88, 0x82, 1, 2, 3, 4, 0x03 ^ 1, 0xe8 ^ 2])

/** A WebSocket handshake; `change` replaces, adds (several with a list) or, with null, leaves out headers. */
export function handshake(
  path: string,
  change: Readonly<Record<string, string | readonly string[] | null>> = {},
  requestLine = `GET ${path} HTTP/1.1`,
): string {
  const headers: Record<string, string | readonly string[] | null> = {
    Host: 'streams.test',
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...change,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((each) => `${name}: ${each}`),
  )
  return `${[requestLine, ...lines].join('\r\n')}\r\n\r\n`
}
