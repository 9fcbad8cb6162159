import type { StreamErrorCode } from '../../contracts/streams.ts'
import { passes } from '../../domain/event-filter.ts'
import { type Feed, frameOf, type Outlet } from '../stream.ts'
import { type EventBlock, entryIn } from './blocks.ts'
import type { Clock } from './clock.ts'
import type { LogEntry, Place } from './entry.ts'
import type { EventLog } from './log.ts'
import { isJournalAway } from './past.ts'
import type { EventSubscription } from './subscription.ts'
import type { Turns } from './turns.ts'

/** How much is done at a turn, and when a client is told where it is. */
export type Pace = {
  readonly burstFrames: number
  readonly burstBytes: number
  readonly burstScanned: number
  readonly checkpointRecords: number
  readonly checkpointMs: number
  /** A subscriber that had caught up is falling behind when it lags by more records. */
  readonly behindRecords: number
}

export type Surroundings = {
  readonly log: EventLog
  readonly clock: Clock
  readonly turns: Turns
  readonly pace: Pace
  readonly left: (subscriber: Subscriber) => void
  /** What should never happen has. */
  readonly failed: (error: unknown) => void
}

/** Records looked at that cost as much as a frame sent. */
const SCANS_A_FRAME = 16

/**
 * One subscriber: a place in the log, and a loop that pulls from there. Replay and live are the same loop; at the tip it
 * parks until something arrives. Before its place, every event that passes the filter has been handed to the outlet.
 */
export class Subscriber implements Feed {
  readonly #outlet: Outlet
  readonly #subscription: EventSubscription
  readonly #around: Surroundings
  #sequence: number
  #hint: number
  /** Kept while it is read from, not while the client is slow. */
  #block: EventBlock | undefined
  #found: LogEntry | undefined
  /** Records passed by since the client was last told a cursor, and when that was. */
  #untold = 0
  #toldAt: number
  #goOn: Place | undefined
  #isGreeted = false
  #isConfirmed = false
  #isCaughtUp = false
  #isQueued = false
  #isWaiting = false
  #isBlocked = false
  #isEnded = false
  /** Of the turn under way. */
  #move: Move = 'park'
  #frames = 0
  #bytes = 0
  #scanned = 0

  constructor(outlet: Outlet, subscription: EventSubscription, around: Surroundings) {
    this.#outlet = outlet
    this.#subscription = subscription
    this.#around = around
    this.#sequence = subscription.start.sequence
    this.#hint = subscription.start.hint
    this.#toldAt = around.clock.now()
  }

  readonly cursor = (): string => {
    const { log } = this.#around
    return log.cursor(this.#goOn ?? { sequence: this.#sequence, hint: this.#hint })
  }

  get isLive(): boolean {
    return this.#isCaughtUp
  }

  resume(): void {
    this.#isBlocked = false
    this.wake()
  }

  detach(): void {
    this.#isEnded = true
    this.#block = undefined
    this.#around.left(this)
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#isEnded || this.#isBlocked || this.#isWaiting || this.#isQueued) return
    this.#isQueued = true
    this.#around.turns.add(this)
  }

  /** Ends the connection. A cursor that can't be honoured is answered with one that can. */
  end(code: StreamErrorCode): void {
    if (this.#isEnded) return
    const ends = this.#around.log.ends
    if (code === 'cursor_expired') this.#goOn = ends?.earliest
    if (code === 'cursor_ahead') this.#goOn = ends?.tip
    this.#outlet.fail(code)
    this.detach()
  }

  /** Tells where the client is, if it has not been told for long though it moved. */
  tick(now: number): void {
    if (this.#isEnded || this.#isBlocked || this.#untold === 0) return
    if (now - this.#toldAt >= this.#around.pace.checkpointMs) this.#send(this.#frame('checkpoint'), now)
  }

  turn(): number {
    this.#isQueued = false
    if (this.#isEnded || this.#isBlocked || this.#isWaiting) return 0
    this.#frames = 0
    this.#bytes = 0
    this.#scanned = 0
    this.#move = this.#next()
    if (isMessage(this.#move)) this.#outlet.cork(this.#burst)
    if (!this.#isBlocked && !this.#isEnded) this.#go(this.#move)
    else this.#block = undefined
    return this.#frames + this.#scanned / SCANS_A_FRAME
  }

  readonly #burst = (): void => {
    const now = this.#around.clock.now()
    while (isMessage(this.#move) && !this.#isEnded) {
      this.#send(this.#frame(this.#move), now)
      if (this.#isBlocked) return
      this.#move = this.#next()
    }
  }

  /** Moves on past what the filter leaves out, to what is to be done. */
  #next(): Move {
    const { log, pace } = this.#around
    const { filter } = this.#subscription
    const tip = log.next
    if (!this.#isGreeted) return this.#sequence > tip && !this.#isConfirmed ? 'confirm' : 'subscribed'
    const isBehind = tip - this.#sequence > pace.behindRecords || log.hasLeftRing(this.#sequence)
    if (this.#isCaughtUp && isBehind) return 'falling_behind'
    while (this.#sequence < tip) {
      const { burstFrames, burstBytes, burstScanned } = pace
      if (this.#frames >= burstFrames || this.#bytes >= burstBytes || this.#scanned >= burstScanned) return 'pause'
      const entry = log.recent(this.#sequence) ?? (this.#block && entryIn(this.#block, this.#sequence))
      if (!entry) return 'fetch'
      if (passes(filter, entry)) {
        this.#found = entry
        return 'event'
      }
      this.#pass(entry)
      this.#scanned++
      if (++this.#untold >= pace.checkpointRecords) return 'checkpoint'
    }
    return this.#sequence === tip && !this.#isCaughtUp ? 'caught_up' : 'park'
  }

  #pass({ sequence, offset }: LogEntry): void {
    this.#sequence = sequence + 1
    this.#hint = offset + 1
  }

  /** The message of a move, made at the moment it is sent: what it says is true from then on. */
  #frame(move: Message): Uint8Array {
    if (move === 'event') {
      const entry = this.#found as LogEntry
      this.#pass(entry)
      return entry.frame
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
    this.#untold = 0
    this.#toldAt = now
    if (!this.#outlet.send(frame)) this.#isBlocked = true
  }

  #go(move: Move): void {
    const { log } = this.#around
    if (move === 'pause') this.wake()
    else if (move === 'fetch') {
      // Behind the last event of a block, the block knows of holes that the event doesn't.
      const isNext = this.#block?.entries.at(-1)?.sequence === this.#sequence - 1
      const hint = isNext ? (this.#block?.next ?? this.#hint) : this.#hint
      this.#await(log.find({ sequence: this.#sequence, hint }), (block) => {
        this.#block = block
        if (!block) this.end('cursor_expired')
      })
    } else if (move === 'confirm') {
      this.#await(log.newestNext(), (next) => {
        this.#isConfirmed = next !== undefined && this.#sequence <= next
        if (!this.#isConfirmed) this.end(next === undefined ? 'unavailable' : 'cursor_ahead')
      })
    } else this.#block = undefined
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
      .catch(this.#around.failed)
  }

  #refuse(error: unknown): void {
    if (isJournalAway(error)) this.end('unavailable')
    else this.#around.failed(error)
  }
}

type Message = 'subscribed' | 'event' | 'checkpoint' | 'caught_up' | 'falling_behind'
/** What a subscriber is to do next: send a message, get events, ask whether its start is there, or wait. */
type Move = Message | 'fetch' | 'confirm' | 'pause' | 'park'

const isMessage = (move: Move): move is Message =>
  move !== 'fetch' && move !== 'confirm' && move !== 'pause' && move !== 'park'
