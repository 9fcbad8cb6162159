import { systemTime, type Time } from '../../base/time.ts'
import { plans as usualPlans } from '../../contracts/plans.ts'
import type { Plan } from '../../contracts/resources.ts'
import { streamLimits } from '../../contracts/streams.ts'
import type { Stream } from '../stream.ts'
import type { EventJournal } from './encoded-event.ts'
import { EventLog } from './log.ts'
import { isJournalAway } from './past.ts'
import { type Pace, Subscriber, type SubscriberDeps } from './subscriber.ts'
import { Subscribers } from './subscribers.ts'
import { type EventSubscription, type Granted, readSubscription } from './subscription.ts'
import { Rest, Turns } from './turns.ts'

export type { EventSubscription } from './subscription.ts'

/**
 * The events stream: every event of the journal from a cursor on, in order, none twice and none left out.
 *
 *   follower.ts      reads new events, once for all subscribers   ring.ts           the newest events, in memory
 *   past.ts          reads older events on request                blocks.ts         cache of older events
 *   log.ts           ring and past as one log                     encoded-event.ts  an event and its frame
 *   encoder.ts       makes the frame from a record's bytes: event-fields.ts finds the fields, words.ts compares and copies
 *                    texts, frame-shape.ts defines the frame, cursor-writer.ts writes its cursor
 *   subscriber.ts    one client's position and loop               subscribers.ts    whom an event concerns
 *   subscription.ts  the subscribe message                        turns.ts          the round-robin scheduler
 *
 * `subscribed` comes first. `caught_up` comes when the tip is reached: directly for a client that starts there, and again
 * after each `falling_behind`. An empty list of a filter matches nothing.
 */
export type EventsStream = Stream<EventSubscription> & {
  /** Resolves once everything up to the end seen at the start has been read. */
  readonly caughtUp: Promise<void>
  /** Resolves after the signal has aborted. Rejects if an event cannot be read or the events are not dense. */
  readonly done: Promise<void>
}

export type EventsStreamOptions = {
  readonly journal: EventJournal
  readonly signal: AbortSignal
  /** The event families of each plan. */
  readonly plans?: Readonly<Record<Plan, Omit<Granted, 'plan'>>>
  readonly time?: Time
  /** Most bytes of newest events that are kept in memory. */
  readonly ringBytes?: number
  /** Most bytes of older events that are cached. */
  readonly blockBytes?: number
  /** Number of offsets in a block of older events. */
  readonly blockSize?: number
  /** Most concurrent reads of older events. */
  readonly reads?: number
  readonly warmOffsets?: number
  /** Pause between two reads of new events, ms. Up to twice as long while many frames are being sent. */
  readonly restMs?: number
  /** How long the journal may be unreachable before subscribers are disconnected, ms. */
  readonly graceMs?: number
  /** Most frames sent in one turn of the event loop. */
  readonly framesAtOnce?: number
  readonly pace?: Partial<Pace>
}

const MIB = 1024 * 1024
const TICK_MS = 1_000
const FLOOR_EVERY_TICKS = 30
const MAX_REST_FACTOR = 2

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
  time = systemTime,
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
  const subscribers = new Subscribers<Subscriber>()
  const broken = new AbortController()
  const ending = AbortSignal.any([signal, broken.signal])
  const disconnectAll = () => {
    for (const subscriber of subscribers) subscriber.end('unavailable')
  }
  const failed = (error: unknown) => {
    if (ending.aborted) return
    broken.abort(error)
    disconnectAll()
  }
  const turns = new Turns(time, framesAtOnce, failed)
  const rest = new Rest({
    time,
    leastMs: restMs,
    mostMs: MAX_REST_FACTOR * restMs,
    signal: ending,
    frames: () => turns.liveFrames,
  })
  const sizes = { ringBytes, blockBytes, blockSize, reads, warmOffsets, graceMs }
  const log = new EventLog({
    journal,
    time,
    ...sizes,
    arriving: (events) => subscribers.wakeFor(events, log.next),
    away: disconnectAll,
    rest: () => rest.take(),
  })
  const deps: SubscriberDeps = {
    log,
    time,
    turns,
    pace: { ...usualPace, ...pace },
    subscribers,
    failed,
  }

  let ticks = 0
  const tick = () => {
    if (ending.aborted) return
    const now = time.monotonic()
    for (const subscriber of subscribers) subscriber.tick(now)
    if (++ticks % FLOOR_EVERY_TICKS === 0) log.refreshFloor().catch((error) => isJournalAway(error) || failed(error))
    time.timer(TICK_MS, tick).unref()
  }
  time.timer(TICK_MS, tick).unref()

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
      const subscriber = new Subscriber(outlet, subscription, deps)
      subscribers.add(subscriber)
      subscriber.wake()
      return subscriber
    },
    asOf: () => log.follower.asOf,
    isAvailable: () => !broken.signal.aborted && log.follower.isAvailable,
  }
}
