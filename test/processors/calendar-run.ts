import type { CalendarChange, Release, Signal } from '../../contracts/records.ts'
import type { ReleaseDates } from '../../contracts/release-dates.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { nothingWatched, QUIET_MS, type WatchState } from '../../domain/release-watch.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import { calendarProcessor } from '../../processors/calendar/process.ts'
import { valuesIn } from '../support/quotes-replay.ts'
import { releaseDates } from '../support/release-dates.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

export const DAY = 86_400_000
export const series = testSeries({ source: 'TEST' })
const START = Date.parse('2025-06-01T09:00:00Z')
const FIRST = '2025-01'
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The processor on a journal in memory. `advance` gives its timers the time to fire. */
export class CalendarRun {
  readonly releases: Release[] = []
  readonly changes: CalendarChange[] = []
  readonly signals: Signal[] = []
  readonly dates: ReleaseDates[] = []
  readonly state: WatchState = nothingWatched()
  now = START

  /** Publishes the next period, with a lag of 30 days before the start. */
  publish(): void {
    const last = this.releases.at(-1)?.period
    const period = last === undefined ? FIRST : shiftPeriod(last, 1)
    const on = dayOf(Math.min(this.now, Date.parse(endOfPeriod(period)) + 30 * DAY))
    const released = { on, basis: 'publisher' } as const
    const release = accepted(
      candidate(series, period, { value: '1' }, { released }),
      undefined,
      new Date(this.now).toISOString(),
    )
    this.releases.push(release)
    calendarProcessor.process(this.state, recordIn('releases', release, this.releases.length))
  }

  /** Another office publishes a period, counted from the last one. */
  publishElsewhere(by: number): void {
    const period = shiftPeriod(this.releases.at(-1)?.period ?? FIRST, by)
    const released = { on: dayOf(this.now), basis: 'publisher' } as const
    const other = testSeries({ source: 'TEST', dataset: 'T2' })
    const release = accepted(
      candidate(other, period, { value: '1' }, { released }),
      undefined,
      new Date(this.now).toISOString(),
    )
    calendarProcessor.process(this.state, recordIn('releases', release, this.releases.length + 1))
  }

  publishIfBegun(): void {
    const next = shiftPeriod(this.releases.at(-1)?.period ?? FIRST, 1)
    if (dayOf(this.now) > endOfPeriod(next)) this.publish()
  }

  say(change: 'cancelled' | 'restored', by: number): void {
    const period = shiftPeriod(this.releases.at(-1)?.period ?? FIRST, by)
    this.append({
      change,
      country: series.country,
      indicator: 'cpi',
      period,
      series: series.id,
      ...unknownDay,
      reason: 'test',
      recorded_at: new Date(this.now).toISOString(),
    })
  }

  /** Reads the publisher’s calendar, which has these days now. */
  announce(days: readonly string[], over: Partial<ReleaseDates> = {}): void {
    const recorded_at = new Date(this.now).toISOString()
    this.dates.push(releaseDates(days, { recorded_at, ...over }))
    const [newest] = this.dates.slice(-1) as [ReleaseDates]
    calendarProcessor.process(this.state, recordIn('release_dates', newest, this.dates.length))
  }

  advance(ms: number): void {
    this.now += ms
    for (const tick of this.due()) this.append(tick)
  }

  due(): CalendarChange[] {
    const timers = [...(calendarProcessor.timers?.(this.state, this.now) ?? [])]
    return valuesIn(
      timers.filter(({ dueAt }) => dueAt <= this.now).map(({ tick }) => tick(this.now)),
      'calendar',
    )
  }

  append(change: CalendarChange): void {
    this.changes.push(change)
    const outputs = calendarProcessor.process(this.state, recordIn('calendar', change, this.changes.length))
    this.signals.push(...valuesIn(outputs, 'signals'))
  }

  seen(): string[] {
    return this.signals.map(({ type, subject }) => `${subject} ${type.split('.')[2]}`)
  }
}

export function recordIn<T extends 'releases' | 'calendar' | 'release_dates'>(
  topic: T,
  value: JournalRecord<T>['value'],
  offset: number,
) {
  return { topic, partition: 0, offset, key: null, value, timestamp: START, headers: {} } as JournalRecord<T>
}

/** Three publications and time for the announcement of the fourth: 2025-04, expected on 2025-05-30. */
export function startedRun(): CalendarRun {
  const run = new CalendarRun()
  run.now = Date.parse('2025-05-01T00:00:00Z')
  for (let i = 0; i < 3; i++) run.publish()
  run.advance(QUIET_MS)
  return run
}

/** The state of a processor that reads the topics of a run one after the other, in this order. */
export function rebuilt(run: CalendarRun, order: readonly ('releases' | 'calendar' | 'release_dates')[]): WatchState {
  const state = nothingWatched()
  const records = { releases: run.releases, calendar: run.changes, release_dates: run.dates }
  for (const topic of order) {
    for (const [i, value] of records[topic].entries()) {
      // A cast, because TypeScript does not tie the records to their topic.
      calendarProcessor.process(state, recordIn(topic, value, i + 1) as JournalRecord<'calendar'>)
    }
  }
  return state
}
