import assert from 'node:assert/strict'
import type { StreamErrorCode } from '../../../../contracts/streams.ts'
import { decodeEventCursor } from '../../../../domain/cursor.ts'
import { type EventFilter, passes } from '../../../../domain/event-filter.ts'
import type { Feed, Outlet } from '../../../../streams/stream.ts'
import type { MemoryEvents } from './journal.ts'

export type Told = {
  readonly type: string
  readonly cursor?: string
  readonly code?: string
  readonly event?: { readonly sequence: string; readonly id: string; readonly cursor: string }
}

/**
 * A client that judges all it is told by what the journal holds: `place` is the next event that it may be sent. Between
 * there and any cursor that it is told no event may pass the filter, and an event must be the next that does.
 */
export class JudgingClient implements Outlet {
  readonly #events: MemoryEvents
  readonly filter: EventFilter
  /** Undefined before the first `subscribed` says where it starts. */
  place: number | undefined
  cursor: string | undefined
  feed: Feed | undefined
  ended: StreamErrorCode | undefined
  isBlocked = false
  received = 0
  readonly told: Record<string, number> = {}
  /** Whether the next frame leaves the client behind. */
  readonly #isFull: () => boolean

  constructor(events: MemoryEvents, filter: EventFilter, isFull: () => boolean) {
    this.#events = events
    this.filter = filter
    this.#isFull = isFull
  }

  connected(feed: Feed): void {
    this.feed = feed
    this.ended = undefined
    this.isBlocked = false
  }

  send(frame: Uint8Array): boolean {
    assert(this.feed && !this.isBlocked, 'sent to a client that is gone or behind')
    this.judge(JSON.parse(Buffer.from(frame).toString()))
    this.isBlocked = this.#isFull()
    return !this.isBlocked
  }

  cork(write: () => void): void {
    write()
  }

  fail(code: StreamErrorCode): void {
    assert(this.feed, 'ended twice')
    this.ended = code
    this.told[`ended by ${code}`] = (this.told[`ended by ${code}`] ?? 0) + 1
    const resume = decodeEventCursor(this.feed.cursor?.() ?? '')
    assert(resume, 'an error without a cursor')
    if (code === 'cursor_expired') {
      assert((this.place ?? 0) < this.#events.first, `event ${this.place} is kept, but said to be expired`)
      // What is lost has been said: go on from there.
      this.place = resume.sequence
    } else if (code === 'unavailable') this.#moved(this.feed.cursor?.() ?? '')
    else assert.fail(`ended by ${code}`)
    this.cursor = this.feed.cursor?.()
    this.feed.detach()
    this.feed = undefined
  }

  leave(): void {
    if (!this.feed) return
    this.feed.detach()
    this.feed = undefined
  }

  judge({ type, cursor, code, event }: Told): void {
    const kind = code ?? type
    this.told[kind] = (this.told[kind] ?? 0) + 1
    if (event) {
      const sequence = Number(event.sequence)
      this.noneMissedBefore(sequence)
      const record = this.#events.all[sequence - 1]
      assert(record && passes(this.filter, record.value), `event ${sequence} should not have been sent`)
      assert.equal(event.id, record.value.id)
      this.place = sequence
      this.received++
      this.#moved(event.cursor, sequence + 1)
    } else this.#moved(cursor ?? '')
  }

  /** Whether it is connected and no event is still to come. */
  get hasAll(): boolean {
    const { place, filter } = this
    if (!this.feed || place === undefined) return false
    return this.#events.all.slice(place - 1).every(({ value }) => !passes(filter, value))
  }

  /** Asserts that the feed's present cursor leaves nothing out, like a cursor that it has sent. */
  glance(): void {
    if (!this.feed || this.place === undefined) return
    const cursor = decodeEventCursor(this.feed.cursor?.() ?? '')
    assert(cursor)
    this.noneMissedBefore(cursor.sequence)
  }

  noneMissedBefore(sequence: number): void {
    assert(this.place === undefined || sequence >= this.place, `back from ${this.place} to ${sequence}`)
    for (let at = this.place ?? sequence; at < sequence; at++) {
      const record = this.#events.all[at - 1]
      assert(record && !passes(this.filter, record.value), `event ${at} was left out before ${sequence}`)
    }
  }

  #moved(text: string, expected?: number): void {
    const cursor = decodeEventCursor(text)
    assert(cursor, `no cursor: ${text}`)
    if (expected !== undefined) {
      assert.equal(cursor.sequence, expected)
      this.place = expected
    }
    this.noneMissedBefore(cursor.sequence)
    this.place = cursor.sequence
    this.cursor = text
  }
}
