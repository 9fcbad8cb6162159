import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventFilter, passes } from '../../../domain/event-filter.ts'
import type { EncodedEvent } from '../../../streams/events/encoded-event.ts'
import { type Indexed, Subscribers } from '../../../streams/events/subscribers.ts'

const COUNTRIES = ['DEU', 'FRA', 'USA']
const FAMILIES = ['labour', 'trade']
const TYPES = ['economics.release.published', 'economics.release.revised']

class Waiting implements Indexed {
  isParked: boolean
  wakes = 0
  readonly filter: EventFilter

  constructor(filter: EventFilter, isParked = true) {
    this.filter = filter
    this.isParked = isParked
  }

  wake(): void {
    this.wakes++
    this.isParked = false
  }
}

const some = (values: readonly string[]) => fc.subarray([...values]).map((chosen) => new Set(chosen))
const filters = fc.record({
  countries: fc.option(some(COUNTRIES)),
  families: some(FAMILIES),
  types: fc.option(some(TYPES)),
})
const fields = fc.record({
  country: fc.option(fc.constantFrom(...COUNTRIES)),
  family: fc.constantFrom(...FAMILIES),
  type: fc.constantFrom(...TYPES),
})
const eventsFrom = (first: number, drawn: readonly Pick<EncodedEvent, 'country' | 'family' | 'type'>[]) =>
  drawn.map((event, i) => ({ ...event, sequence: first + i, offset: first + i, frame: new Uint8Array() }))
const usual = { country: 'USA', family: 'trade', type: 'economics.release.published' }
const all: EventFilter = { countries: null, families: new Set(FAMILIES), types: null }
const none: EventFilter = { ...all, countries: new Set() }

/** Subscribers with one of each filter. */
function indexed(...filters: readonly EventFilter[]) {
  const subscribers = new Subscribers<Waiting>()
  const waiting = filters.map((filter) => new Waiting(filter))
  for (const one of waiting) subscribers.add(one)
  return { subscribers, waiting, wakes: () => waiting.map(({ wakes }) => wakes) }
}

describe('events wake', () => {
  it('once each subscriber that waits and wants one of them, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(filters, fc.boolean(), fc.boolean()), { maxLength: 20 }),
        fc.array(fields, { minLength: 1, maxLength: 5 }),
        (drawn, events) => {
          const { subscribers, waiting, wakes } = indexed(...drawn.map(([filter]) => filter))
          const expected = drawn.map(([filter, isParked, leaves], i) => {
            const one = waiting[i] as Waiting
            one.isParked = isParked
            if (leaves) subscribers.delete(one)
            return Number(isParked && !leaves && events.some((event) => passes(filter, event)))
          })
          subscribers.wakeFor(eventsFrom(7, events), 7)
          expect(wakes()).toEqual(expected)
        },
      ),
    )
  })

  it('all subscribers if some may have expired unread, or if none was awaited', () => {
    for (const next of [6, 0]) {
      const { subscribers, wakes } = indexed(all, none)
      subscribers.wakeFor(eventsFrom(7, [usual]), next)
      expect(wakes()).toEqual([1, 1])
    }
  })

  it('those that start beyond the tip, whatever they want, and only the next events do', () => {
    for (const next of [7, 6]) {
      const { subscribers, waiting, wakes } = indexed(none)
      for (const one of waiting) subscribers.wakeNext(one)
      subscribers.wakeFor(eventsFrom(7, [usual]), next)
      subscribers.wakeFor(eventsFrom(8, [usual]), 8)
      expect(wakes()).toEqual([1])
    }
  })

  it('nobody who has left', () => {
    const { subscribers, waiting, wakes } = indexed(all, none, { ...all, countries: new Set(['USA']) })
    for (const one of waiting) {
      subscribers.wakeNext(one)
      subscribers.delete(one)
    }
    expect([...subscribers]).toEqual([])
    subscribers.wakeFor(eventsFrom(7, [usual]), 6)
    subscribers.wakeFor(eventsFrom(8, [usual]), 8)
    expect(wakes()).toEqual([0, 0, 0])
  })
})
