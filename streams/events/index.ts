import { plans as usualPlans } from '../../contracts/plans.ts'
import type { Plan } from '../../contracts/resources.ts'
import { streamLimits } from '../../contracts/streams.ts'
import type { Stream } from '../stream.ts'
import { type Clock, systemClock } from './clock.ts'
import type { EventJournal } from './entry.ts'
import { EventLog } from './log.ts'
import { isJournalAway } from './past.ts'
import { type Pace, Subscriber, type Surroundings } from './subscriber.ts'
import { type EventSubscription, type Granted, readSubscription } from './subscription.ts'
import { Rest, Turns } from './turns.ts'

export type { EventSubscription } from './subscription.ts'

/**
 * The events stream: every event of the journal from a cursor on, in order, none twice and none left out.
 *
 *   follower.ts    reads what is appended, once for all       ring.ts          the newest events
 *   past.ts        reads what is older, on request            blocks.ts        what of it was read lately
 *   log.ts         both as one                                entry.ts         an event as the frame all get
 *   encoder.ts     makes that of a record's bytes: event-fields.ts finds them, frame-shape.ts says what a frame is,
 *                  cursor-writer.ts writes its cursor
 *   subscriber.ts  one client's place and loop                turns.ts         who works when
 *   subscription.ts  the subscribe message
 *
 * `subscribed` comes first. `caught_up` comes when the tip is reached: at once for who starts there, and once more after
 * each `falling_behind`. An empty list of a filter matches nothing.
 */
export type EventsStream = Stream<EventSubscription> & {
  /** Resolves once everything up to the end seen at the start has been read. */
  readonly caughtUp: Promise<void>
  /** Settles when the signal aborts; rejects when the journal holds what it never should. */
  readonly done: Promise<void>
}

export type EventsStreamOptions = {
  readonly journal: EventJournal
  readonly signal: AbortSignal
  /** Which families each plan has. */
  readonly plans?: Readonly<Record<Plan, Omit<Granted, 'plan'>>>
  readonly clock?: Clock
  /** Bytes of the newest events that are kept for all. */
  readonly ringBytes?: number
  /** Bytes of older events that are kept for who may ask next. */
  readonly blockBytes?: number
  /** Offsets that are read at a time. */
  readonly blockSize?: number
  /** Reads of older events under way at most. */
  readonly reads?: number
  readonly warmOffsets?: number
  /** How long new events gather before the next are read; twice as long while many clients have much to be sent. */
  readonly restMs?: number
  /** How long the journal may be away before subscribers are let go. */
  readonly graceMs?: number
  /** Frames that may be sent before the event loop has its turn. */
  readonly framesAtOnce?: number
  readonly pace?: Partial<Pace>
}

const MIB = 1024 * 1024
const TICK_MS = 1_000
const FLOOR_EVERY_TICKS = 30
const REST_AT_MOST = 2

const usualPace: Pace = {
  burstFrames: 64,
  burstBytes: 128 * 1024,
  burstScanned: 4_096,
  checkpointRecords: streamLimits.checkpointRecords,
  checkpointMs: streamLimits.checkpointMs,
  behindRecords: 10_000,
}

export function eventsStream({
  journal,
  signal,
  plans = usualPlans,
  clock = systemClock,
  ringBytes = 64 * MIB,
  blockBytes = 64 * MIB,
  blockSize = 512,
  reads = 4,
  warmOffsets = 8_192,
  restMs = 8,
  graceMs = 1_000,
  framesAtOnce = 1_024,
  pace = {},
}: EventsStreamOptions): EventsStream {
  const subscribers = new Set<Subscriber>()
  const broken = new AbortController()
  const ending = AbortSignal.any([signal, broken.signal])
  const letGo = () => {
    for (const subscriber of subscribers) subscriber.end('unavailable')
  }
  const failed = (error: unknown) => {
    if (ending.aborted) return
    broken.abort(error)
    letGo()
  }
  const turns = new Turns(clock, framesAtOnce, failed)
  const rest = new Rest({
    clock,
    leastMs: restMs,
    mostMs: REST_AT_MOST * restMs,
    signal: ending,
    frames: () => turns.liveFrames,
  })
  const wake = () => {
    for (const subscriber of subscribers) subscriber.wake()
  }
  const sizes = { ringBytes, blockBytes, blockSize, reads, warmOffsets, graceMs }
  const log = new EventLog({
    journal,
    clock,
    ...sizes,
    arrived: wake,
    away: letGo,
    rest: () => rest.take(),
  })
  const around: Surroundings = {
    log,
    clock,
    turns,
    pace: { ...usualPace, ...pace },
    left: (subscriber) => subscribers.delete(subscriber),
    failed,
  }

  let ticks = 0
  const tick = () => {
    if (ending.aborted) return
    const now = clock.now()
    for (const subscriber of subscribers) subscriber.tick(now)
    if (++ticks % FLOOR_EVERY_TICKS === 0) log.refreshFloor().catch((error) => isJournalAway(error) || failed(error))
    clock.after(TICK_MS, tick)
  }
  clock.after(TICK_MS, tick)

  return {
    name: 'events',
    caughtUp: log.follower.caughtUp,
    done: log.follower
      .run(ending)
      .catch(failed)
      .then(() => broken.signal.throwIfAborted()),
    read(message, plan) {
      const { ends } = log
      return ends
        ? readSubscription(message, { plan, families: plans[plan].families }, ends)
        : { refused: 'unavailable', detail: 'Events are being loaded.' }
    },
    attach(outlet, subscription) {
      const subscriber = new Subscriber(outlet, subscription, around)
      subscribers.add(subscriber)
      subscriber.wake()
      return subscriber
    },
    asOf: () => log.follower.asOf,
    isAvailable: () => !broken.signal.aborted && log.follower.isAvailable,
  }
}
