import { connect, type Socket } from 'node:net'
import { onTestFinished } from './concurrent.ts'
import { handshake, maskedFrame } from './raw-socket.ts'

const EVERY_MS = 50
const PING = 0x9
const CLOSE = 0x8

/** A WebSocket client that takes so many bytes a second off its socket, steadily, and answers the pings among them. */
export class SlowReader {
  readonly socket: Socket
  /** Bytes read of messages. */
  read = 0
  pings = 0
  closed: { readonly code: number; readonly reason: string } | undefined
  #rest = Buffer.alloc(0)
  #isOpen = false
  #opened = Promise.withResolvers<void>()

  constructor(port: number, path: string, bytesPerSecond: number) {
    const buffer = Buffer.alloc((bytesPerSecond * EVERY_MS) / 1_000)
    const callback = (size: number) => {
      this.#take(buffer.subarray(0, size))
      // Until the next turn of the timer; the handshake is read at once.
      return !this.#isOpen
    }
    this.socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } })
    this.socket.on('error', () => undefined)
    this.socket.write(handshake(path, { Authorization: 'Bearer TEST' }))
    const reading = setInterval(() => this.socket.resume(), EVERY_MS)
    onTestFinished(() => {
      clearInterval(reading)
      this.socket.destroy()
    })
  }

  async subscribe(): Promise<this> {
    await this.#opened.promise
    this.socket.write(maskedFrame(0x81, Buffer.from('{"action":"subscribe"}')))
    return this
  }

  #take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    if (!this.#isOpen) {
      const end = this.#rest.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#isOpen = true
      this.#rest = this.#rest.subarray(end + 4)
      this.#opened.resolve()
    }
    for (let frame = this.#next(); frame; frame = this.#next()) this.#see(frame.opcode, frame.payload)
  }

  #see(opcode: number, payload: Buffer): void {
    if (opcode === PING) {
      this.pings++
      this.socket.write(maskedFrame(0x8a, payload))
    } else if (opcode === CLOSE) {
      this.closed = { code: payload.readUInt16BE(0), reason: payload.toString('utf8', 2) }
    } else this.read += payload.length
  }

  /** The next frame, once it has come whole. */
  #next(): { readonly opcode: number; readonly payload: Buffer } | undefined {
    const rest = this.#rest
    if (rest.length < 2) return undefined
    const short = rest[1] as number
    const header = short < 126 ? 2 : short === 126 ? 4 : 10
    if (rest.length < header) return undefined
    const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
    if (rest.length < header + length) return undefined
    this.#rest = rest.subarray(header + length)
    return { opcode: (rest[0] as number) & 0xf, payload: rest.subarray(header, header + length) }
  }
}
