import type { ApiDeps, DatedReads } from '../../api/deps.ts'
import type { EventRecord, Release, Series } from '../../contracts/records.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import type { Candidate } from '../../domain/decide-release.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { NewestRecords } from '../../domain/newest-records.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { type Logged, memoryPublished, memoryVintages } from '../support/memory-vintages.ts'
import { AT, accepted, candidate } from '../support/releases.ts'

/** A journal of releases in memory: the offset of a release is its place, as the read models would know it. */
export class Releases {
  readonly board = new FigureBoard()
  readonly releaseIndex = new ReleaseIndex()
  readonly newestRecords = new NewestRecords()
  readonly statements = new StatementBoard()
  readonly dates = new ReleaseDatesBoard()
  readonly log: Logged[] = []
  readonly events: EventRecord[] = []

  /** Accepts figures as the ingest would; gives back the release. `derived`: what it has as one that is derived. */
  accept(
    of: Series,
    period: string,
    figures: Record<string, string>,
    at = AT,
    over: Partial<Candidate> = {},
    derived: Partial<Pick<Release, 'inputs'>> = {},
  ): Release {
    const previous = this.board.current(of.id, period)
    return this.record({ ...accepted(candidate(of, period, figures, over), previous, at), ...derived })
  }

  /** Takes a release as it stands in the journal. */
  record(release: Release): Release {
    const event = eventOfRelease(this.board, release, this.events.length + 1)
    if (event) this.events.push(event)
    this.releaseIndex.apply(release)
    // Offsets are not dense in a journal: a transaction leaves a hole.
    const offset = this.log.length * 2
    this.newestRecords.note(offset, release)
    this.log.push({ offset, release })
    return release
  }

  readonly vintages = memoryVintages(() => this.log)
  readonly history: ApiDeps['history'] = this.vintages

  /** The read models of the releases by a day. */
  asOf(day: string): Pick<DatedReads, 'history' | 'vintages' | 'events' | 'published'> {
    const cut = new Releases()
    const vintages = memoryVintages(() => this.log, day)
    cut.events.push(...this.events.filter(({ data }) => JSON.parse(data).released_on <= day))
    const published = memoryPublished(() => this.log, day)
    return { history: vintages, vintages, events: cut.eventQueries, published }
  }

  /** The first event still kept. */
  firstKept = 1
  /** How far the projector has come; the journal itself may be further. */
  projected = Number.MAX_SAFE_INTEGER

  get #held(): EventRecord[] {
    return this.events.filter(({ sequence }) => sequence >= this.firstKept && sequence <= this.projected)
  }
  readonly #bounds = () => {
    const place = (event: EventRecord) => ({ sequence: event.sequence, recordedAt: event.time })
    const [first, last] = [this.#held.at(0), this.#held.at(-1)]
    return first && last && { first: place(first), last: place(last) }
  }

  /** The journal that exports read: an event at each second offset. */
  readonly journal: ApiDeps['journal'] = {
    bounds: async () => ({ start: (this.firstKept - 1) * 2, end: this.events.length * 2 }),
    newest: async () => this.#records().at(-1) as never,
    offsetForTime: async (_topic, _partition, time) =>
      this.#records().find(({ timestamp }) => timestamp >= time)?.offset ?? this.events.length * 2,
    read: async (_topic, _partition, offset, limits) => {
      const end = this.events.length * 2
      const all = this.#records().filter((record) => record.offset >= offset)
      const records = all.slice(0, limits?.maxRecords)
      const next = records.length < all.length ? (records.at(-1)?.offset ?? offset) + 1 : end
      return { records, next, end } as never
    },
  }

  readonly #records = () =>
    this.events
      .map((value, i) => ({ value, offset: i * 2, timestamp: Date.parse(value.time) }))
      .filter(({ value }) => value.sequence >= this.firstKept)

  readonly eventQueries: ApiDeps['events'] = {
    bounds: async () => this.#bounds(),
    byId: async (id) => this.#held.find((event) => event.id === id),
    recordedFrom: async (at) =>
      this.#held.find(({ time }) => Date.parse(time) >= at)?.sequence ?? (this.#held.at(-1)?.sequence ?? 0) + 1,
    page: async ({ from, families, countries, types, limit }) => {
      const bounds = this.#bounds()
      const matching = this.#held.filter(
        ({ sequence, family, country, type }) =>
          sequence >= from &&
          (families?.includes(family) ?? true) &&
          (countries?.includes(country ?? '') ?? true) &&
          (types?.includes(type) ?? true),
      )
      const events = matching.slice(0, limit)
      const full = events.length === limit ? events.at(-1)?.sequence : undefined
      return { events, scannedTo: full ?? bounds?.last.sequence ?? 0, bounds }
    },
  }
}
