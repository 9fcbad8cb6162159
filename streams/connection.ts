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

/** What a connection needs of its WebSocket; uWebSockets.js’s, or a test’s. */
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
 * Waiting bytes beyond which a client is behind; what is left to `MAX_BACKPRESSURE` is room for a last error message. Bytes
 * wait that the socket hasn't passed on and, where a stream sends the newest only, those that the client hasn't read.
 */
const SOFT_LIMIT = 256 * 1024
/** Waiting bytes at which a client that was behind is sent to again. */
const RESUME_BELOW = 64 * 1024
/**
 * Waiting bytes beyond which uWebSockets.js drops frames: never reached, since nothing is sent beyond the soft limit but the
 * last frame, which is no longer than a record can be (MAX_RECORD_BYTES), and an error message.
 */
export const MAX_BACKPRESSURE = 2 * 1024 * 1024

/**
 * Longest that a socket stays open after its `end`, ms, where the client doesn't close its side: uWebSockets.js derives 16 s
 * from an idle timeout of 120 s, and counts in steps of 4 s.
 */
export const LINGER_MS = 20_000

const READY = frameOf({ type: 'ready' })
const PONG = frameOf({ type: 'pong' })
const DROPPED = 2
const SENT = 1

const readPing = shapeCheck(Ping)

/** Why a connection was ended from our side. */
export type Ending = StreamErrorCode | 'going_away'

/** The shell around one connection’s protocol state: does what `step` says, measures deadlines, and is the feed’s outlet. */
export class Connection<S = unknown> implements Outlet {
  readonly #stream: Stream<S>
  readonly #socket: Socket
  /** Ends the socket once the cork that is open has been written. */
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
    // Nothing is read before the admission says the plan.
    this.#readers = readersOf(stream, 'free')
    this.#socket = socket
    this.#clock = clock
  }

  /** Why it was ended from this side. */
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
   * Whether bytes wait for the client to read on. A client that answers a ping after its socket was closed here gets a reset,
   * and with it loses what it hasn't read.
   */
  get isBehind(): boolean {
    return this.isOpen && (this.#progress.isAnswerDue || this.#socket.getBufferedAmount() > 0)
  }

  /** Moves on by what happened and does what follows from it. */
  take(input: ProtocolInput): void {
    const [state, effects] = step(this.#state, input, this.#readers)
    this.#state = state
    for (const effect of effects) this.#perform(effect)
    if (state.phase === 'closed') this.#detach()
  }

  /** Takes a WebSocket pong. */
  answered(payload: string): void {
    this.#progress.answered(payload, this.#clock())
    this.drained()
  }

  /** Judges the deadlines; called several times a second. */
  tick(): void {
    const now = this.#clock()
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

  /** The socket has passed bytes on, or the client has read some. */
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
        // In the same packet.
        const now = this.#clock()
        if (this.isOpen && this.#progress.isPingDue(now)) this.#ping(now)
      })
    } finally {
      this.#isCorked = false
      this.#endLater?.()
      this.#endLater = undefined
    }
  }

  fail(code: StreamErrorCode): void {
    this.take({ type: 'failed', code })
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
        // A client that is behind is being sent to anyway.
        if (!this.#blocked) this.#write(frameOf({ type: 'heartbeat', as_of: this.#stream.asOf(), ...this.#place() }))
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
    // The first frames may already have ended it.
    if (this.isOpen) this.#feed = feed
    else feed.detach()
  }

  /** The contract of the prices stream has the code alone: the words stand in the close reason, as they do everywhere. */
  #fail({ code, detail, resumeCursor, close = streamErrors[code].close }: Failure): void {
    const isBare = frames[this.#stream.name].server.includes(PricesError)
    // JSON leaves out what is undefined.
    const more = isBare ? {} : { detail, resume_cursor: resumeCursor ?? this.#feed?.cursor?.() }
    this.#end(code, { type: 'error', code, ...more }, close, closeReason(code, detail))
  }

  /** The prices stream has no notices: its clients are told `unavailable`. */
  #leave(): void {
    if (frames[this.#stream.name].server.includes(Notice)) {
      const notice = { type: 'notice', code: 'going_away', ...this.#place(), reconnect_in_ms: RECONNECT_IN_MS }
      this.#end('going_away', notice, GOING_AWAY, 'going_away')
    } else {
      const error = { type: 'error', code: 'unavailable' }
      this.#end('going_away', error, GOING_AWAY, closeReason('unavailable', 'The server ends; connect again.'))
    }
  }

  #end(ending: Ending, message: object, close: number, reason: string): void {
    this.#ending = ending
    this.#detach()
    this.#write(frameOf(message))
    // uWebSockets.js sends TCP's FIN behind the close frame, but never does if `end` is called inside `cork`.
    const end = () => this.#socket.end(close, reason)
    if (this.#isCorked) this.#endLater = end
    else end()
  }

  #detach(): void {
    this.#feed?.detach()
    this.#feed = undefined
  }

  #place(): { cursor?: string } {
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

/** How a stream’s frames are read for a plan. */
const readersOf = <S>(stream: Stream<S>, plan: Plan): Readers<S> => ({
  subscribe: (message) => stream.read(message, plan),
  ping: readPing,
})
