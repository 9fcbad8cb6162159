import { WebSocket } from 'ws'
import type { ReceivedEvent } from '../judge/events.ts'
import { sleep } from '../wait.ts'
import type { Rest } from './rest.ts'

type Message = {
  readonly type: string
  readonly code?: string
  readonly cursor?: string
  readonly event?: {
    readonly sequence: string
    readonly id: string
    readonly subject: string
    readonly data: unknown
    readonly cursor: string
  }
}

/** Refusals that pass by themselves. Any other ends the run: the client has done nothing wrong. */
const passing = new Set(['unavailable', 'stream_limit', 'quota_unavailable', 'revoked', 'slow_consumer'])
const RECONNECT_MS = 300
/** A connection that says nothing for so long is given up, as by a client behind a network that swallows packets. */
const SILENCE_MS = 40_000

export type SubscriberOptions = {
  readonly url: string
  readonly key: string
  readonly rest: Rest
  /** Ends each connection by itself after so long, drawn anew each time; undefined: never. */
  readonly leaveAfterMs?: () => number
}

/** A client of the events stream that resumes at its cursor, through every outage. */
export class Subscriber {
  readonly received: ReceivedEvent[] = []
  /** Answers that the service must never give. */
  readonly violations: string[] = []
  connections = 0
  /** How often the service ended a connection with each code. */
  readonly endings = new Map<string, number>()
  readonly #options: SubscriberOptions
  readonly #done: Promise<void>
  #cursor = 'earliest'
  #isClosed = false
  #socket: WebSocket | undefined

  constructor(options: SubscriberOptions) {
    this.#options = options
    this.#done = this.#run()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socket?.terminate()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#connection()
      if (!this.#isClosed) await sleep(RECONNECT_MS)
    }
  }

  /** One connection, from handshake to end. Never rejects. */
  #connection(): Promise<void> {
    const { url, key, rest, leaveAfterMs } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = new WebSocket(`${url}/v1/events/stream`, { headers: { authorization: `Bearer ${key}` } })
    this.#socket = socket
    let hasOpened = false
    let isReady = false
    const leaving = leaveAfterMs ? setTimeout(() => socket.terminate(), leaveAfterMs()) : undefined
    let silence = setTimeout(() => socket.terminate(), SILENCE_MS)
    socket.on('open', () => {
      hasOpened = true
    })
    socket.on('message', (bytes) => {
      clearTimeout(silence)
      silence = setTimeout(() => socket.terminate(), SILENCE_MS)
      const message = JSON.parse(String(bytes)) as Message
      if (message.type === 'ready') {
        isReady = true
        this.connections++
        rest.countStream('granted')
        socket.send(JSON.stringify({ action: 'subscribe', cursor: this.#cursor }))
      } else this.#take(message)
    })
    // `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(leaving)
      clearTimeout(silence)
      if (hasOpened && !isReady) rest.countStream('uncertain')
      resolve()
    })
    return promise
  }

  #take({ type, code = '', cursor, event }: Message): void {
    if (type === 'error') this.endings.set(code, (this.endings.get(code) ?? 0) + 1)
    if (type === 'error' && !passing.has(code)) {
      this.violations.push(`the events stream ended a subscriber with ${code}`)
      this.#isClosed = true
    }
    if (event) {
      const { id, subject, data } = event
      this.received.push({ sequence: Number(event.sequence), id, subject, data })
    }
    this.#cursor = event?.cursor ?? cursor ?? this.#cursor
  }
}
