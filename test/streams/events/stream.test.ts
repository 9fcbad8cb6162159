import { describe, expect, it } from 'vitest'
import { nextTurn } from '../../../base/time.ts'
import { decodeEventCursor } from '../../../domain/cursor.ts'
import { Lineage } from '../../../domain/lineage.ts'
import { JournalError } from '../../../journal/journal.ts'
import { cursorOf } from '../../../streams/events/encoded-event.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { settle } from '../../support/simulated-time.ts'
import type { Told } from './support/client.ts'
import { MemoryEvents } from './support/journal.ts'
import { eventsOf, sequenceOf, world } from './support/world.ts'

describe('a subscriber of the events stream', () => {
  it('from the earliest gets all, then live, told once that it has caught up', async () => {
    const events = eventsOf(30)
    const { join, pass } = world(events)
    await pass()
    const { told, kinds } = join({ cursor: 'earliest' })
    await pass()
    expect(kinds()).toEqual(['subscribed', ...Array(30).fill('event'), 'caught_up'])
    expect(told[0]).toMatchObject({ countries: null, types: null })
    events.append(2)
    await pass(20)
    expect(told.slice(32).map(({ event }) => Number(event?.sequence))).toEqual([31, 32])
  })

  it('without a cursor starts now, and has caught up at once', async () => {
    const { join, pass } = world(eventsOf(30))
    await pass()
    const { told, kinds } = join({ families: ['labour'] })
    await pass()
    expect(kinds()).toEqual(['subscribed', 'caught_up'])
    expect(told[0]).toMatchObject({ families: ['labour'] })
    expect(told.map(({ cursor }) => sequenceOf(cursor))).toEqual([31, 31])
  })

  it('that takes no more is sent no more until it does', async () => {
    const { join, pass } = world(eventsOf(30))
    await pass()
    let isFull = true
    const received: Uint8Array[] = []
    const outlet = { send: (frame: Uint8Array) => received.push(frame) > 0 && !isFull }
    const { feed } = join({ cursor: 'earliest' }, outlet)
    await pass()
    expect(received).toHaveLength(1)
    feed.resume()
    await pass()
    expect(received).toHaveLength(2)
    isFull = false
    feed.resume()
    await pass()
    expect(received).toHaveLength(32)
  })

  it('gets what arrived together in one burst, and a long replay in bounded ones, in turn with others', async () => {
    const events = eventsOf(1_000)
    const { join, pass } = world(events)
    await pass()
    const first = join({ cursor: 'earliest' })
    const second = join({ cursor: 'earliest' })
    await pass()
    expect(Math.max(...first.bursts)).toBe(64)
    expect(first.bursts).toEqual(second.bursts)
    for (let n = 0; n < 5; n++) events.append(1)
    await pass(20)
    expect(first.bursts.at(-1)).toBe(5)
  })

  it('whose filter passes nothing is told where it is, every so many records', async () => {
    const events = eventsOf(2_500)
    const { join, pass } = world(events)
    await pass()
    const { told, kinds } = join({ cursor: 'earliest', countries: [] })
    await pass()
    expect(kinds()).toEqual(['subscribed', 'checkpoint', 'checkpoint', 'caught_up'])
    expect(told.map(({ cursor }) => sequenceOf(cursor))).toEqual([1, 1_001, 2_001, 2_501])
    events.append(1)
    await pass(4_900)
    expect(told).toHaveLength(4)
    await pass(1_200)
    expect(told.slice(4)).toEqual([
      { type: 'checkpoint', cursor: cursorOf(new Lineage(events), { sequence: 2_502, hint: 2_752 }) },
    ])
    await pass(20_000)
    expect(told).toHaveLength(5)
  })

  it('that falls behind is told so, once, and when it has caught up again', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events, { pace: { behindRecords: 100 } })
    await pass()
    const slow = { isFull: false }
    const kinds: string[] = []
    const send = (frame: Uint8Array) => {
      const { type, code } = JSON.parse(Buffer.from(frame).toString()) as Told
      kinds.push(code ?? type)
      return !slow.isFull
    }
    const { feed } = join({}, { send })
    await pass()
    slow.isFull = true
    events.append(1)
    await pass(20)
    events.append(200)
    await pass(20)
    slow.isFull = false
    feed.resume()
    await pass(20)
    expect(kinds.filter((kind) => kind !== 'event')).toEqual(['subscribed', 'caught_up', 'falling_behind', 'caught_up'])
    expect(kinds.filter((kind) => kind === 'event')).toHaveLength(201)
  })

  it.each([0, 1, 777, 10 ** 9, Number.MAX_SAFE_INTEGER])('starts at its event, whatever the hint: %i', async (hint) => {
    const events = eventsOf(2_000, 3)
    const { join, pass } = world(events, { ringBytes: 10_000, warmOffsets: 0 })
    await pass()
    const reads = events.reads
    const { told } = join({
      cursor: cursorOf(new Lineage(events), { sequence: 1_234, hint }),
      types: ['economics.release.revised'],
    })
    await pass()
    expect(told[1]?.event?.sequence).toBe(String(1_236).padStart(20, '0'))
    expect(events.reads - reads).toBeLessThan(25)
  })
})

describe('a subscriber with a start', () => {
  const sequencesOf = (told: readonly Told[]) => told.flatMap(({ event }) => (event ? [Number(event.sequence)] : []))
  const placeOf = (told: readonly Told[]) => decodeEventCursor(told[0]?.cursor ?? '')?.sequence
  const timeOf = (events: MemoryEvents, sequence: number, later = 0) =>
    new Date((events.all[sequence - 1]?.timestamp ?? Number.NaN) + later).toISOString()

  it('gets the events from that sequence or time on, whatever the ring holds', async () => {
    const events = eventsOf(40)
    const { join, pass } = world(events, { ringBytes: 1, warmOffsets: 0, blockSize: 4 })
    await pass()
    for (const [start, first] of [
      ['30', 30],
      ['0', 1],
      [timeOf(events, 30), 30],
      [timeOf(events, 30, 1), 31],
      ['1970-01-01', 1],
    ] as const) {
      const { told } = join({ start })
      await pass()
      expect(told[0]?.type).toBe('subscribed')
      expect(placeOf(told), start).toBe(first)
      expect(sequencesOf(told), start).toEqual(Array.from({ length: 41 - first }, (_, n) => first + n))
    }
  })

  it('gets the first event kept if the start has expired', async () => {
    const events = eventsOf(40)
    events.cut(events.all[19]?.offset ?? 0)
    const { join, pass } = world(events)
    await pass()
    const clients = [join({ start: '5' }), join({ start: timeOf(events, 5) })]
    await pass()
    for (const { told } of clients) expect(sequencesOf(told)[0]).toBe(20)
  })

  it('beyond the newest event gets the next to come, which this process may not have read yet', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events)
    await pass()
    // Appended, and not read by the follower when the clients join.
    events.append(5)
    const clients = [join({ start: '16' }), join({ start: '2100-01-01' })]
    await pass(100)
    expect(clients.map(({ kinds }) => kinds())).toEqual(Array(2).fill(['subscribed', 'caught_up']))
    expect(clients.map(({ told }) => placeOf(told))).toEqual([16, 16])
    events.append(1)
    await pass(100)
    for (const { told } of clients) expect(sequencesOf(told)).toEqual([16])
  })

  it('has no cursor until its place is known, and is let go if the journal stays away', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events, { graceMs: 100 })
    await pass()
    events.isDown = true
    const { feed, failed, told } = join({ start: timeOf(events, 5) })
    expect(feed.cursor?.()).toBeUndefined()
    await pass(1_000)
    expect([told, failed]).toEqual([[], ['unavailable']])
    expect(feed.cursor?.()).toBeUndefined()
  })
})

describe('a cursor that can’t be honoured', () => {
  it('is refused as ahead only when the journal, too, does not have it', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events)
    await pass()
    const ahead = join({ cursor: cursorOf(new Lineage(events), { sequence: Number.MAX_SAFE_INTEGER, hint: 3 }) })
    const next = join({ cursor: cursorOf(new Lineage(events), { sequence: 11, hint: 3 }) })
    await pass()
    expect(ahead).toMatchObject({ told: [], failed: ['cursor_ahead'] })
    expect(sequenceOf(ahead.feed.cursor?.())).toBe(11)
    expect(next.kinds()).toEqual(['subscribed', 'caught_up'])
  })

  it('beyond what this process has read, but not beyond the journal, is waited for', async () => {
    const events = eventsOf(10)
    const { join, pass, time } = world(events)
    await pass()
    const quiet = new MemoryEvents(() => nextTurn(time), events.id)
    // The follower is not woken: another process has appended.
    const wake = events.wake.bind(events)
    events.wake = () => undefined
    events.append(2)
    const { kinds, told } = join({ cursor: cursorOf(new Lineage(quiet), { sequence: 12, hint: 12 }) })
    await pass()
    expect(kinds()).toEqual(['subscribed'])
    wake()
    await pass(20)
    expect(kinds()).toEqual(['subscribed', 'event', 'caught_up'])
    expect(Number(told[1]?.event?.sequence)).toBe(12)
  })

  it('expires while it is replayed: the error leads to the earliest event', async () => {
    const events = eventsOf(3_000)
    const { join, pass } = world(events, { ringBytes: 10_000, warmOffsets: 0, blockBytes: 0 })
    await pass()
    let count = 0
    const { feed, failed } = join({ cursor: 'earliest' }, { send: () => ++count < 100 })
    await pass()
    events.cut(2_200)
    feed.resume()
    await pass()
    expect(failed).toEqual(['cursor_expired'])
    expect(sequenceOf(feed.cursor?.())).toBe(events.first)
  })
})

describe('the events stream over a journal that fails', () => {
  it('goes on without a loss after an outage, and lets subscribers go when it is long', async () => {
    const events = eventsOf(10)
    const { stream, join, pass } = world(events, { graceMs: 1_000 })
    expect(stream.isAvailable()).toBe(false)
    expect(stream.read({ action: 'subscribe' }, 'pro')).toMatchObject({ refused: 'unavailable' })
    await pass()
    const { told, failed, feed } = join()
    await pass()
    events.isDown = true
    events.append(1)
    await pass(500)
    expect(stream.isAvailable()).toBe(true)
    events.isDown = false
    await pass(500)
    expect(told.at(-1)?.event).toMatchObject({ sequence: String(11).padStart(20, '0') })
    events.isDown = true
    events.append(1)
    await pass(2_000)
    expect(stream.isAvailable()).toBe(false)
    expect(failed).toEqual(['unavailable'])
    events.isDown = false
    await pass(500)
    expect(stream.isAvailable()).toBe(true)
    const again = join({ cursor: feed.cursor?.() })
    await pass()
    expect(again.told.map(({ event }) => event && Number(event.sequence))).toEqual([undefined, 12, undefined])
  })

  it.each([
    ['data that is no JSON object', { data: 'oops' }],
    ['a sequence that does not follow', { sequence: 99 }],
  ])('stops loudly at %s', async (_what, broken) => {
    const events = eventsOf(10)
    const { stream, join, pass, done } = world(events)
    await pass()
    const { failed } = join()
    await pass()
    events.append(1, 1, (n) => ({ ...eventNumber(n), ...broken }))
    await pass(20)
    expect(String(await done)).toMatch(/JSON object|was expected/)
    expect(stream.isAvailable()).toBe(false)
    expect(failed).toEqual(['unavailable'])
  })

  it('stops loudly at an older event that can’t be sent', async () => {
    const events = new MemoryEvents()
    events.append(1, 1, (n) => ({ ...eventNumber(n), data: 'oops' }))
    for (let n = 0; n < 20; n++) events.append(100)
    const { join, pass, done } = world(events, { warmOffsets: 0 })
    await pass()
    join({ cursor: 'earliest' })
    await pass(20)
    expect(String(await done)).toContain('JSON object')
  })

  it('ends with its signal, and says of what time it is', async () => {
    const { stream, stop, done, pass } = world(eventsOf(10))
    expect(stream.asOf()).toBe('1970-01-01T00:00:00.000Z')
    await pass()
    await stream.caughtUp
    expect(stream.asOf()).toBe(eventNumber(9).time)
    stop.abort()
    await pass()
    expect(await done).toBeUndefined()
  })
})

describe('a hundred subscribers that replay the same range', () => {
  const readsFor = async (count: number) => {
    const events = eventsOf(20_000, 3)
    const { join, pass } = world(events, { ringBytes: 10_000, warmOffsets: 0 })
    await pass()
    const before = events.reads
    const cursor = cursorOf(new Lineage(events), { sequence: 500, hint: 0 })
    const received = Array.from({ length: count }, () => {
      const tally = { events: 0 }
      join(
        { cursor },
        {
          send(frame) {
            if (frame[9] === 'e'.charCodeAt(0)) tally.events++
            return true
          },
        },
      )
      return tally
    })
    await pass(50)
    expect(received.every(({ events: n }) => n === 19_501)).toBe(true)
    return events.reads - before
  }

  it('cost no more reads than twice those of one', async () => {
    const alone = await readsFor(1)
    expect(alone).toBeGreaterThan(20)
    expect(await readsFor(100)).toBeLessThanOrEqual(2 * alone)
  })
})

describe('while the process ends', () => {
  it('a subscriber that waits for the journal does not ask again and again', async () => {
    const closed = new JournalError('closed', 'the journal was closed')
    let isClosed = false
    const events = new MemoryEvents(async () => {
      if (isClosed) throw closed
    })
    events.append(3)
    const { join, pass, stop, time } = world(events)
    await pass()
    isClosed = true
    // A cursor beyond the tip: the journal has to say whether that event exists.
    join({ cursor: cursorOf(new Lineage(events), { sequence: 9, hint: 9 }) })
    stop.abort()
    let turns = 0
    for (; turns < 1_000 && time.step(); turns++) await settle()
    expect(turns).toBeLessThan(10)
  })
})
