/**
 * The client that loads every server of the streams bench alike, a process of its own: plain sockets, a handshake by hand,
 * and frames counted by their headers, so that it takes little of the machine.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerTo } from './streams-process.ts'

type Connect = {
  readonly port: number
  readonly path: string
  readonly count: number
  /** What each connection subscribes to; several are taken in turns. */
  readonly subscribe: object | null | readonly object[]
  /** API keys, taken in turns. A server of the bench asks for none. */
  readonly keys?: readonly string[]
}

const AT_ONCE = 100
const TEXT = 0x81
const PING = 0x89
/** A pong with a mask of noughts, before its payload. */
const PONG = 0x8a
const handshakeEnd = Buffer.from('\r\n\r\n')
const stamp = Buffer.from('"sent_us":')

/** One for all sockets: a chunk is counted before the next is read. */
const buffer = Buffer.allocUnsafe(256 * 1024)
const connections = new Set<Connection>()
let frames = 0
let lost = 0
let latencies: number[] | undefined
let waiting: { readonly frames: number; readonly resolve: () => void } | undefined

class Connection {
  readonly socket: Socket
  #isOpen = false
  #opened = () => {}
  /** Bytes of the frame under way that are still to come, and what has come of a header that is not whole. */
  #missing = 0
  #rest: Buffer | undefined

  constructor(port: number) {
    const callback = (size: number, chunk: Uint8Array) => {
      this.#take(chunk as Buffer, size)
      return true
    }
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      if (connections.delete(this)) lost++
    })
  }

  async open(path: string, subscribe: object | null, key: string): Promise<void> {
    connections.add(this)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#opened = resolve
    const lines = [`GET ${path} HTTP/1.1`, 'host: bench', 'connection: upgrade', 'upgrade: websocket']
    lines.push(
      'sec-websocket-version: 13',
      'sec-websocket-key: YWxtYW5hYyBiZW5jaCAxMg==',
      `authorization: Bearer ${key}`,
    )
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await Promise.race([promise, once(this.socket, 'close').then(() => Promise.reject(new Error('refused')))])
    if (subscribe) this.socket.write(maskedFrame(JSON.stringify(subscribe)))
  }

  #take(chunk: Buffer, size: number): void {
    if (this.#isOpen) {
      this.#count(chunk, size)
      return
    }
    const end = chunk.subarray(0, size).indexOf(handshakeEnd)
    if (end < 0 || !chunk.toString('latin1', 0, 12).endsWith(' 101')) throw new Error('the handshake was refused')
    this.#isOpen = true
    this.#opened()
    this.#count(Buffer.from(chunk.subarray(end + 4, size)), size - end - 4)
  }

  /** Counts the text frames that begin in a chunk. */
  #count(chunk: Buffer, size: number): void {
    if (this.#rest) {
      const whole = Buffer.concat([this.#rest, chunk.subarray(0, size)])
      this.#rest = undefined
      this.#count(whole, whole.length)
      return
    }
    let at = this.#missing
    while (at + 2 <= size) {
      const short = (chunk[at + 1] as number) & 0x7f
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      if (at + header > size) break
      const length = short < 126 ? short : short === 126 ? chunk.readUInt16BE(at + 2) : chunk.readUInt32BE(at + 6)
      if (chunk[at] === TEXT) frames++
      if (chunk[at] === PING) {
        if (at + header + length > size) break
        const pong = [PONG, 0x80 | length, 0, 0, 0, 0, ...chunk.subarray(at + header, at + header + length)]
        this.socket.write(Buffer.from(pong))
      }
      if (latencies && at + header + length <= size) timed(chunk.subarray(at + header, at + header + length), latencies)
      at += header + length
    }
    this.#missing = Math.max(at - size, 0)
    if (at < size) this.#rest = Buffer.from(chunk.subarray(at, size))
    if (waiting && frames >= waiting.frames) waiting.resolve()
  }
}

/** How long a frame that says when it was made took, in milliseconds; both processes read the machine's one clock. */
function timed(frame: Buffer, times: number[]): void {
  const at = frame.indexOf(stamp)
  if (at < 0) return
  const sent = Number.parseInt(frame.toString('latin1', at + stamp.length, at + stamp.length + 20), 10)
  times.push((Number(process.hrtime.bigint()) / 1_000 - sent) / 1_000)
}

/** A client's frame; a mask of noughts is a mask. */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const header =
    payload.length < 126
      ? Buffer.from([TEXT, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([TEXT, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([header, payload])
}

answerTo({
  async connect({ port, path, count, subscribe, keys = ['bench'] }: Connect) {
    for (let made = 0; made < count; made += AT_ONCE) {
      const some = Math.min(AT_ONCE, count - made)
      const subscribeOf = (n: number) => (Array.isArray(subscribe) ? subscribe[n % subscribe.length] : subscribe)
      const keyOf = (n: number) => keys[n % keys.length] ?? ''
      const open = (n: number) => new Connection(port).open(path, subscribeOf(n), keyOf(n))
      await Promise.all(Array.from({ length: some }, (_, n) => open(made + n)))
    }
    return { open: connections.size }
  },
  /** Answers when so many frames have come since the last `reset`. */
  async received({ count }: { count: number }) {
    if (frames < count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting = { frames: count, resolve }
      await promise
      waiting = undefined
    }
    if (lost > 0) throw new Error(`${lost} connections were lost`)
    return { frames }
  },
  reset({ timed: isTimed = false }: { timed?: boolean }) {
    frames = 0
    latencies = isTimed ? [] : undefined
    return {}
  },
  frames: () => ({ frames, lost }),
  latencies() {
    const sorted = Float64Array.from(latencies ?? []).sort()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
    return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
  },
  disconnect() {
    const leaving = [...connections]
    connections.clear()
    for (const { socket } of leaving) socket.destroy()
    return {}
  },
})
