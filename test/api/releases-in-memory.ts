import type { ApiDeps, DatedReads } from '../../api/deps.ts'
import type { EventRecord, Release, Series } from '../../contracts/records.ts'
import { answersOverTime } from '../../domain/answers-over-time.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import type { Candidate } from '../../domain/decide-release.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import type { HistoryPosition } from '../../domain/history-cursor.ts'
import type { KnownSeries } from '../../domain/history-row.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { AT, accepted, candidate } from '../support/releases.ts'

type Logged = { readonly offset: number; readonly release: Release }
type Range = Parameters<ApiDeps['history']['vintages']>[0]

/** The figures of releases in the order of a history, after the last entry that was read. */
function figuresOf(logged: readonly Logged[], { series, figures, after, limit, isNewestFirst = false }: Range) {
  const sign = isNewestFirst ? -1 : 1
  const compare = (a: HistoryPosition, b: HistoryPosition) =>
    a.period === b.period ? a.figure - b.figure || a.offset - b.offset : a.period < b.period ? -sign : sign
  return logged
    .flatMap(({ offset, release }) =>
      figures.flatMap((figure, i) => {
        const value = release.figures[figure]
        const { series: of, ...entry } = release
        return value === undefined ? [] : [{ ...entry, place: series.indexOf(of.id) + 1, number: i + 1, value, offset }]
      }),
    )
    .map((entry) => ({ entry, at: { period: entry.period, figure: entry.number, offset: entry.offset } }))
    .filter(({ at }) => after === null || compare(at, after) > 0)
    .sort((a, b) => compare(a.at, b.at))
    .map(({ entry }) => entry)
    .slice(0, limit)
}

const placeInTime = ({ period, released_on, offset }: Pick<Release, 'period' | 'released_on'> & { offset: number }) =>
  [period, released_on, String(offset).padStart(16, '0')].join('/')

/** A journal of releases in memory: the offset of a release is its place, as the read models would know it. */
export class Releases {
  readonly board = new FigureBoard()
  readonly releaseIndex = new ReleaseIndex()
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
    const release = { ...accepted(candidate(of, period, figures, over), previous, at), ...derived }
    const event = eventOfRelease(this.board, release, this.events.length + 1)
    if (event) this.events.push(event)
    this.releaseIndex.apply(release)
    // Offsets are not dense in a journal: a transaction leaves a hole.
    this.log.push({ offset: this.log.length * 2, release })
    return release
  }

  readonly history: ApiDeps['history'] = {
    series: async (country, indicator, snapshot) => {
      const known = new Map<string, KnownSeries>()
      for (const { offset, release } of this.log) {
        const { series, released_on, recorded_at } = release
        if (series.country !== country || series.indicator !== indicator || offset > snapshot) continue
        const before = known.get(series.id)?.firstReleasedOn ?? released_on
        const [firstReleasedOn = released_on] = [before, released_on].sort()
        known.set(series.id, { ...series, firstReleasedOn, newest: offset, recordedAt: recorded_at })
      }
      return [...known.values()]
    },
    observations: async ({ asOf, ...range }) => {
      const current = new Map<string, Logged>()
      for (const logged of this.#inRange(range)) {
        const { series, period, released_on } = logged.release
        if (asOf !== '' && released_on > asOf) continue
        const known = current.get(period)?.release.series.id ?? series.id
        if (range.series.indexOf(series.id) <= range.series.indexOf(known)) current.set(period, logged)
      }
      const single = [...current.values()].map(({ release }) => ({ offset: 0, release }))
      return figuresOf(single, range)
    },
    seriesOfMany: async (countries, indicators) => {
      const cells = countries.flatMap((country) => indicators.map((indicator) => [country, indicator] as const))
      const all = await Promise.all(cells.map((cell) => this.history.series(...cell, Number.MAX_SAFE_INTEGER)))
      return all.flat()
    },
    inForce: async ({ asOf, ...range }) => {
      const current = new Map<string, Logged>()
      for (const logged of this.#inRange(range as Range)) {
        const { series, period, released_on } = logged.release
        if (asOf === '' || released_on <= asOf) current.set(`${period} ${series.id}`, logged)
      }
      return [...current.values()].flatMap(({ release }) => {
        const { series, period, figures, released_on, released_on_basis } = release
        const place = range.series.indexOf(series.id) + 1
        return Object.keys(figures).length === 0 ? [] : [{ period, place, figures, released_on, released_on_basis }]
      })
    },
    vintages: async (range) => {
      const { series, after, limit } = range
      const prints = this.#inRange(range).map(({ offset, release }) => {
        return { ...release, offset, place: series.indexOf(release.series.id) + 1 }
      })
      const inOrder = prints.sort((a, b) => (placeInTime(a) < placeInTime(b) ? -1 : 1))
      const all = [...Map.groupBy(inOrder, ({ period }) => period).values()].flatMap((own) =>
        answersOverTime(own, range).map(({ print: { series: _, ...print }, validFrom, ...entry }) => {
          return { ...print, ...entry, valid_from: validFrom }
        }),
      )
      const place = all.findIndex(
        ({ period, number, offset }) => period === after?.period && number === after.figure && offset === after.offset,
      )
      return after && place < 0 ? undefined : all.slice(place + 1, place + 1 + limit)
    },
    prints: async ({ periods, ...range }) =>
      this.#inRange({ ...range, start: '', end: '' } as Range)
        .filter(({ release }) => periods.includes(release.period))
        .map(({ offset, release }) => ({ ...release, offset, place: range.series.indexOf(release.series.id) + 1 }))
        .sort((a, b) => (placeInTime(a) < placeInTime(b) ? -1 : 1)),
    watermark: async () => this.log.at(-1)?.offset,
  }

  readonly vintages: ApiDeps['vintages'] = {
    byIds: async (ids) => this.log.map(({ release }) => release).filter(({ release_id }) => ids.includes(release_id)),
    idsOf: async (country, indicator, period) =>
      this.log
        .map(({ release }) => release)
        .filter(
          ({ series, period: of }) => series.country === country && series.indicator === indicator && of === period,
        )
        .map(({ release_id }) => release_id),
    successorOf: async ({ release_id }) => {
      const successor = this.log.find(({ release }) => release.revises === release_id)?.release
      return successor && { releaseId: successor.release_id, isVoiding: false }
    },
    watermark: async () => this.log.at(-1)?.offset,
  }

  /** The read models of the releases by a day. */
  asOf(day: string): Pick<DatedReads, 'history' | 'vintages' | 'events' | 'published'> {
    const cut = new Releases()
    cut.log.push(...this.log.filter(({ release }) => release.released_on <= day))
    cut.events.push(...this.events.filter(({ data }) => JSON.parse(data).released_on <= day))
    const byIndicator = Map.groupBy(cut.log, ({ release }) => release.series.indicator)
    const countriesOf = (logged: readonly Logged[]) => new Set(logged.map(({ release }) => release.series.country))
    const published: DatedReads['published'] = {
      cells: async () => new Map([...byIndicator].map(([name, logged]) => [name, [...countriesOf(logged)].sort()])),
      releases: async (country) =>
        cut.log
          .map(({ release }) => release)
          .filter(({ series }) => series.country === country)
          .sort((a, b) => (a.released_on < b.released_on ? -1 : 1)),
    }
    return { history: cut.history, vintages: cut.vintages, events: cut.eventQueries, published }
  }

  #inRange({ series, snapshot, start, end }: Range): Logged[] {
    return this.log.filter(
      ({ offset, release: { series: own, period } }) =>
        series.includes(own.id) && offset <= snapshot && period >= start && (end === '' || period <= end),
    )
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
