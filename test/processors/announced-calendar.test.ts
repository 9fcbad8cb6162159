import { describe, expect, it } from 'vitest'
import { GRACE_DAYS, QUIET_MS } from '../../domain/release-watch.ts'
import { CalendarRun, DAY, startedRun } from './calendar-run.ts'

/** When a day begins at the publisher, in New York in summer. */
const at = (day: string) => Date.parse(`${day}T04:00:00Z`)
/** What is announced from now on, each with its day. */
const told = (run: CalendarRun, from = 0) =>
  run.signals.slice(from).map(({ type, subject, data }) => {
    const { expected_on, expected_on_basis } = JSON.parse(data)
    return `${subject.slice(-7)} ${type.split('.')[2]} ${expected_on} ${expected_on_basis}`
  })
const days = ['2025-04-28', '2025-05-28', '2025-06-27', '2025-07-29'] as const

describe('the calendar processor with a publisher’s calendar', () => {
  it('announces the publisher’s day once, and that it moved once', () => {
    const run = startedRun()
    expect(told(run)).toEqual(['2025-04 expected 2025-05-30 lag'])
    expect(run.due()).toEqual([])
    run.announce(days)
    run.advance(QUIET_MS - 1)
    expect(run.signals).toHaveLength(1)
    run.advance(1)
    run.announce(days)
    run.advance(QUIET_MS)
    expect(told(run, 1)).toEqual(['2025-04 expected 2025-05-28 publisher'])
    run.announce(['2025-04-28', '2025-06-04', '2025-06-27'])
    run.advance(QUIET_MS)
    run.advance(DAY)
    expect(told(run, 2)).toEqual(['2025-04 expected 2025-06-04 publisher'])
  })

  it('tells the instant with the day', () => {
    const run = startedRun()
    run.announce(days, { times: days.map((day) => `${day}T12:30:00.000Z`) })
    run.advance(QUIET_MS)
    expect(JSON.parse(run.signals.at(-1)?.data ?? '')).toMatchObject({ expected_at: '2025-05-28T12:30:00.000Z' })
  })

  it('says that it is late on the day after an announced one, and after three days of an estimate', () => {
    const run = startedRun()
    run.announce(days)
    run.advance(QUIET_MS)
    run.now = at('2025-05-29')
    run.advance(-1)
    expect(told(run, 2)).toEqual([])
    run.advance(1)
    expect(told(run, 2)).toEqual(['2025-04 late 2025-05-28 publisher', '2025-05 expected 2025-06-27 publisher'])
    const other = startedRun()
    other.now = at('2025-05-30') + (GRACE_DAYS - 1) * DAY
    other.advance(0)
    expect(told(other).join()).not.toContain('late')
  })

  it('says again that it is late if the day moved meanwhile, and not if the same is repeated', () => {
    const run = startedRun()
    run.announce(days)
    run.advance(QUIET_MS)
    run.now = at('2025-05-30')
    run.advance(0)
    const late = run.changes.find(({ change }) => change === 'late')
    run.announce(['2025-04-28', '2025-06-04', '2025-07-29'])
    run.advance(QUIET_MS)
    const before = run.signals.length
    expect(told(run).at(-1)).toBe('2025-04 expected 2025-06-04 publisher')
    // A former owner of the processor appends what it found.
    if (late) run.append(late)
    expect(run.signals).toHaveLength(before)
    run.now = at('2025-06-05')
    run.advance(0)
    run.advance(DAY)
    expect(told(run, before)).toEqual(['2025-04 late 2025-06-04 publisher', '2025-05 expected 2025-07-29 publisher'])
  })

  it('announces the next release alone when a calendar is first read, and nothing of days that had passed', () => {
    const run = new CalendarRun()
    run.now = at('2025-03-05')
    run.publish()
    run.now = at('2025-06-10')
    run.announce(['2025-02-28', '2025-03-28', ...days])
    run.advance(QUIET_MS)
    run.advance(DAY)
    expect(told(run)).toEqual(['2025-05 expected 2025-06-27 publisher'])
  })

  it('goes back to the estimate if the day is taken back before it has passed', () => {
    const run = startedRun()
    run.announce(days)
    run.advance(QUIET_MS)
    run.announce([])
    run.advance(QUIET_MS)
    expect(told(run, 2)).toEqual(['2025-04 expected 2025-05-30 lag'])
  })

  it('says that no day is known if the only one is taken back, and nothing when that passes', () => {
    const run = new CalendarRun()
    run.now = at('2025-03-05')
    run.publish()
    run.announce(['2025-02-28', '2025-03-28'])
    run.advance(QUIET_MS)
    run.announce(['2025-02-28'])
    run.advance(QUIET_MS)
    run.advance(60 * DAY)
    expect(told(run)).toEqual(['2025-02 expected 2025-03-28 publisher', '2025-02 expected null null'])
    run.announce(['2025-02-28', '2025-06-04'])
    run.advance(QUIET_MS)
    expect(told(run, 2)).toEqual(['2025-02 expected 2025-06-04 publisher'])
  })

  it('says again that it is late if the publisher’s day is another past one', () => {
    const run = startedRun()
    run.now = at('2025-06-04')
    run.advance(0)
    run.announce(days)
    run.advance(QUIET_MS)
    run.announce(['2025-04-28', '2025-05-29', '2025-06-27'])
    run.advance(QUIET_MS)
    run.advance(DAY)
    const late = told(run).filter((each) => each.startsWith('2025-04 late'))
    expect(late).toEqual([
      '2025-04 late 2025-05-30 lag',
      '2025-04 late 2025-05-28 publisher',
      '2025-04 late 2025-05-29 publisher',
    ])
  })

  it('says that a restored release is late, and expected again', () => {
    const run = startedRun()
    run.announce(days)
    run.advance(QUIET_MS)
    run.say('cancelled', 1)
    run.now = at('2025-05-29')
    run.say('restored', 1)
    run.advance(0)
    expect(told(run, 2).slice(1)).toEqual([
      '2025-04 restored null null',
      '2025-04 late 2025-05-28 publisher',
      '2025-05 expected 2025-06-27 publisher',
    ])
  })
})
