import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventOf } from '../../api/calendar-event.ts'
import { calendarOf } from '../../api/release-calendar.ts'
import type { CalendarChange, Release } from '../../contracts/records.ts'
import { addDays } from '../../domain/day.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { dueChanges, nothingWatched, watchChange, watchDates, watchRelease } from '../../domain/release-watch.ts'
import { releaseDates } from '../support/release-dates.ts'
import { testSeries } from '../support/releases.ts'
import { Releases } from './releases-in-memory.ts'

/** The event of a release through histories of all that can be recorded about it. */

const cpi = testSeries()
/** The index of another office, which answers where the first one has no figure. */
const elsewhere = testSeries({ dataset: 'T2' })
const DAY_MS = 86_400_000
const FIRST = '2024-01'
const indicators = ['cpi', 'inflation'] as const
const said = ['cancelled', 'never_published', 'restored'] as const

/** A consumer price index of two offices with the inflation that follows from it, a publisher's calendar, an operator and the timers. */
class History {
  readonly releases = new Releases()
  readonly #derived = nothingDerived()
  readonly #watched = nothingWatched()
  now = 0
  /** Newest period with a figure. */
  last = shiftPeriod(FIRST, -1)

  readonly calendar = calendarOf({
    figures: this.releases.board,
    releaseIndex: this.releases.releaseIndex,
    statements: this.releases.statements,
    releaseDates: this.releases.dates,
    clock: () => new Date(this.now),
  })

  get #at(): string {
    return new Date(this.now).toISOString()
  }

  figure(period: string, value: string | null, series = cpi): void {
    const current = this.releases.board.current(series.id, period)
    if (endOfPeriod(period) >= this.#at || (value === null ? !current : current?.figures.value === value)) return
    const over = {
      released: { on: this.#at.slice(0, 10), basis: 'publisher' as const },
      ...(value === null && { printed: null }),
    }
    const release = this.releases.accept(series, period, value === null ? {} : { value }, this.#at, over)
    const derived = deriveFrom(this.#derived, [release])
    for (const each of derived) {
      this.releases.board.apply(each)
      this.releases.releaseIndex.apply(each)
    }
    for (const each of [release, ...derived] satisfies Release[]) watchRelease(this.#watched, each)
    if (period > this.last) this.last = period
  }

  /** Reads the publisher's calendar, which has these days, counted from today. */
  announceIn(days: readonly number[], covers: readonly string[]): void {
    const all = new Set(days.map((by) => addDays(this.#at.slice(0, 10), by)))
    const dates = releaseDates([...all].sort(), { covers: [...covers], recorded_at: this.#at })
    this.releases.dates.apply(dates)
    watchDates(this.#watched, dates)
  }

  say(change: (typeof said)[number], indicator: (typeof indicators)[number], period: string): void {
    this.#change({ change, country: 'USA', indicator, period, series: cpi.id, ...unknownDay, reason: 'no survey' })
  }

  /** What the timers find is recorded. */
  notice(): void {
    for (const { dueAt, change } of dueChanges(this.#watched, this.now)) if (dueAt <= this.now) this.#change(change)
  }

  #change(change: Omit<CalendarChange, 'recorded_at'>): void {
    const recorded = { ...change, recorded_at: this.#at }
    this.releases.statements.apply(recorded)
    watchChange(this.#watched, recorded)
  }

  async events() {
    return (await this.calendar.entries()).flatMap((entry) => eventOf(entry, 'http://127.0.0.1'))
  }
}

/** 14 months of figures, each 15 days after its month, and a day to think. */
function begun(): History {
  const history = new History()
  for (let i = 0; i < 14; i++) {
    const period = shiftPeriod(FIRST, i)
    history.now = Date.parse(`${addDays(endOfPeriod(period), 15)}T13:00:00Z`)
    history.figure(period, String(100 + i))
  }
  history.now += DAY_MS
  return history
}

const near = fc.integer({ min: -2, max: 3 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('notice') }) },
  // A figure, a revision, or a withdrawal.
  fc.record({
    kind: fc.constant('figure'),
    by: near,
    value: fc.constantFrom('90', '110', null),
    series: fc.constantFrom(cpi, elsewhere),
  }),
  fc.record({
    kind: fc.constant('announce'),
    days: fc.array(fc.integer({ min: -30, max: 70 }), { maxLength: 4 }),
    covers: fc.constantFrom(['USA/cpi'], []),
  }),
  fc.record({
    kind: fc.constant('say'),
    by: near,
    change: fc.constantFrom(...said),
    indicator: fc.constantFrom(...indicators),
  }),
)
function take(history: History, taken: typeof step extends fc.Arbitrary<infer Step> ? Step : never): void {
  if ('change' in taken) history.say(taken.change, taken.indicator, shiftPeriod(history.last, taken.by))
  else if ('value' in taken) history.figure(shiftPeriod(history.last, taken.by), taken.value, taken.series)
  else if ('days' in taken) history.announceIn(taken.days, taken.covers)
  else history.notice()
}
const pauseMs = fc.oneof(
  fc.integer({ min: 1_000, max: 60_000 }),
  fc.integer({ min: 60_000, max: 40 * DAY_MS }),
  fc.constant(DAY_MS),
)

it('never falls for one UID, and rises with the day and the status, whatever is recorded', () => {
  return fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(pauseMs, step), { minLength: 1, maxLength: 25 }), async (steps) => {
      const history = begun()
      const seen = new Map<string, { readonly sequence: number; readonly shown: string }>()
      const look = async () => {
        for (const { uid, sequence, summary, day, status } of await history.events()) {
          // The day of what is cancelled follows from that of the releases before it, which may still come.
          const shown = `${summary} ${status === 'CANCELLED' ? '' : day} ${status}`
          const before = seen.get(uid)
          if (before) {
            expect(sequence, `${before.shown}, then ${shown}`).toBeGreaterThanOrEqual(before.sequence)
            if (before.shown !== shown) expect(sequence, `${before.shown}, then ${shown}`).not.toBe(before.sequence)
          }
          seen.set(uid, { sequence, shown })
        }
      }
      await look()
      for (const [pause, taken] of steps) {
        history.now += pause
        await look()
        take(history, taken)
        await look()
      }
    }),
    { numRuns: 100 },
  )
})
