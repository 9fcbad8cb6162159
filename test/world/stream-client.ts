import { type Feed, isRefusal, type Outlet } from '../../streams/stream.ts'
import type { ReceivedEvent, StreamHistory, StreamSpan } from './evidence.ts'
import type { WorldNode } from './node.ts'

type Told = {
  readonly type: string
  readonly cursor?: string
  readonly event?: Omit<ReceivedEvent, 'sequence' | 'receivedAt'> & {
    readonly sequence: string
    readonly cursor: string
  }
}

export type StreamClientOptions = {
  readonly name: string
  readonly start: 'earliest' | 'latest'
  readonly countries: readonly string[] | null
  readonly types: readonly string[] | null
  readonly now: () => number
  /** Whether the client reads no further after a frame, until `read` is called. */
  readonly isFull: () => boolean
  /** Called for each frame. */
  readonly onFrame: (frame: Uint8Array) => void
  /** Called for a message that no client of the world may get. */
  readonly onFailure: (text: string) => void
}

/** A client of the events stream. It stores the cursor of what it has received, and connects again with it, to any node. */
export class StreamClient {
  readonly history: StreamHistory
  readonly #options: StreamClientOptions
  readonly #spans: StreamSpan[] = []
  #cursor: string | undefined
  #from: StreamSpan['from']
  #connection: Connection | undefined
  /** The journal was restored since the cursor was given. `known`: the client has events that the restored one does not have. */
  #restored: 'perhaps' | 'known' | undefined

  constructor(options: StreamClientOptions) {
    const { name, countries, types, start } = options
    this.#options = options
    this.#from = start
    this.history = { client: name, countries, types, spans: this.#spans }
  }

  get node(): WorldNode | undefined {
    return this.#connection?.node
  }

  /** Reads on, if it had stopped reading. */
  read(): void {
    this.#connection?.read()
  }

  /** Connects to a node, if it takes subscriptions. */
  connect(node: WorldNode): void {
    const { stream } = node
    if (!stream?.isAvailable()) return
    const { countries, types, now, onFailure } = this.#options
    const cursor = this.#cursor ?? this.#from
    const asked = { action: 'subscribe', cursor, ...(countries && { countries }), ...(types && { types }) }
    const subscription = stream.read(asked, 'pro')
    if (isRefusal(subscription)) {
      if (subscription.refused === 'cursor_expired') this.#expired(subscription.resumeCursor)
      else if (subscription.refused === 'cursor_superseded' && this.#restored)
        this.#superseded(subscription.resumeCursor)
      else if (subscription.refused !== 'unavailable')
        onFailure(`${this.history.client} is refused: ${subscription.refused}`)
      return
    }
    if (this.#restored === 'known') onFailure(`${this.history.client} goes on from a cursor of another history`)
    this.#restored = undefined
    const span: StreamSpan = { from: this.#from, askedAt: now(), confirmedAt: undefined, events: [] }
    this.#spans.push(span)
    const connection = new Connection(this, node, span)
    this.#connection = connection
    connection.feed = stream.attach(connection, subscription)
  }

  /** Cuts the connection. The node notices it in its own time. */
  leave(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  /** The journal was replaced by a backup, which has the events before the sequence `event`. */
  restored(event: number): void {
    this.#restored ??= 'perhaps'
    for (const { events } of this.#spans) {
      const own = events.filter(({ sequence }) => sequence < event)
      if (own.length < events.length) this.#restored = 'known'
      events.splice(0, events.length, ...own)
    }
  }

  take(frame: Uint8Array, span: StreamSpan): boolean {
    const { now, isFull, onFrame } = this.#options
    onFrame(frame)
    // Cast: a frame of the stream.
    const told = JSON.parse(Buffer.from(frame).toString()) as Told
    if (told.event) {
      const { sequence, cursor, id, type, family, country, subject, data } = told.event
      span.events.push({ sequence: Number(sequence), id, type, family, country, subject, data, receivedAt: now() })
      this.#cursor = cursor
    } else if (told.cursor !== undefined) this.#cursor = told.cursor
    span.confirmedAt ??= now()
    if (this.#cursor !== undefined) this.#from = 'cursor'
    return !isFull()
  }

  ended(connection: Connection, code: string): void {
    if (connection !== this.#connection) return
    const cursor = connection.feed?.cursor?.()
    this.#connection = undefined
    if (code === 'cursor_expired') this.#expired(cursor)
    else if (code !== 'unavailable') this.#options.onFailure(`${this.history.client} is ended: ${code}`)
  }

  /** Goes on where the two histories have parted: it misses nothing of this one. */
  #superseded(cursor: string | undefined): void {
    this.#restored = undefined
    this.#cursor = cursor
    this.#from = 'cursor'
  }

  #expired(cursor: string | undefined): void {
    if (cursor === undefined) this.#options.onFailure(`${this.history.client} has no cursor to go on from`)
    this.#cursor = cursor
    this.#from = 'expired'
  }
}

class Connection implements Outlet {
  readonly node: WorldNode
  readonly #client: StreamClient
  readonly #span: StreamSpan
  feed: Feed | undefined
  #isOpen = true
  #isFull = false

  constructor(client: StreamClient, node: WorldNode, span: StreamSpan) {
    this.#client = client
    this.node = node
    this.#span = span
  }

  send(frame: Uint8Array): boolean {
    if (!this.#isOpen) return true
    this.#isFull = !this.#client.take(frame, this.#span)
    return !this.#isFull
  }

  cork(write: () => void): void {
    write()
  }

  fail(code: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#client.ended(this, code)
  }

  read(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.node.time.soon(() => this.#isOpen && this.feed?.resume())
  }

  close(): void {
    this.#isOpen = false
    this.node.time.soon(() => this.feed?.detach())
  }
}
