import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FeedConnection, SentTick } from '../judge/ticks.ts'

/** They share two partitions of the journal: reading a partition takes a command a round. */
export const feedSymbols = ['XAU-USD', 'EUR-USD', 'WTI-USD', 'WHEAT-USD'] as const
const EVERY_MS = 50
const AT_ONCE = 4

/** A vendor's price feed on loopback. It numbers its ticks: each has a price of its own, and a time of its own. */
export class FeedServer {
  readonly connections: { ticks: SentTick[]; isOpen: boolean }[] = []
  readonly #server: WebSocketServer
  readonly #timer: NodeJS.Timeout
  readonly #now: () => number
  #current: WebSocket | undefined
  #number = 0
  #lastMs = 0
  #isPaused = false

  static async open(now: () => number): Promise<FeedServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    return new FeedServer(server, now)
  }

  private constructor(server: WebSocketServer, now: () => number) {
    this.#server = server
    this.#now = now
    server.on('connection', (socket) => this.#connected(socket))
    this.#timer = setInterval(() => this.send(), EVERY_MS)
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/prices`
  }

  get sent(): readonly FeedConnection[] {
    return this.connections
  }

  get hasConnection(): boolean {
    return this.#current !== undefined
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
  }

  #connected(socket: WebSocket): void {
    const connection = { ticks: [] as SentTick[], isOpen: true }
    this.connections.push(connection)
    this.#current = socket
    // `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      connection.isOpen = false
      if (this.#current === socket) this.#current = undefined
    })
  }

  /** Sends some ticks, as the feed does by itself again and again. */
  send(): void {
    const connection = this.connections.at(-1)
    if (this.#isPaused || !this.#current || !connection?.isOpen) return
    for (let i = 0; i < AT_ONCE; i++) {
      const tick = this.#next()
      connection.ticks.push(tick)
      this.#current.send(JSON.stringify({ symbol: tick.symbol, price: tick.price, time: tick.observedAt }))
    }
  }

  #next(): SentTick {
    const number = ++this.#number
    const symbol = feedSymbols[number % feedSymbols.length] as string
    // Goes forward by at least a millisecond, except where the clock was set back.
    const now = this.#now()
    this.#lastMs = Math.abs(now - this.#lastMs) > 60_000 ? now : Math.max(now, this.#lastMs + 1)
    return {
      symbol,
      price: `100.${String(number).padStart(8, '0')}1`,
      observedAt: new Date(this.#lastMs).toISOString(),
    }
  }
}
