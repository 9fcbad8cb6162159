import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CalendarChange, Release, Signal } from '../../contracts/records.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { GRACE_DAYS, nothingWatched, QUIET_MS, type WatchState } from '../../domain/release-watch.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import { calendarProcessor } from '../../processors/calendar/process.ts'
import { valuesIn } from '../support/quotes-replay.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const DAY = 86_400_000
const series = testSeries({ source: 'TEST' })
const START = Date.parse('2025-06-01T09:00:00Z')
const FIRST = '2025-01'
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The processor on a journal in memory. `advance` gives its timers the time to fire. */
class Run {
  readonly releases: Release[] = []
  readonly changes: CalendarChange[] = []
  readonly signals: Signal[] = []
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
    calendarProcessor.process(this.state, recordOf('releases', release, this.releases.length))
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
      expected_on: null,
      reason: 'test',
      recorded_at: new Date(this.now).toISOString(),
    })
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
    const outputs = calendarProcessor.process(this.state, recordOf('calendar', change, this.changes.length))
    this.signals.push(...valuesIn(outputs, 'signals'))
  }

  seen(): string[] {
    return this.signals.map(({ type, subject }) => `${subject} ${type.split('.')[2]}`)
  }
}

function recordOf<T extends 'releases' | 'calendar'>(topic: T, value: JournalRecord<T>['value'], offset: number) {
  return { topic, partition: 0, offset, key: null, value, timestamp: START, headers: {} } as JournalRecord<T>
}

/** Three publications and time for the announcement of the fourth: 2025-04, expected on 2025-05-30. */
function started(): Run {
  const run = new Run()
  run.now = Date.parse('2025-05-01T00:00:00Z')
  for (let i = 0; i < 3; i++) run.publish()
  run.advance(QUIET_MS)
  return run
}

describe('the calendar processor', () => {
  it('announces what is expected, then that it is late, once and after a grace', () => {
    const run = started()
    expect(run.signals).toMatchObject([
      { type: 'calendar.release.expected', family: 'calendar', country: 'USA', subject: 'USA/cpi/2025-04' },
    ])
    expect(JSON.parse(run.signals[0]?.data ?? '')).toEqual({
      country: 'USA',
      indicator: 'cpi',
      series: series.id,
      period: '2025-04',
      expected_on: '2025-05-30',
      reason: null,
    })
    run.now = Date.parse('2025-05-30T00:00:00Z') + GRACE_DAYS * DAY
    run.advance(-1)
    expect(run.seen()).toEqual(['USA/cpi/2025-04 expected', 'USA/cpi/2025-05 expected'])
    for (const ms of [1, 0, DAY, 5 * DAY]) run.advance(ms)
    expect(run.seen()).toEqual(['USA/cpi/2025-04 expected', 'USA/cpi/2025-05 expected', 'USA/cpi/2025-04 late'])
  })

  it('says nothing while a history is still being read', () => {
    const run = new Run()
    for (let i = 0; i < 4; i++) {
      run.publish()
      run.advance(QUIET_MS - 1)
    }
    expect(run.seen()).toEqual([])
  })

  it('announces a cancellation at once, nothing of a cancelled release, and the date again after it is restored', () => {
    const run = started()
    run.say('cancelled', 1)
    run.say('restored', 1)
    run.advance(0)
    const first = ['expected', 'cancelled', 'restored', 'expected'].map((name) => `USA/cpi/2025-04 ${name}`)
    expect(run.seen()).toEqual(first)
    run.say('cancelled', 1)
    run.say('cancelled', 1)
    run.advance(60 * DAY)
    expect(run.seen().filter((line) => line.includes('2025-04'))).toEqual([...first, 'USA/cpi/2025-04 cancelled'])
    run.say('restored', 1)
    run.say('restored', 1)
    run.advance(0)
    expect(run.seen().slice(-2)).toEqual(['USA/cpi/2025-04 restored', 'USA/cpi/2025-04 late'])
    expect(new Set(run.signals.map(({ signal_id }) => signal_id)).size).toBe(run.signals.length)
  })

  it('says nothing of a release that was cancelled while the timer was on its way', () => {
    const run = started()
    run.now += 40 * DAY
    const due = run.due()
    expect(due[0]).toMatchObject({ change: 'late', period: '2025-04' })
    run.say('cancelled', 1)
    for (const each of due) run.append(each)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
  })

  it('says nothing of a release that came while the timer was on its way', () => {
    const run = started()
    run.now += 40 * DAY
    const [late, ...others] = run.due()
    expect(late?.change).toBe('late')
    run.publish()
    for (const each of [late, ...others]) if (each) run.append(each)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
    run.advance(QUIET_MS)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
  })

  it('announces each change once, whatever happens, and a rebuild topic by topic ends in the same state', () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.constant((run: Run) => run.publishIfBegun()) },
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }).map((days) => (run: Run) => run.advance(days * DAY)) },
      // A clock that was set back.
      fc.integer({ min: 1, max: 40 }).map((days) => (run: Run) => run.advance(-days * DAY)),
      fc.integer({ min: 1, max: 4 }).map((by) => (run: Run) => run.say('cancelled', by)),
      fc.integer({ min: 1, max: 4 }).map((by) => (run: Run) => run.say('restored', by)),
      // A former owner of the processor appends what it found.
      fc.constant((run: Run) => {
        const old = run.changes.at(-1)
        if (old) run.append(old)
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const run = started()
        for (const take of steps) take(run)
        run.advance(QUIET_MS)
        expect(run.due()).toEqual([])

        const seen = new Map<string, { isCancelled: boolean; isLate: boolean; dates: unknown[] }>()
        for (const { type, subject, data } of run.signals) {
          const known = seen.get(subject) ?? { isCancelled: false, isLate: false, dates: [] }
          const { expected_on } = JSON.parse(data)
          const is = (name: string) => type === `calendar.release.${name}`
          expect(known.isCancelled).toBe(is('restored'))
          if (is('late')) expect(known.isLate).toBe(false)
          if (is('expected')) expect(known.dates.at(-1)).not.toBe(expected_on)
          seen.set(subject, {
            isCancelled: is('cancelled'),
            isLate: !is('restored') && (is('late') || known.isLate),
            dates: is('restored') ? [] : is('expected') || is('late') ? [...known.dates, expected_on] : known.dates,
          })
        }

        const rebuilt = nothingWatched()
        const take = (record: JournalRecord<'releases'> | JournalRecord<'calendar'>) => {
          calendarProcessor.process(rebuilt, record)
        }
        for (const [i, release] of run.releases.entries()) take(recordOf('releases', release, i + 1))
        for (const [i, change] of run.changes.entries()) take(recordOf('calendar', change, i + 1))
        expect({ ...rebuilt, due: undefined }).toEqual({ ...run.state, due: undefined })
      }),
      { numRuns: 300 },
    )
  })
})
