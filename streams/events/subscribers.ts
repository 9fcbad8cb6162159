import { type EventFilter, passes } from '../../domain/event-filter.ts'
import type { EncodedEvent } from './encoded-event.ts'

/** What the index needs of a subscriber. */
export type Indexed = {
  readonly filter: EventFilter
  /** Whether it waits at the tip. */
  readonly isParked: boolean
  wake(): void
}

/**
 * The subscribers of a process, indexed by filter: events wake those that wait for one of them, and nobody else.
 *
 * Each is found by the values of one member of its filter: countries, else types, else families. No value belongs to two
 * members.
 */
export class Subscribers<S extends Indexed> implements Iterable<S> {
  readonly #all = new Set<S>()
  readonly #byValue = new Map<string, Set<S>>()
  /** Those that start beyond the tip. Any event may be the last before their start. */
  readonly #ahead = new Set<S>()

  add(subscriber: S): void {
    this.#all.add(subscriber)
    for (const value of valuesOf(subscriber.filter)) {
      const those = this.#byValue.get(value)
      if (those) those.add(subscriber)
      else this.#byValue.set(value, new Set([subscriber]))
    }
  }

  delete(subscriber: S): void {
    this.#all.delete(subscriber)
    this.#ahead.delete(subscriber)
    for (const value of valuesOf(subscriber.filter)) {
      const those = this.#byValue.get(value)
      those?.delete(subscriber)
      if (those?.size === 0) this.#byValue.delete(value)
    }
  }

  [Symbol.iterator](): Iterator<S> {
    return this.#all.values()
  }

  /** Has a subscriber that starts beyond the tip woken by the next events, whichever these are. */
  wakeNext(subscriber: S): void {
    this.#ahead.add(subscriber)
  }

  /**
   * Wakes those that new events concern: all of them, unless the first event is the one that was awaited, `next`. Others may
   * have expired unread.
   */
  wakeFor(events: readonly EncodedEvent[], next: number): void {
    const isDense = events[0]?.sequence === next
    for (const subscriber of isDense ? this.#ahead : this.#all) subscriber.wake()
    this.#ahead.clear()
    if (!isDense) return
    for (const [value, those] of byValue(events)) {
      for (const subscriber of this.#byValue.get(value) ?? []) {
        if (subscriber.isParked && those.some((event) => passes(subscriber.filter, event))) subscriber.wake()
      }
    }
  }
}

const valuesOf = ({ countries, types, families }: EventFilter): ReadonlySet<string> => countries ?? types ?? families

/** Events by each of their values. Of those that no filter tells apart there is one. */
function byValue(events: readonly EncodedEvent[]): Map<string, EncodedEvent[]> {
  const distinct = new Map(events.map((event) => [`${event.country} ${event.type} ${event.family}`, event]))
  const grouped = new Map<string, EncodedEvent[]>()
  for (const event of distinct.values()) {
    for (const value of [event.country ?? '', event.type, event.family]) {
      const those = grouped.get(value)
      if (those) those.push(event)
      else grouped.set(value, [event])
    }
  }
  return grouped
}
