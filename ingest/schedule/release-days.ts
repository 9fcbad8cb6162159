import type { ReleaseDates } from '../../contracts/release-dates.ts'
import { latest } from '../../domain/instant.ts'
import { type ReleaseDatesByName, takeReleaseDates } from '../../domain/release-dates.ts'

/** Days on which figures come out, as the calendars of their publishers on record state them. */
export type AnnouncedDays = {
  /** Each day, `YYYY-MM-DD`, with its instant in UTC; null if only the day is announced. */
  readonly days: ReadonlyMap<string, string | null>
  /** Last day up to which all the calendars reach. They say nothing of later days. */
  readonly last: string
}

/** Publishers' own calendars, as a fold over the topic `release_dates`. */
export class ReleaseDays {
  readonly #known: ReleaseDatesByName = new Map()

  apply(record: ReleaseDates): void {
    takeReleaseDates(this.#known, record)
  }

  /**
   * Days on which one of the figures (`USA/cpi`) comes out; undefined unless days of each of them are on record. If
   * several calendars have a figure, the days of all of them count, because to ask in vain costs little.
   */
  of(figures: readonly string[]): AnnouncedDays | undefined {
    const all = new Map<string, string | null>()
    const reach = figures.map((figure) => {
      const releases = [...this.#known.values()].filter(({ covers }) => covers.includes(figure))
      for (const { dates, times } of releases)
        for (const [i, day] of dates.entries()) all.set(day, times[i] ?? all.get(day) ?? null)
      return latest(...releases.map(({ dates }) => dates.at(-1) ?? ''))
    })
    const [last = ''] = reach.toSorted()
    return last === '' ? undefined : { days: all, last }
  }
}
