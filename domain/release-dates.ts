import type { ReleaseDates } from '../contracts/release-dates.ts'
import { latest } from './instant.ts'

export type AnnouncedDay = {
  /** Day in the publisher’s time zone, YYYY-MM-DD. */
  readonly on: string
  /** The instant, ISO 8601 UTC; null if the calendar states days only. */
  readonly at: string | null
}

/** The newest record of each calendar and release. Plain data, so that a checkpoint can hold it. */
export type ReleaseDatesByName = Map<string, ReleaseDates>

/** Calendars that repeat what others announce. They may be behind, so the publisher’s own goes before. */
const copies: ReadonlySet<string> = new Set(['fred'])

export function takeReleaseDates(known: ReleaseDatesByName, dates: ReleaseDates): void {
  known.set(nameOf(dates), dates)
}

const nameOf = ({ calendar, release }: ReleaseDates): string => `${calendar}/${release}`

/**
 * The days on which a figure of a country is announced to come out, in order: those of all releases that cover it. If a
 * calendar of its publisher does, copies of calendars do not count. Empty if none does.
 */
export function announcedDays(known: ReleaseDatesByName, country: string, indicator: string): AnnouncedDay[] {
  const all = [...known.values()].filter(({ covers }) => covers.includes(`${country}/${indicator}`))
  // A release that its calendar no longer has is on record without days.
  const covering = all.filter(({ dates }) => dates.length > 0)
  const own = covering.filter(({ calendar }) => !copies.has(calendar))
  const days = new Map<string, string | null>()
  for (const { dates, times } of own.length > 0 ? own : covering) {
    for (const [i, on] of dates.entries()) days.set(on, earlier(days.get(on), times[i]))
  }
  return [...days].map(([on, at]) => ({ on, at })).sort((a, b) => (a.on < b.on ? -1 : 1))
}

/** The earlier of two instants. One that is unknown does not count. */
const earlier = (a: string | null | undefined, b: string | undefined): string | null =>
  a && b ? (a < b ? a : b) : (a ?? b ?? null)

/** When the newest of the records was recorded; empty if there is none. */
export const newestReleaseDates = (known: ReleaseDatesByName): string =>
  latest(...Array.from(known.values(), ({ recorded_at }) => recorded_at))

/** The publishers’ calendars, as a fold over the topic `release_dates`. The calendar of the api reads it. */
export class ReleaseDatesBoard {
  readonly #known: ReleaseDatesByName = new Map()
  /** All records, so that the board of an earlier day can be made. */
  readonly #records: ReleaseDates[] = []
  /** By `COUNTRY/indicator`. */
  readonly #changedAt = new Map<string, string>()

  apply(dates: ReleaseDates): void {
    // A figure that a calendar no longer covers has other days now, too.
    for (const figure of [...(this.#known.get(nameOf(dates))?.covers ?? []), ...dates.covers])
      this.#changedAt.set(figure, latest(this.#changedAt.get(figure) ?? '', dates.recorded_at))
    takeReleaseDates(this.#known, dates)
    this.#records.push(dates)
  }

  /** Number of records applied: while it stays the same, so does everything else. */
  get count(): number {
    return this.#records.length
  }

  get recordedAt(): string {
    return newestReleaseDates(this.#known)
  }

  /** When the newest record that concerns a figure was recorded; empty if there is none. */
  changedAt(country: string, indicator: string): string {
    return this.#changedAt.get(`${country}/${indicator}`) ?? ''
  }

  /** The board at the end of a day, YYYY-MM-DD in UTC. */
  until(day: string): ReleaseDatesBoard {
    const board = new ReleaseDatesBoard()
    for (const dates of this.#records) if (dates.recorded_at.slice(0, day.length) <= day) board.apply(dates)
    return board
  }

  of(country: string, indicator: string): AnnouncedDay[] {
    return announcedDays(this.#known, country, indicator)
  }
}
