import fc from 'fast-check'
import type { CalendarChange, Release, Series } from '../../contracts/records.ts'
import { expectReleases } from '../../domain/announced-days.ts'
import { gapOf } from '../../domain/calendar-gaps.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { addDays } from '../../domain/day.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { KeptCalendar } from '../../domain/kept-calendar.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { releaseDates } from '../support/release-dates.ts'
import { candidate, flowSeries, testSeries } from '../support/releases.ts'

/** Journals of all that the release calendar follows from, drawn record by record. */

const FIRST = '2021-01'
const MONTHS = 40
const DAY_MS = 86_400_000

export const cpi = testSeries()
/** The index of another office, which answers where the first one has no figure, and after it. */
export const elsewhere = testSeries({ dataset: 'T2' })
export const abroad = testSeries({ country: 'DEU' })
/** Has so few prints that all of them may be voided. */
export const small = testSeries({ country: 'FRA' })
const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]

export class DrawnCalendar {
  readonly #derived = nothingDerived()
  readonly #figures = new FigureBoard()
  readonly #releaseIndex = new ReleaseIndex()
  readonly #statements = new StatementBoard()
  readonly #releaseDates = new ReleaseDatesBoard()
  readonly kept = this.fromScratch()
  now = Date.parse('2024-05-20T12:00:00Z')

  /** A calendar that has made nothing yet. */
  fromScratch(): KeptCalendar {
    const [figures, releaseIndex, statements] = [this.#figures, this.#releaseIndex, this.#statements]
    const releaseDates = this.#releaseDates
    const isGap = (series: Series, period: string) => gapOf({ statements, figures }, series, period) !== undefined
    const daysOf = (country: string, indicator: string) => releaseDates.of(country, indicator)
    const expectations = () => expectReleases(releaseIndex.series(), daysOf, isGap)
    return new KeptCalendar({ figures, releaseIndex, statements, releaseDates, expectations })
  }

  get #at(): string {
    return new Date(this.now).toISOString()
  }

  /** A figure with its day of release; null withdraws it. Nothing is recorded if it is no news. */
  figure(series: Series, period: string, value: string | null, on: string): void {
    const known = this.#derived.prints.get(series.id)?.periods.get(period)
    if (value === null && !known) return
    const over = { released: { on, basis: 'publisher' as const }, ...(value === null && { printed: null }) }
    const figures: Record<string, string> = value === null ? {} : { value }
    const decision = decideRelease(known, candidate(series, period, figures, over), this.#at)
    if ('release' in decision) this.#record(decision.release)
  }

  /** Takes back the print that is current, which never was true. */
  voidPrint(series: Series, period: string): void {
    const print = this.#figures.current(series.id, period)
    if (!print) return
    const release_id = `void ${print.release_id}`
    this.#record({ ...print, release_id, figures: {}, published: {}, voids: print.release_id, recorded_at: this.#at })
  }

  #record(release: Release): void {
    for (const each of [release, ...deriveFrom(this.#derived, [release])]) {
      this.#figures.apply(each)
      this.#releaseIndex.apply(each)
    }
  }

  say(change: Pick<CalendarChange, 'change' | 'country' | 'indicator' | 'period'>, on: string | null): void {
    const day =
      on === null ? unknownDay : { expected_on: on, expected_at: null, expected_on_basis: 'publisher' as const }
    this.#statements.apply({
      ...change,
      series: cpi.id,
      ...day,
      reason: 'no survey',
      recorded_at: this.#at,
    })
  }

  announce(days: readonly string[], covers: readonly string[]): void {
    this.#releaseDates.apply(releaseDates([...new Set(days)].sort(), { covers: [...covers], recorded_at: this.#at }))
  }
}

/** Three years of the flows and an index, each month up to a month after its end: a usual lag has different days behind it. */
export function begun(): DrawnCalendar {
  const drawn = new DrawnCalendar()
  for (let i = 0; i < 36; i++) {
    const period = shiftPeriod(FIRST, i)
    for (const series of [cpi, exports, imports])
      drawn.figure(series, period, String(100 + i), addDays(endOfPeriod(period), 1 + ((i * 11) % 31)))
  }
  return drawn
}

const periods = fc.integer({ min: 0, max: MONTHS - 1 }).map((by) => shiftPeriod(FIRST, by))
const figure = fc.record({
  series: fc.constantFrom(cpi, elsewhere, abroad, small, exports, imports),
  period: periods,
  value: fc.constantFrom('90', '110', null),
  /** Days after the period. */
  after: fc.integer({ min: 1, max: 500 }),
})
/** The same day for some months in turn: only the newest of them is a publication then. */
const dataset = fc.record({
  series: fc.constantFrom(elsewhere, abroad),
  from: periods,
  months: fc.integer({ min: 1, max: 14 }),
  isBackwards: fc.boolean(),
})
const voided = fc.record({ series: fc.constantFrom(cpi, elsewhere, abroad, small), period: periods })
const said = fc.record({
  country: fc.constantFrom('USA', 'DEU'),
  change: fc.constantFrom(...(['cancelled', 'never_published', 'restored', 'expected', 'late'] as const)),
  indicator: fc.constantFrom('cpi' as const, 'trade-exports' as const, 'inflation' as const),
  period: periods,
  after: fc.option(fc.integer({ min: 1, max: 60 })),
})
const announced = fc.record({
  days: fc.array(fc.integer({ min: -30, max: 70 }), { maxLength: 4 }),
  covers: fc.constantFrom(['USA/cpi'], ['USA/trade-exports', 'USA/trade-imports'], []),
})
const waited = fc.integer({ min: 1, max: 40 })

type Step = (drawn: DrawnCalendar) => void

/** A step of a journal, and what it is, for a counterexample. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: figure.map((drawn) =>
      named(drawn, (to) => {
        const { series, period, value, after } = drawn
        to.figure(series, period, value, addDays(endOfPeriod(period), after))
      }),
    ),
  },
  dataset.map((drawn) =>
    named(drawn, (to) => {
      const { series, from, months, isBackwards } = drawn
      const all = Array.from({ length: months }, (_, i) => shiftPeriod(from, i))
      for (const period of isBackwards ? all.reverse() : all) to.figure(series, period, '100', '2024-05-10')
    }),
  ),
  voided.map((drawn) => named(drawn, (to) => to.voidPrint(drawn.series, drawn.period))),
  said.map((drawn) =>
    named(drawn, (to) => {
      const { after, ...change } = drawn
      to.say(change, after === null ? null : addDays(endOfPeriod(change.period), after))
    }),
  ),
  announced.map((drawn) =>
    named(drawn, (to) => {
      const today = new Date(to.now).toISOString().slice(0, 10)
      to.announce(
        drawn.days.map((by) => addDays(today, by)),
        drawn.covers,
      )
    }),
  ),
  waited.map((days) =>
    named(days, (to) => {
      to.now += days * DAY_MS
    }),
  ),
)

const named = (drawn: unknown, step: Step): Step =>
  Object.assign(step, { [fc.toStringMethod]: () => JSON.stringify(drawn) })
