import { frames, Notice, Ping } from '../contracts/frames.ts'
import type { Plan } from '../contracts/resources.ts'
import { GOING_AWAY, type StreamErrorCode, streamErrors, streamLimits } from '../contracts/streams.ts'
import { type Effect, type Failure, type Input, initialState, type Readers, type State, step } from './protocol.ts'
import { shapeCheck } from './shape.ts'
import { type Feed, frameOf, type Outlet, type Stream } from './stream.ts'

/** What a connection needs of its WebSocket; uWebSockets.js’s, or a test’s. */
export interface Socket {
  /** 1: sent; 0: queued behind a slow client; 2: dropped. */
  send(frame: Uint8Array, isBinary: boolean): number
  cork(write: () => void): unknown
  ping(): number
  /** Calls the close handler at once. */
  end(code: number, reason: string): void
  getBufferedAmount(): number
}

/** Waiting bytes beyond which a client is behind; what is left to `MAX_BACKPRESSURE` is room for a last error message. */
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
/** A WebSocket ping without a payload. */
const PING_BYTES = 2
const SENT = 1

const readPing = shapeCheck(Ping)

/** The shell around one connection’s protocol state: does what `step` says, measures deadlines, and is the feed’s outlet. */
export class Connection<S = unknown> implements Outlet {
  readonly #stream: Stream<S>
  readonly #socket: Socket
  /** Ends the socket once the cork that is open has been written. */
  #endLater: (() => void) | undefined
  #isCorked = false
  #readers: Readers<S>
  #state: State = initialState
  #feed: Feed | undefined
  #blocked = false
  #subscribeBy = Number.POSITIVE_INFINITY
  #heartbeatAt = Number.POSITIVE_INFINITY
  /** Bytes given to the socket, and how many of them it had passed on when it last passed on any. */
  #given = 0
  #taken = 0
  #takenAt: number
  /** When it last heard of anything. */
  #now: number

  /** `now` is monotonic milliseconds, here and everywhere below. */
  constructor(stream: Stream<S>, socket: Socket, now: number) {
    this.#stream = stream
    // Nothing is read before the admission says the plan.
    this.#readers = readersOf(stream, 'free')
    this.#socket = socket
    this.#takenAt = now
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#state.phase !== 'closed'
  }

  admit(plan: Plan, now: number): void {
    this.#readers = readersOf(this.#stream, plan)
    this.take({ type: 'admitted' }, now)
  }

  /** Whether bytes wait for the client to read on. */
  get isBehind(): boolean {
    return this.isOpen && this.#socket.getBufferedAmount() > 0
  }

  /** Moves on by what happened and does what follows from it. */
  take(input: Input, now: number): void {
    this.#now = now
    const [state, effects] = step(this.#state, input, this.#readers)
    this.#state = state
    for (const effect of effects) this.#perform(effect, now)
    if (state.phase === 'closed') this.#detach()
  }

  /** Judges the deadlines; called several times a second. */
  tick(now: number): void {
    if (!this.isOpen) return
    if (!this.#stream.isAvailable()) this.take({ type: 'unavailable' }, now)
    if (now >= this.#subscribeBy) this.take({ type: 'subscribe_overdue' }, now)
    if (this.isOpen && this.#isStalled(now)) this.take({ type: 'stalled' }, now)
    if (this.isOpen && now >= this.#heartbeatAt) {
      this.#heartbeatAt += streamLimits.heartbeatEveryMs
      this.take({ type: 'heartbeat_due' }, now)
    }
    this.drained()
  }

  /** The socket has passed bytes on. */
  drained(): void {
    if (!this.#blocked || !this.isOpen || this.#socket.getBufferedAmount() > RESUME_BELOW) return
    this.#blocked = false
    this.#feed?.resume()
  }

  send(frame: Uint8Array): boolean {
    if (!this.isOpen || this.#blocked) return false
    const outcome = this.#write(frame)
    if (outcome === SENT) return true
    this.#blocked = outcome === DROPPED || this.#socket.getBufferedAmount() > SOFT_LIMIT
    return !this.#blocked
  }

  cork(write: () => void): void {
    if (!this.isOpen) return
    this.#isCorked = true
    try {
      this.#socket.cork(write)
    } finally {
      this.#isCorked = false
      this.#endLater?.()
      this.#endLater = undefined
    }
  }

  fail(code: StreamErrorCode): void {
    this.take({ type: 'failed', code }, this.#now)
  }

  #perform(effect: Effect<S>, now: number): void {
    switch (effect.type) {
      case 'ready':
        this.#subscribeBy = now + streamLimits.subscribeWithinMs
        this.#takenAt = now
        this.#write(READY)
        return
      case 'attach':
        this.#subscribeBy = Number.POSITIVE_INFINITY
        this.#heartbeatAt = now + streamLimits.heartbeatEveryMs
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

  #fail({ code, detail, resumeCursor }: Failure): void {
    const resume = resumeCursor ?? this.#feed?.cursor?.()
    const message = {
      type: 'error',
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(resume === undefined ? {} : { resume_cursor: resume }),
    }
    this.#end(message, streamErrors[code].close, code)
  }

  /** The prices stream has no notices: its clients are told `unavailable`. */
  #leave(): void {
    const hasNotices = frames[this.#stream.name].server.includes(Notice)
    const message = hasNotices
      ? { type: 'notice', code: 'going_away', ...this.#place(), reconnect_in_ms: RECONNECT_IN_MS }
      : { type: 'error', code: 'unavailable' }
    this.#end(message, GOING_AWAY, hasNotices ? 'going_away' : 'unavailable')
  }

  #end(message: object, close: number, reason: string): void {
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
    const header = frame.length < 126 ? 2 : frame.length < 65_536 ? 4 : 10
    this.#given += frame.length + header
    return this.#socket.send(frame, false)
  }

  /**
   * Makes the socket try again to pass on what waits. The kernel itself says so only once a third of its own buffer is free:
   * at 60 kB/s that takes longer than 5 s, and a client that reads steadily would seem to have stopped.
   */
  #nudge(): void {
    if (this.#socket.ping() !== DROPPED) this.#given += PING_BYTES
  }

  /** Slow means no byte taken for 5 s while some wait, not merely behind. */
  #isStalled(now: number): boolean {
    if (this.#socket.getBufferedAmount() > 0) this.#nudge()
    const waiting = this.#socket.getBufferedAmount()
    const taken = this.#given - waiting
    if (waiting === 0 || taken !== this.#taken) {
      this.#taken = taken
      this.#takenAt = now
      return false
    }
    return now - this.#takenAt >= streamLimits.stalledMs
  }
}

const RECONNECT_IN_MS = 1_000

/** How a stream’s frames are read for a plan. */
const readersOf = <S>(stream: Stream<S>, plan: Plan): Readers<S> => ({
  subscribe: (message) => stream.read(message, plan),
  ping: readPing,
})
