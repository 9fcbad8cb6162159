import { frames, Notice, Ping, PricesError } from '../contracts/frames.ts'
import type { Plan } from '../contracts/resources.ts'
import { GOING_AWAY, type StreamErrorCode, streamErrors, streamLimits } from '../contracts/streams.ts'
import { closeReason } from './close-reason.ts'
import {
  type Effect,
  type Failure,
  initialState,
  type ProtocolInput,
  type ProtocolState,
  type Readers,
  step,
} from './protocol.ts'
import { ReadProgress } from './read-progress.ts'
import { shapeCheck } from './shape.ts'
import { type Feed, frameOf, type Outlet, type Stream } from './stream.ts'

/** The part of a WebSocket that a connection uses. Implemented by uWebSockets.js, and by tests. */
export interface Socket {
  /** 1: sent; 0: queued behind a slow client; 2: dropped. */
  send(frame: Uint8Array, isBinary: boolean): number
  cork(write: () => void): unknown
  ping(payload: string): number
  /** Calls the close handler at once. */
  end(code: number, reason: string): void
  getBufferedAmount(): number
}

/**
 * Waiting bytes beyond which a client is behind. Waiting are the bytes that the socket has not passed on. On a stream that
 * sends the newest values only, they are instead the bytes that the client has not been seen to read.
 */
const SOFT_LIMIT = 256 * 1024
/** Sending to a client that was behind resumes at this many waiting bytes. */
const RESUME_BELOW = 64 * 1024
/**
 * Waiting bytes beyond which uWebSockets.js drops frames. They are never reached: beyond the soft limit there is only the
 * rest of the frame that crossed it, at most MAX_RECORD_BYTES, and a last error message.
 */
export const MAX_BACKPRESSURE = 2 * 1024 * 1024

/**
 * Longest time that a socket stays open after its `end` if the client doesn't close its side, ms. uWebSockets.js derives 16 s
 * from an idle timeout of 120 s, and counts in steps of 4 s.
 */
export const LINGER_MS = 20_000

const READY = frameOf({ type: 'ready' })
const PONG = frameOf({ type: 'pong' })
const DROPPED = 2
const SENT = 1

const readPing = shapeCheck(Ping)

/** Why the server ended a connection. */
export type Ending = StreamErrorCode | 'going_away'

/**
 * The shell around the protocol state of one connection. It carries out the effects that `step` returns, measures the
 * deadlines, and is the outlet that the feed writes to.
 */
export class Connection<S = unknown> implements Outlet {
  readonly #stream: Stream<S>
  readonly #socket: Socket
  /** Ends the socket after the open cork has been written. */
  #endLater: (() => void) | undefined
  #isCorked = false
  #readers: Readers<S>
  #state: ProtocolState = initialState
  #feed: Feed | undefined
  #blocked = false
  #subscribeBy = Number.POSITIVE_INFINITY
  #heartbeatAt = Number.POSITIVE_INFINITY
  #ending: Ending | undefined
  readonly #progress = new ReadProgress()
  readonly #clock: () => number

  /** `clock` gives monotonic milliseconds. */
  constructor(stream: Stream<S>, socket: Socket, clock: () => number) {
    this.#stream = stream
    // Placeholder: no subscribe message is read before `admit` sets the readers of the real plan.
    this.#readers = readersOf(stream, 'free')
    this.#socket = socket
    this.#clock = clock
  }

  /** Why the server ended this connection; undefined if it did not. */
  get ending(): Ending | undefined {
    return this.#ending
  }

  get isOpen(): boolean {
    return this.#state.phase !== 'closed'
  }

  admit(plan: Plan): void {
    this.#readers = readersOf(this.#stream, plan)
    this.take({ type: 'admitted' })
  }

  /**
   * Whether the client has still to read bytes. If the client answers a ping after its socket was closed here, it gets a TCP
   * reset, and loses the bytes that it has not read.
   */
  get isBehind(): boolean {
    return this.isOpen && (this.#progress.isAnswerDue || this.#socket.getBufferedAmount() > 0)
  }

  /** Steps the protocol by one input and carries out the effects. */
  take(input: ProtocolInput): void {
    const [state, effects] = step(this.#state, input, this.#readers)
    this.#state = state
    for (const effect of effects) this.#perform(effect)
    if (state.phase === 'closed') this.#detach()
  }

  /** Called for each WebSocket pong. */
  answered(payload: string): void {
    this.#progress.answered(payload, this.#clock())
    this.drained()
  }

  /** Checks the deadlines. Called several times a second, for many connections at one reading of the clock. */
  tick(now = this.#clock()): void {
    if (!this.#stream.isAvailable()) this.take({ type: 'unavailable' })
    if (now >= this.#subscribeBy) this.take({ type: 'subscribe_overdue' })
    if (this.#progress.isStalled(now)) this.take({ type: 'stalled' })
    if (this.isOpen && now >= this.#heartbeatAt) {
      this.#heartbeatAt += streamLimits.heartbeatEveryMs
      this.take({ type: 'heartbeat_due' })
    }
    if (this.isOpen && this.#progress.isPingDue(now)) this.#ping(now)
    this.drained()
  }

  /** Called when the socket has passed bytes on, or the client has read some. Resumes a feed that was blocked. */
  drained(): void {
    if (!this.#blocked || !this.isOpen || this.#waiting > RESUME_BELOW) return
    this.#blocked = false
    this.#feed?.resume()
  }

  send(frame: Uint8Array): boolean {
    if (!this.isOpen || this.#blocked) return false
    const outcome = this.#write(frame)
    if (this.#progress.isFull) this.#ping(this.#clock())
    if (outcome === SENT && this.#progress.unread <= SOFT_LIMIT) return true
    this.#blocked = outcome === DROPPED || this.#waiting > SOFT_LIMIT
    return !this.#blocked
  }

  cork(write: () => void): void {
    if (!this.isOpen) return
    this.#isCorked = true
    try {
      this.#socket.cork(() => {
        write()
        // A ping that is due goes out in the same packet.
        const now = this.#clock()
        if (this.isOpen && this.#progress.isPingDue(now)) this.#ping(now)
      })
    } finally {
      this.#isCorked = false
      this.#endLater?.()
      this.#endLater = undefined
    }
  }

  fail(code: StreamErrorCode, detail?: string): void {
    this.take({ type: 'failed', code, detail })
  }

  #perform(effect: Effect<S>): void {
    switch (effect.type) {
      case 'ready':
        this.#subscribeBy = this.#clock() + streamLimits.subscribeWithinMs
        this.#write(READY)
        return
      case 'attach':
        this.#subscribeBy = Number.POSITIVE_INFINITY
        this.#heartbeatAt = this.#clock() + streamLimits.heartbeatEveryMs
        this.#attach(effect.subscription)
        return
      case 'pong':
        this.#write(PONG)
        return
      case 'heartbeat':
        // A client that is behind needs no heartbeat: data is waiting for it.
        if (!this.#blocked) this.#write(frameOf({ type: 'heartbeat', as_of: this.#stream.asOf(), ...this.#cursor() }))
        return
      case 'leave':
        this.#leave()
        return
      case 'fail':
        this.#fail(effect)
    }
  }

  #attach(subscription: S): void {
    const feed = this.#stream.attach(this, subscription)
    // Sending the first frames may have ended the connection.
    if (this.isOpen) this.#feed = feed
    else feed.detach()
  }

  /** Errors of the prices stream have a code only, by contract. On every stream the close reason has the detail. */
  #fail({ code, detail, resumeCursor, close = streamErrors[code].close }: Failure): void {
    const isBare = frames[this.#stream.name].server.includes(PricesError)
    // JSON leaves out members that are undefined.
    const more = isBare ? {} : { detail, resume_cursor: resumeCursor ?? this.#feed?.cursor?.() }
    this.#end(code, { type: 'error', code, ...more }, close, closeReason(code, detail))
  }

  /** Tells the client that the server is shutting down: by a notice, or by `unavailable` on prices, which has no notices. */
  #leave(): void {
    if (frames[this.#stream.name].server.includes(Notice)) {
      const notice = { type: 'notice', code: 'going_away', ...this.#cursor(), reconnect_in_ms: RECONNECT_IN_MS }
      this.#end('going_away', notice, GOING_AWAY, 'going_away')
    } else {
      const error = { type: 'error', code: 'unavailable' }
      this.#end(
        'going_away',
        error,
        GOING_AWAY,
        closeReason('unavailable', 'The server is shutting down. Connect again.'),
      )
    }
  }

  #end(ending: Ending, message: object, close: number, reason: string): void {
    this.#ending = ending
    this.#detach()
    this.#write(frameOf(message))
    // uWebSockets.js sends TCP's FIN after the close frame, but not if `end` is called inside `cork`.
    const end = () => this.#socket.end(close, reason)
    if (this.#isCorked) this.#endLater = end
    else end()
  }

  #detach(): void {
    this.#feed?.detach()
    this.#feed = undefined
  }

  /** The member `cursor` of a message, if the stream has cursors. */
  #cursor(): { cursor?: string } {
    const cursor = this.#feed?.cursor?.()
    return cursor === undefined ? {} : { cursor }
  }

  #write(frame: Uint8Array): number {
    this.#progress.sent(frame.length)
    return this.#socket.send(frame, false)
  }

  #ping(now: number): void {
    this.#socket.ping(this.#progress.ping(now))
  }

  get #waiting(): number {
    return this.#stream.sendsNewestOnly ? this.#progress.unread : this.#socket.getBufferedAmount()
  }
}

const RECONNECT_IN_MS = 1_000

/** The readers of a stream's client frames, for a plan. */
const readersOf = <S>(stream: Stream<S>, plan: Plan): Readers<S> => ({
  subscribe: (message) => stream.read(message, plan),
  ping: readPing,
})
