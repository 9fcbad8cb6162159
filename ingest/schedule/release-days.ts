import type { ReleaseDates } from '../../contracts/release-dates.ts'
import { keys } from '../../journal/layout.ts'

/** Days on which figures come out, as the calendars of their publishers on record state them. */
export type AnnouncedDays = {
  /** Each day, `YYYY-MM-DD`, with its instant in UTC; null if only the day is announced. */
  readonly days: ReadonlyMap<string, string | null>
  /** Last day up to which all the calendars reach. They say nothing of later days. */
  readonly last: string
}

type Release = AnnouncedDays & Pick<ReleaseDates, 'covers'>

/** Publishers' own calendars, as a fold over the topic `release_dates`. */
export class ReleaseDays {
  readonly #releases = new Map<string | null, Release>()

  apply(record: ReleaseDates): void {
    const { covers, dates, times } = record
    const days = new Map(dates.map((day, i) => [day, times[i] ?? null]))
    this.#releases.set(keys.release_dates(record), { covers, days, last: dates.at(-1) ?? '' })
  }

  /**
   * Days on which one of the figures (`USA/cpi`) comes out; undefined unless days of each of them are on record. If
   * several calendars have a figure, the days of all of them count, because to ask in vain costs little.
   */
  of(figures: readonly string[]): AnnouncedDays | undefined {
    const all = new Map<string, string | null>()
    const reach = figures.map((figure) => {
      const releases = [...this.#releases.values()].filter(({ covers }) => covers.includes(figure))
      for (const { days } of releases) for (const [day, instant] of days) all.set(day, instant ?? all.get(day) ?? null)
      return releases.map(({ last }) => last).reduce(later, '')
    })
    const last = reach.reduce(earlier, reach[0] ?? '')
    return last === '' ? undefined : { days: all, last }
  }
}

const later = (a: string, b: string): string => (a > b ? a : b)
const earlier = (a: string, b: string): string => (a < b ? a : b)
