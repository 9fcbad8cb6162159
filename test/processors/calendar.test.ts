import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GRACE_DAYS, QUIET_MS } from '../../domain/release-watch.ts'
import { CalendarRun, DAY, rebuilt, series, startedRun } from './calendar-run.ts'

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

describe('the calendar processor', () => {
  it('announces what is expected, then that it is late, once and after a grace', () => {
    const run = startedRun()
    expect(run.signals).toMatchObject([
      { type: 'calendar.release.expected', family: 'calendar', country: 'USA', subject: 'USA/cpi/2025-04' },
    ])
    expect(JSON.parse(run.signals[0]?.data ?? '')).toEqual({
      country: 'USA',
      indicator: 'cpi',
      series: series.id,
      period: '2025-04',
      expected_on: '2025-05-30',
      expected_on_basis: 'lag',
      expected_at: null,
      reason: null,
    })
    run.now = Date.parse('2025-05-30T00:00:00Z') + GRACE_DAYS * DAY
    run.advance(-1)
    expect(run.seen()).toEqual(['USA/cpi/2025-04 expected', 'USA/cpi/2025-05 expected'])
    for (const ms of [1, 0, DAY, 5 * DAY]) run.advance(ms)
    expect(run.seen()).toEqual(['USA/cpi/2025-04 expected', 'USA/cpi/2025-05 expected', 'USA/cpi/2025-04 late'])
  })

  it('says nothing while a history is still being read', () => {
    const run = new CalendarRun()
    for (let i = 0; i < 4; i++) {
      run.publish()
      run.advance(QUIET_MS - 1)
    }
    expect(run.seen()).toEqual([])
  })

  it('announces a cancellation at once, nothing of a cancelled release, and the date again after it is restored', () => {
    const run = startedRun()
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
    const run = startedRun()
    run.now += 40 * DAY
    const due = run.due()
    expect(due[0]).toMatchObject({ change: 'late', period: '2025-04' })
    run.say('cancelled', 1)
    for (const each of due) run.append(each)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
  })

  it('says nothing of a release that came while the timer was on its way', () => {
    const run = startedRun()
    run.now += 40 * DAY
    const [late, ...others] = run.due()
    expect(late?.change).toBe('late')
    run.publish()
    for (const each of [late, ...others]) if (each) run.append(each)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
    run.advance(QUIET_MS)
    expect(run.seen()).not.toContain('USA/cpi/2025-04 late')
  })

  it('says nothing of a release that is answered from another series, also while the timer is on its way', () => {
    const run = startedRun()
    run.now += 40 * DAY
    const due = run.due()
    expect(due[0]).toMatchObject({ change: 'late', period: '2025-04' })
    run.publishElsewhere(1)
    for (const each of due) run.append(each)
    run.advance(QUIET_MS)
    expect(run.seen().filter((line) => line.includes('2025-04'))).toEqual(['USA/cpi/2025-04 expected'])
    expect(run.seen().at(-1)).toBe('USA/cpi/2025-05 expected')
  })

  it('announces each change once, whatever happens, and a rebuild topic by topic ends in the same state', () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.constant((run: CalendarRun) => run.publishIfBegun()) },
      {
        weight: 4,
        arbitrary: fc.integer({ min: 0, max: 50 }).map((days) => (run: CalendarRun) => run.advance(days * DAY)),
      },
      // A clock that was set back.
      fc.integer({ min: 1, max: 40 }).map((days) => (run: CalendarRun) => run.advance(-days * DAY)),
      fc.integer({ min: 1, max: 4 }).map((by) => (run: CalendarRun) => run.say('cancelled', by)),
      fc.integer({ min: 1, max: 4 }).map((by) => (run: CalendarRun) => run.say('restored', by)),
      fc
        .record({
          from: fc.integer({ min: -60, max: 60 }),
          days: fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }),
        })
        .map(({ from, days }) => (run: CalendarRun) => {
          run.announce(days.sort((a, b) => a - b).map((by) => dayOf(run.now + (from + by) * DAY)))
        }),
      // A former owner of the processor appends what it found.
      fc.constant((run: CalendarRun) => {
        const old = run.changes.at(-1)
        if (old) run.append(old)
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const run = startedRun()
        for (const take of steps) take(run)
        run.advance(QUIET_MS)
        expect(run.due()).toEqual([])

        const seen = new Map<string, { isCancelled: boolean; late: unknown[]; dates: unknown[] }>()
        for (const { type, subject, data } of run.signals) {
          const known = seen.get(subject) ?? { isCancelled: false, late: [], dates: [] }
          const { expected_on } = JSON.parse(data)
          const is = (name: string) => type === `calendar.release.${name}`
          expect(known.isCancelled).toBe(is('restored'))
          if (is('late')) expect(known.late).not.toContain(expected_on)
          if (is('expected')) expect(known.dates.at(-1)).not.toBe(expected_on)
          seen.set(subject, {
            isCancelled: is('cancelled'),
            // After another expected day it may be late again.
            late: is('restored') ? [] : is('late') ? [...known.late, expected_on] : known.late,
            dates: is('restored') ? [] : is('expected') || is('late') ? [...known.dates, expected_on] : known.dates,
          })
        }

        for (const order of [
          ['releases', 'calendar', 'release_dates'],
          ['release_dates', 'calendar', 'releases'],
        ] as const) {
          expect({ ...rebuilt(run, order), due: undefined }).toEqual({ ...run.state, due: undefined })
        }
      }),
      { numRuns: 300 },
    )
  })
})
