import { isPublic, isServed } from '../contracts/indicators.ts'
import type { Expect } from './announced-days.ts'
import { type AnsweredSeries, answeredSeries } from './answered-series.ts'
import {
  type CalendarFacts,
  type DatedEntry,
  entriesOfYear,
  firstPrintsByYear,
  pendingEntries,
} from './calendar-entries.ts'
import type { StatementBoard } from './calendar-statements.ts'
import { indicatorsBehind } from './derive/derivations.ts'
import { firstIndex } from './first-index.ts'
import { shiftPeriod, yearOf } from './period.ts'
import { publisherDay } from './publisher-day.ts'
import type { Publication } from './release-calendar.ts'
import type { ReleaseDatesBoard } from './release-dates.ts'
import type { ReleaseIndex, SeriesRecord } from './release-index.ts'

/**
 * The release calendar, kept by cell (country, indicator and frequency) and year. What is made again after a record follows
 * from its content: the entries of its year and of the next one, those after a first print that came or went, and what is
 * pending. All of these only in the cells of its country whose series have its indicator behind them.
 */

type Facts = CalendarFacts & {
  readonly releaseIndex: Pick<ReleaseIndex, 'series' | 'changedAt' | 'changes'>
  readonly statements: Pick<StatementBoard, 'changes'>
  readonly releaseDates: Pick<ReleaseDatesBoard, 'count'>
  /** When releases are expected, by all that is known now. */
  readonly expectations: () => Expect
}
type Subject = AnsweredSeries<SeriesRecord>

/** Entries, and the state from which they follow. */
type Part = { readonly state: string; readonly entries: readonly DatedEntry[] }
const nothing: Part = { state: '', entries: [] }

type Cell = {
  /** State of the entries of all years. */
  state: string
  /** The series of the cell and their first period: all entries follow from them. */
  series: string
  /** The first prints of each series. */
  firstPrints: readonly (readonly Publication[])[]
  years: ReadonlyMap<string, Part>
  pending: Part
}

export class KeptCalendar {
  readonly #facts: Facts
  readonly #cells = new Map<string, Cell>()
  /** All entries, in their order. */
  #ordered: readonly DatedEntry[] = []
  /** Entries that are to be added to them, and to be taken out. */
  readonly #added = new Set<DatedEntry>()
  readonly #removed = new Set<DatedEntry>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** The cells whose entries are not up to date. */
  outdated(): string[] {
    return [...this.#series()]
      .filter(([key, record]) => this.#cell(key).state !== this.#stateOf(record))
      .map(([key]) => key)
  }

  /** Brings the entries of a cell up to date, but for what is pending. */
  refresh(key: string): void {
    const record = this.#series().get(key)
    if (record) this.#refresh(this.#cell(key), record)
  }

  /** All entries at `now` (UTC ms), in their order. Those of cells that are not up to date are made before. */
  entries(now: number): readonly DatedEntry[] {
    this.pending(now)
    for (const [key, record] of this.#series()) this.#refresh(this.#cell(key), record)
    if (this.#added.size + this.#removed.size > 0) {
      this.#ordered = replaced(this.#ordered, this.#removed, this.#added)
      this.#added.clear()
      this.#removed.clear()
    }
    return this.#ordered
  }

  /** What is late and what is expected next, at `now` (UTC ms). */
  pending(now: number): DatedEntry[] {
    const series = this.#series()
    const expect = this.#facts.expectations()
    for (const [key, record] of series) {
      const cell = this.#cell(key)
      const day = publisherDay(record.series.country, now)
      const state = `${this.#stateOf(record)} ${this.#facts.releaseDates.count} ${day}`
      if (cell.pending.state === state) continue
      const entries = pendingEntries(record, now, expect, this.#facts)
      this.#replace(cell.pending.entries, entries)
      cell.pending = { state, entries }
    }
    return [...this.#cells.values()].flatMap(({ pending }) => pending.entries)
  }

  /** What answers in each cell. Cells without a series are dropped: all of its prints were voided. */
  #series(): ReadonlyMap<string, Subject> {
    const isShown = ({ series: { country, indicator } }: SeriesRecord) =>
      isServed(indicator) && isPublic(indicator, country)
    const series = answeredSeries(this.#facts.releaseIndex.series().filter(isShown))
    for (const [key, { years, pending }] of this.#cells) {
      if (series.has(key)) continue
      for (const { entries } of [...years.values(), pending]) this.#replace(entries, [])
      this.#cells.delete(key)
    }
    return series
  }

  #cell(key: string): Cell {
    const cell = this.#cells.get(key) ?? { state: '', series: '', firstPrints: [], years: new Map(), pending: nothing }
    this.#cells.set(key, cell)
    return cell
  }

  #refresh(cell: Cell, record: Subject): void {
    const state = this.#stateOf(record)
    if (cell.state === state) return
    const series = [record.firstPeriod, ...record.ranked.map((one) => one.series.id)].join(' ')
    const firstPrints = record.ranked.map(({ publications }) => [...publications])
    const changedFrom = series === cell.series ? firstChange(cell.firstPrints, firstPrints) : ''
    const behind = indicatorsBehind(record.series)
    const stateOfYear = (year: string) => this.#stateOf(record, year, behind)
    const years = new Map<string, Part>()
    for (const [year, ofYear] of firstPrintsByYear(record, this.#facts)) {
      const known = cell.years.get(year)
      const state = `${stateOfYear(shiftPeriod(year, -1))} ${stateOfYear(year)}`
      const isSame = known?.state === state && year < yearOf(changedFrom)
      years.set(year, isSame ? known : { state, entries: entriesOfYear(record, year, ofYear, this.#facts) })
    }
    for (const [year, part] of cell.years) if (years.get(year) !== part) this.#replace(part.entries, [])
    for (const [year, part] of years) if (cell.years.get(year) !== part) this.#replace([], part.entries)
    cell.years = years
    cell.state = state
    cell.series = series
    cell.firstPrints = firstPrints
  }

  /** Number of records behind a series, about a year if it is given: what follows from them is the same while it is. */
  #stateOf({ series }: Subject, year?: string, behind = indicatorsBehind(series)): string {
    const { releaseIndex, statements } = this.#facts
    return behind
      .map(
        (each) =>
          `${releaseIndex.changes(series.country, each, year)} ${statements.changes(series.country, each, year)}`,
      )
      .join(' ')
  }

  #replace(before: readonly DatedEntry[], after: readonly DatedEntry[]): void {
    for (const entry of before) if (!this.#added.delete(entry)) this.#removed.add(entry)
    for (const entry of after) this.#added.add(entry)
  }
}

/** The earliest period at which two states of first prints differ; later than all if they do not. */
function firstChange(before: readonly (readonly Publication[])[], after: readonly (readonly Publication[])[]): string {
  let first = '9999'
  for (const [i, publications] of after.entries()) {
    const known = before[i] ?? []
    let same = 0
    while (same < publications.length && publications[same] === known[same]) same++
    for (const { period } of [...publications.slice(same, same + 1), ...known.slice(same, same + 1)])
      if (period < first) first = period
  }
  return first
}

/** Ordered entries without some of them and with others. What lies between two of these is copied as a whole. */
function replaced(
  all: readonly DatedEntry[],
  removed: ReadonlySet<DatedEntry>,
  added: ReadonlySet<DatedEntry>,
): DatedEntry[] {
  const parts: DatedEntry[][] = []
  let from = 0
  for (const entry of [...removed, ...added].sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))) {
    const at = firstIndex(all.length, (i) => (all[i]?.sortKey ?? '') < entry.sortKey, from)
    const isAdded = added.has(entry)
    parts.push(all.slice(from, at), isAdded ? [entry] : [])
    from = isAdded ? at : at + 1
  }
  return [...parts, all.slice(from)].flat()
}
