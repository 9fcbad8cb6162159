import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publisherCalendars, RELEASE_DATES } from '../../../ingest/release-dates/calendars.ts'
import { type Asking, nextAsking, whenOf } from '../../../ingest/schedule/asking.ts'
import { defaultRetries, dueAt, failedRun, PermanentFailure } from '../../../ingest/schedule/schedule.ts'
import { byHand, datasetOfJob, PAUSE_MS, scheduledJobs, timetable } from '../../../ingest/schedule/timetable.ts'
import { easterSunday, isWorkingDay, workingDayOfMonth } from '../../../ingest/schedule/working-days.ts'
import { openSources } from '../../../ingest/sources/index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const asking = (of: Partial<Asking>): Asking => ({
  source: 'TEST',
  datasets: ['a'],
  zone: 'UTC',
  pattern: '0 12 * * *',
  leastApart: 1,
  why: '',
  ...of,
})
/** The next `count` times from an instant on, as UTC minutes. */
const times = (of: Asking, from: string, count: number): string[] => {
  const found: string[] = []
  for (let at = Date.parse(from); found.length < count; ) {
    at = nextAsking(of, at)
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}
const find = (dataset: string): Asking =>
  timetable.find(({ datasets }) => datasets.includes(dataset)) ?? expect.fail(`${dataset} is not in the calendar`)

/** What a clock on the wall shows: weekday 0–6, hour and minute, found by another way than the calendar's own. */
const wall = (at: number, timeZone: string) => {
  const text = new Date(at).toLocaleString('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const day = new Date(at).toLocaleDateString('sv-SE', { timeZone })
  return { day, weekday: text.slice(0, 3), time: /\d\d:\d\d/.exec(text)?.[0] }
}

describe('the calendar', () => {
  it('names every dataset of every source once: asked, or by hand with the reason', async () => {
    const calendars = { [RELEASE_DATES]: { datasets: publisherCalendars } }
    const all = Object.entries({ ...(await openSources()), ...calendars }).flatMap(([source, { datasets }]) =>
      Object.keys(datasets).map((dataset) => `${source}/${dataset}`),
    )
    const named = [...scheduledJobs().map(({ name }) => name), ...Object.keys(byHand)]
    expect(named.toSorted()).toEqual(all.toSorted())
    for (const { why } of timetable) expect(why).not.toBe('')
  })

  it('has names that can be taken apart, also by BullMQ and by an address', () => {
    for (const { name, asking: of } of scheduledJobs()) {
      const { source, dataset } = datasetOfJob(name)
      expect(source).toBe(of.source)
      expect(of.datasets).toContain(dataset)
      expect(name).not.toContain(':')
    }
  })

  it('asks next after now, at the local time of the rule, on a day of the rule, whatever the instant', () => {
    const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...timetable), instants, (of, now) => {
        const next = nextAsking(of, now)
        expect(next).toBeGreaterThan(now)
        const [minute = '', hours = ''] = of.pattern.split(' ')
        const allowed = hours.split(',').map((hour) => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`)
        const seen = wall(next, of.zone)
        expect(allowed).toContain(seen.time)
        if (of.workingDays) expect(['Sat', 'Sun']).not.toContain(seen.weekday)
        // Nothing in between was left out: from anywhere before it, it is still the next.
        expect(nextAsking(of, now + Math.floor((next - now - 1) / 2))).toBe(next)
      }),
      { numRuns: 100 },
    )
  })

  it('never asks twice within the least interval, by rule', () => {
    for (const of of timetable) {
      let last = nextAsking(of, Date.UTC(2026, 0, 1))
      for (let i = 0; i < 60; i++) {
        const next = nextAsking(of, last)
        expect(next - last, whenOf(of)).toBeGreaterThanOrEqual(of.leastApart * HOUR)
        last = next
      }
    }
  })

  it('keeps to the publisher’s clock across daylight saving', () => {
    const ecb = find('eurofxref-daily')
    expect(times(ecb, '2026-03-27T12:00:00Z', 3)).toEqual(['2026-03-27T15:15', '2026-03-27T16:15', '2026-03-30T14:15'])
    expect(times(ecb, '2026-10-23T15:00:00Z', 2)).toEqual(['2026-10-23T15:15', '2026-10-26T15:15'])
    // The clocks of New York change on other days than those of Frankfurt.
    expect(times(find('UNRATE'), '2026-03-06T14:00:00Z', 3)).toEqual([
      '2026-03-06T15:45',
      '2026-03-09T12:45',
      '2026-03-09T14:45',
    ])
  })

  it('leaves out the days on which TARGET is closed', () => {
    const ecb = find('eurofxref-daily')
    expect(times(ecb, '2026-04-02T15:20:00Z', 1)).toEqual(['2026-04-07T14:15'])
    expect(times(ecb, '2026-12-24T17:00:00Z', 1)).toEqual(['2026-12-28T15:15'])
    expect(times(ecb, '2026-04-30T15:20:00Z', 1)).toEqual(['2026-05-04T14:15'])
  })

  it('asks for the Pink Sheet on the second working day of the month, and again', () => {
    expect(times(find('pink-sheet'), '2024-05-31T00:00:00Z', 4)).toEqual([
      '2024-06-04T18:00',
      '2024-06-05T18:00',
      '2024-06-07T18:00',
      '2024-07-02T18:00',
    ])
  })

  it('does not answer an instant within the minute with that minute', () => {
    const noon = Date.UTC(2026, 5, 1, 12)
    expect(nextAsking(asking({}), noon - 1)).toBe(noon)
    expect(nextAsking(asking({}), noon)).toBe(noon + DAY)
    expect(nextAsking(asking({}), noon + 500)).toBe(noon + DAY)
  })

  it('says so when a rule has no time', () => {
    expect(() => nextAsking(asking({ pattern: '0 0 31 2 *' }), 0)).toThrow(RangeError)
  })
})

describe('working days', () => {
  it('know Easter', () => {
    const known = [
      '1961-04-02',
      '1999-04-04',
      '2000-04-23',
      '2008-03-23',
      '2011-04-24',
      '2025-04-20',
      '2026-04-05',
      '2038-04-25',
    ]
    for (const day of known) expect(easterSunday(Number(day.slice(0, 4)))).toBe(day)
  })

  it('count up within a month, one by one, and leave none out', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2000, max: 2100 }),
        fc.integer({ min: 0, max: 11 }),
        fc.constantFrom('none' as const, 'TARGET' as const),
        (year, month, holidays) => {
          const days: string[] = []
          for (let at = Date.UTC(year, month, 1); new Date(at).getUTCMonth() === month; at += DAY)
            days.push(new Date(at).toISOString().slice(0, 10))
          const counts = days.map((day) => workingDayOfMonth(day, holidays)).filter((count) => count !== undefined)
          expect(counts).toEqual(counts.map((_, i) => i + 1))
          expect(counts).toHaveLength(days.filter((day) => isWorkingDay(day, holidays)).length)
        },
      ),
    )
  })
})

describe('when a job is due', () => {
  const job = { name: 'TEST/a', next: (after: number) => Math.floor(after / HOUR) * HOUR + HOUR, leastApartMs: 10 }
  const retries = { attempts: 3, backoff: { baseMs: 1_000, capMs: 1_500 } }
  const started = { startedAt: 5 * HOUR, attempt: 1 }
  const NOW = 9 * HOUR

  it('is long since, if it never ran', () => {
    expect(dueAt(job, undefined, NOW)).toBe(0)
  })

  it('is the first time after its last run began, be it past: what was missed is caught up by one run', () => {
    const run = { ...started, outcome: 'succeeded' as const, endedAt: 9 * HOUR, detail: '', retryAt: null }
    expect(dueAt(job, run, NOW)).toBe(6 * HOUR)
    expect(dueAt({ ...job, leastApartMs: 2 * HOUR }, run, NOW)).toBe(7 * HOUR)
  })

  it('is this hour, if its last run or failure is of a time to come: the clock was wrong', () => {
    const year = 365 * 24 * HOUR
    const ahead = { startedAt: NOW + year, attempt: 1 }
    for (const run of [
      { ...ahead, outcome: 'succeeded' as const, endedAt: NOW + year, detail: '', retryAt: null },
      failedRun(ahead, new Error('away'), NOW + year, retries, 0),
    ]) {
      expect(dueAt(job, run, NOW + 10)).toBe(NOW)
      expect(dueAt(job, run, NOW + year)).toBeGreaterThan(NOW + year)
    }
  })

  it('is a wait after a failure, longer each time, never less than half of it', () => {
    const waits = (attempt: number, draw: number) =>
      (failedRun({ ...started, attempt }, new Error('away'), 7_000, retries, draw).retryAt ?? 0) - 7_000
    expect([waits(1, 0), waits(1, 0.999), waits(2, 0), waits(2, 0.999)]).toEqual([500, 999, 750, 1_499])
  })

  it('is the next time of the calendar after the last attempt, or a permanent failure', () => {
    for (const run of [
      failedRun({ ...started, attempt: 3 }, new Error('away'), 7_000, retries, 0),
      failedRun(started, new PermanentFailure('gone'), 7_000, retries, 0),
    ]) {
      expect(run).toMatchObject({ outcome: 'failed', retryAt: null })
      expect(dueAt(job, run, NOW)).toBe(6 * HOUR)
    }
  })

  it('gives up within an hour, long before the next day', () => {
    let waited = 0
    for (let attempt = 1; attempt < defaultRetries.attempts; attempt++)
      waited += failedRun({ startedAt: 0, attempt }, new Error(''), 0, defaultRetries, 0.999_999).retryAt ?? 0
    expect(waited).toBeGreaterThan(20 * 60_000)
    expect(waited).toBeLessThan(HOUR)
  })
})

describe('docs/schedule.md', () => {
  const text = readFileSync(new URL('../../../docs/schedule.md', import.meta.url), 'utf8')
  const rows = (heading: string) =>
    (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))

  it('has the table of the calendar', () => {
    const datasets = ({ datasets: names }: Asking) =>
      names.length > 6 ? `${names.length} series of \`rows/fred.csv\`` : names.map((name) => `\`${name}\``).join(', ')
    const when = (of: Asking) =>
      [of.pattern, ...(of.announced ? [of.announced.otherwise] : [])].reduce(
        (says, cron) => says.replace(cron, `\`${cron}\``),
        whenOf(of),
      )
    const expected = timetable.map(
      (of) => `| ${of.source} | ${datasets(of)} | ${when(of)} | ${of.zone} | ${of.leastApart} h | ${of.why} |`,
    )
    expect(rows('When each publisher is asked').slice(1)).toEqual(expected)
  })

  it('has the list of what is read by hand', () => {
    expect(rows('Datasets without a schedule').slice(1)).toEqual(
      Object.entries(byHand).map(([name, why]) => `| \`${name}\` | ${why} |`),
    )
  })

  it('has the figures', () => {
    expect(text).toContain(`${scheduledJobs().length} jobs`)
    expect(text).toContain(`${defaultRetries.attempts} attempts`)
    expect(text).toContain(`${PAUSE_MS / 1000} seconds`)
  })
})
