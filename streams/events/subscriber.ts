import type { Time } from '../../base/time.ts'
import type { StreamErrorCode } from '../../contracts/streams.ts'
import { type EventFilter, passes } from '../../domain/event-filter.ts'
import { type EventStart, faultOfSequence } from '../../domain/event-start.ts'
import { type Feed, frameOf, type Outlet } from '../stream.ts'
import { type EventBlock, eventIn } from './blocks.ts'
import type { EncodedEvent, LogPosition } from './encoded-event.ts'
import type { EventLog } from './log.ts'
import { isJournalAway } from './past.ts'
import type { Indexed, Subscribers } from './subscribers.ts'
import { type EventSubscription, isToBeFound } from './subscription.ts'
import type { Turns } from './turns.ts'

/** Limits of one turn, and when a client gets a checkpoint. */
export type Pace = {
  readonly burstFrames: number
  readonly burstBytes: number
  readonly burstScanned: number
  readonly checkpointRecords: number
  readonly checkpointMs: number
  /** A subscriber that had caught up is falling behind if it lags by more records than this. */
  readonly behindRecords: number
}

export type SubscriberDeps = {
  readonly log: EventLog
  readonly time: Time
  readonly turns: Turns
  readonly pace: Pace
  /** The subscribers of the process. A subscriber is one of them until it is detached. */
  readonly subscribers: Subscribers<Subscriber>
  /** Called for an error that should never happen. */
  readonly failed: (error: unknown) => void
}

/** Examining this many records costs about as much as sending one frame. */
const SCANS_A_FRAME = 16

/**
 * One subscriber: a position in the log, and a loop that reads from there. Replay and live are the same loop. At the tip it
 * parks until an event arrives that it wants. Invariants: every matching event before its position has been passed to the
 * outlet; while it is parked, no matching event lies between its position and the tip, so its position is the tip.
 */
export class Subscriber implements Feed, Indexed {
  readonly #outlet: Outlet
  readonly #subscription: EventSubscription
  readonly #deps: SubscriberDeps
  /** The start while it is being looked up. The position is not known until then. */
  #start: EventStart | undefined
  #sequence = 0
  #hint = 0
  /** The block that is being read. It is released while the client is behind. */
  #block: EventBlock | undefined
  #found: EncodedEvent | undefined
  /** Records skipped since the last message with a cursor, and the time of that message (ms). */
  #recordsSinceCursor = 0
  #cursorSentAt: number
  #isCheckpointDue = false
  /** Cursor of the last error, if it isn't the position. */
  #resumeAt: LogPosition | undefined
  #isGreeted = false
  #isConfirmed = false
  #isCaughtUp = false
  #isQueued = false
  #isWaiting = false
  #isBlocked = false
  #isParked = false
  #isEnded = false
  /** State of the current turn. */
  #move: Move = 'park'
  #frames = 0
  #bytes = 0
  #scanned = 0

  constructor(outlet: Outlet, subscription: EventSubscription, deps: SubscriberDeps) {
    this.#outlet = outlet
    this.#subscription = subscription
    this.#deps = deps
    const { start } = subscription
    if (isToBeFound(start)) this.#start = start
    else this.#moveTo(start)
    this.#cursorSentAt = deps.time.monotonic()
  }

  readonly cursor = (): string | undefined => {
    const { log } = this.#deps
    const position = this.#resumeAt ?? (this.#start ? undefined : this.#position)
    return position && log.cursor(position)
  }

  get isLive(): boolean {
    return this.#isCaughtUp
  }

  get isParked(): boolean {
    return this.#isParked
  }

  get filter(): EventFilter {
    return this.#subscription.filter
  }

  resume(): void {
    this.#isBlocked = false
    this.wake()
  }

  detach(): void {
    this.#unpark()
    this.#isEnded = true
    this.#block = undefined
    this.#deps.subscribers.delete(this)
  }

  /** Queues a turn, because there may be something to do. */
  wake(): void {
    if (this.#isEnded || this.#isBlocked || this.#isWaiting || this.#isQueued) return
    this.#unpark()
    this.#isQueued = true
    this.#deps.turns.add(this)
  }

  /** Ends the connection. The error for a cursor that can't be honoured carries one that can. */
  end(code: StreamErrorCode, detail?: string): void {
    if (this.#isEnded) return
    const ends = this.#deps.log.ends
    if (code === 'cursor_expired') this.#resumeAt = ends?.earliest
    if (code === 'cursor_ahead') this.#resumeAt = ends?.tip
    this.#outlet.fail(code, detail)
    this.detach()
  }

  /** Has a checkpoint sent if enough records were skipped, or some and the last cursor was sent `checkpointMs` ago. */
  tick(now: number): void {
    this.#catchUp()
    if (this.#isBlocked || this.#recordsSinceCursor === 0) return
    const { checkpointRecords, checkpointMs } = this.#deps.pace
    this.#isCheckpointDue = this.#recordsSinceCursor >= checkpointRecords || now - this.#cursorSentAt >= checkpointMs
    if (this.#isCheckpointDue) this.wake()
  }

  turn(): number {
    this.#isQueued = false
    if (this.#isEnded || this.#isBlocked || this.#isWaiting) return 0
    this.#frames = 0
    this.#bytes = 0
    this.#scanned = 0
    this.#move = this.#next()
    if (isMessage(this.#move)) this.#outlet.cork(this.#burst)
    if (!this.#isBlocked && !this.#isEnded) this.#perform(this.#move)
    else this.#block = undefined
    return this.#frames + this.#scanned / SCANS_A_FRAME
  }

  readonly #burst = (): void => {
    const now = this.#deps.time.monotonic()
    while (isMessage(this.#move) && !this.#isEnded) {
      this.#send(this.#frame(this.#move), now)
      if (this.#isBlocked) return
      this.#move = this.#next()
    }
  }

  /** Passes over records that the filter leaves out, and returns the next move. */
  #next(): Move {
    const { log, pace } = this.#deps
    const { filter } = this.#subscription
    const tip = log.next
    if (this.#start) return 'locate'
    if (!this.#isGreeted) return this.#sequence > tip && !this.#isConfirmed ? 'confirm' : 'subscribed'
    const isBehind = tip - this.#sequence > pace.behindRecords || log.hasLeftRing(this.#sequence)
    if (this.#isCaughtUp && isBehind) return 'falling_behind'
    if (this.#isCheckpointDue) return 'checkpoint'
    while (this.#sequence < tip) {
      const { burstFrames, burstBytes, burstScanned } = pace
      if (this.#frames >= burstFrames || this.#bytes >= burstBytes || this.#scanned >= burstScanned) return 'pause'
      const event = log.recent(this.#sequence) ?? (this.#block && eventIn(this.#block, this.#sequence))
      if (!event) return 'fetch'
      if (passes(filter, event)) {
        this.#found = event
        return 'event'
      }
      this.#pass(event)
      this.#scanned++
      if (++this.#recordsSinceCursor >= pace.checkpointRecords) return 'checkpoint'
    }
    return this.#sequence === tip && !this.#isCaughtUp ? 'caught_up' : 'park'
  }

  #moveTo({ sequence, hint }: LogPosition): void {
    this.#sequence = sequence
    this.#hint = hint
  }

  /** The position: that of a parked subscriber is the tip, unless that is not known. */
  get #position(): LogPosition {
    const { tip } = this.#deps.log
    return this.#isParked && tip ? tip : { sequence: this.#sequence, hint: this.#hint }
  }

  /** Counts the records that a parked subscriber was not woken for, and moves it over them. */
  #catchUp(): void {
    const position = this.#position
    this.#recordsSinceCursor += position.sequence - this.#sequence
    this.#moveTo(position)
  }

  #unpark(): void {
    this.#catchUp()
    this.#isParked = false
  }

  #pass({ sequence, offset }: EncodedEvent): void {
    this.#moveTo({ sequence: sequence + 1, hint: offset + 1 })
  }

  /** The frame of a move. It is made just before it is sent, because making it changes the state to what the frame says. */
  #frame(move: Message): Uint8Array {
    if (move === 'event') {
      // `#next` has set it with the move.
      const event = this.#found as EncodedEvent
      this.#pass(event)
      return event.frame
    }
    if (move === 'subscribed') {
      this.#isGreeted = true
      const { countries, families, types } = this.#subscription.filter
      const filters = { countries: countries && [...countries], families: [...families], types: types && [...types] }
      return frameOf({ type: move, cursor: this.cursor(), ...filters })
    }
    if (move === 'checkpoint') return frameOf({ type: move, cursor: this.cursor() })
    this.#isCaughtUp = move === 'caught_up'
    if (move === 'caught_up') return frameOf({ type: move, cursor: this.cursor() })
    return frameOf({ type: 'notice', code: move, cursor: this.cursor() })
  }

  #send(frame: Uint8Array, now: number): void {
    this.#frames++
    this.#bytes += frame.length
    this.#recordsSinceCursor = 0
    this.#isCheckpointDue = false
    this.#cursorSentAt = now
    if (!this.#outlet.send(frame)) this.#isBlocked = true
  }

  #perform(move: Move): void {
    const { log, subscribers } = this.#deps
    if (move === 'pause') this.wake()
    else if (move === 'fetch') {
      // After the last event of its block, the block's `next` also skips the holes that follow.
      const isNext = this.#block?.events.at(-1)?.sequence === this.#sequence - 1
      const hint = isNext ? (this.#block?.next ?? this.#hint) : this.#hint
      this.#await(log.find({ sequence: this.#sequence, hint }), (block) => {
        this.#block = block
        if (!block) this.end('cursor_expired')
      })
    } else if (move === 'locate' && this.#start) {
      const start = this.#start
      this.#await(log.positionOf(start), (position) => {
        if (!position) return this.end('unavailable')
        // A place that lies before the start is that of the next event.
        const fault = 'sequence' in start ? faultOfSequence(start, position.sequence) : undefined
        if (fault) return this.end(fault.isTime ? 'invalid_frame' : 'cursor_ahead', `/start: ${fault.detail}`)
        this.#start = undefined
        this.#isConfirmed = true
        this.#moveTo(position)
      })
    } else if (move === 'confirm') {
      this.#await(log.newestNext(), (next) => {
        this.#isConfirmed = next !== undefined && this.#sequence <= next
        if (!this.#isConfirmed) this.end(next === undefined ? 'unavailable' : 'cursor_ahead')
      })
    } else {
      this.#block = undefined
      if (move !== 'park') return
      if (this.#sequence > log.next) subscribers.wakeNext(this)
      else this.#isParked = true
    }
  }

  #await<T>(promise: Promise<T>, take: (value: T) => void): void {
    this.#isWaiting = true
    const settle = (act: () => void) => {
      this.#isWaiting = false
      if (this.#isEnded) return
      act()
      this.wake()
    }
    promise
      .then(
        (value) => settle(() => take(value)),
        (error) => settle(() => this.#refuse(error)),
      )
      .catch(this.#deps.failed)
  }

  #refuse(error: unknown): void {
    if (isJournalAway(error)) this.end('unavailable')
    else this.#deps.failed(error)
    // `failed` ignores errors while the stream ends. Another turn would meet the same error, again and again.
    this.detach()
  }
}

type Message = 'subscribed' | 'event' | 'checkpoint' | 'caught_up' | 'falling_behind'
/**
 * The next move of a subscriber. `fetch` reads older events. `locate` looks up the start in the journal. `confirm` asks the
 * journal whether the start beyond the tip exists. `pause` waits for the next turn, `park` for the next event that concerns it.
 */
type Move = Message | 'fetch' | 'locate' | 'confirm' | 'pause' | 'park'

const isMessage = (move: Move): move is Message =>
  move !== 'fetch' && move !== 'locate' && move !== 'confirm' && move !== 'pause' && move !== 'park'
