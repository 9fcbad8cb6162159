import { onTestFinished } from 'vitest'
import { decodeEventCursor } from '../../../../domain/cursor.ts'
import { type EventsStreamOptions, eventsStream } from '../../../../streams/events/index.ts'
import { isRefusal, type Outlet } from '../../../../streams/stream.ts'
import { SimulatedTime, settle } from '../../../support/simulated-time.ts'
import type { Told } from './client.ts'
import { MemoryEvents } from './journal.ts'

/** A stream over a journal in memory, in a time that passes only by `until` and `pass`. */
export function world(events: MemoryEvents, options: Partial<EventsStreamOptions> = {}) {
  const time = new SimulatedTime(() => 0)
  const stop = new AbortController()
  const stream = eventsStream({ journal: events.asJournal(), signal: stop.signal, time, ...options })
  const done = stream.done.then(
    () => undefined,
    (error: unknown) => error,
  )
  onTestFinished(() => stop.abort())
  /** Runs all there is to run within `ms`. */
  const pass = async (ms = 0) => {
    for (let left = ms; ; left -= 10) {
      do await settle()
      while (time.step())
      if (left <= 0) return
      time.pass(10)
    }
  }
  const join = (message: object = {}, outlet: Partial<Outlet> = {}) => {
    const subscription = stream.read({ action: 'subscribe', ...message }, 'pro')
    if (isRefusal(subscription)) throw new Error(subscription.detail)
    const told: Told[] = []
    const bursts: number[] = []
    const failed: string[] = []
    const feed = stream.attach(
      {
        send(frame) {
          told.push(JSON.parse(Buffer.from(frame).toString()))
          return true
        },
        cork(write) {
          const before = told.length
          write()
          bursts.push(told.length - before)
        },
        fail: (code) => failed.push(code),
        ...outlet,
      },
      subscription,
    )
    return { told, bursts, failed, feed, kinds: () => told.map(({ type, code }) => code ?? type) }
  }
  return { stream, done, pass, join, stop, time }
}

export const eventsOf = (count: number, size = 10): MemoryEvents => {
  const events = new MemoryEvents()
  for (let left = count; left > 0; left -= size) events.append(Math.min(size, left))
  return events
}
export const sequenceOf = (cursor: string | undefined) => decodeEventCursor(cursor ?? '')?.sequence
