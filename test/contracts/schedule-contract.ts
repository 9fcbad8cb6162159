/** What every adapter of the schedule port must do. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemTime, type Time } from '../../base/time.ts'
import {
  type Job,
  PermanentFailure,
  type Retries,
  RetryLater,
  type Run,
  type Runner,
  type Schedule,
} from '../../ingest/schedule/schedule.ts'
import { onTestFinished } from '../support/concurrent.ts'
import { until } from '../support/journal.ts'

export type ScheduleUnderTest = {
  readonly retries: Retries
  readonly concurrency?: number
  readonly lookMs: number
  readonly onRun: (name: string, run: Run) => void
  readonly time?: Time
}

/** Opens a schedule; ones that are opened with the same `place` share what is remembered, one after the other. */
export type OpenSchedule = (place: string, options: ScheduleUnderTest) => Schedule

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const LOOK_MS = 50
const soon: Retries = { attempts: 3, backoff: { baseMs: 40, capMs: 40 } }

/** Due once an hour: never again within a test. */
export const hourly = (name: string): Job => ({ name, next: (after) => after + HOUR, leastApartMs: 0 })
/** Due every `ms`. */
const every = (name: string, ms: number): Job => ({ name, next: (after) => after + ms, leastApartMs: 0 })

/** Waits long enough for an adapter to have queued what is due later, if it has a queue. */
const timeToFollow = () => {
  const then = Date.now() + 10 * LOOK_MS
  return until('the schedule has had time to follow', () => Date.now() > then)
}

export function scheduleContract(name: string, openSchedule: OpenSchedule): void {
  const open = (place: string = randomUUID(), retries = soon, concurrency?: number, time?: Time) => {
    const ended: { name: string; run: Run }[] = []
    const onRun = (job: string, run: Run) => void ended.push({ name: job, run })
    const more = { ...(concurrency && { concurrency }), ...(time && { time }) }
    const schedule = openSchedule(place, { retries, lookMs: LOOK_MS, onRun, ...more })
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= schedule.stop()
      return stopped
    }
    onTestFinished(stop)
    const of = async (job: string) => (await schedule.list()).find((state) => state.name === job)
    const outcomes = () => ended.map(({ run }) => run.outcome)
    return { place, schedule, ended, outcomes, of, stop }
  }
  const counting = () => {
    const ran: string[] = []
    const run: Runner = async (job) => {
      ran.push(job)
      return 'done'
    }
    return { ran, run }
  }
  /** A run that lasts until it is let go or aborted. */
  const holding = () => {
    const gate = Promise.withResolvers<void>()
    const seen = { running: 0, most: 0, started: 0, aborted: 0 }
    const run: Runner = async (_job, { signal }) => {
      seen.started++
      seen.most = Math.max(seen.most, ++seen.running)
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      try {
        await Promise.race([gate.promise, aborted])
      } catch (error) {
        seen.aborted++
        throw error
      } finally {
        seen.running--
      }
      return 'let go'
    }
    return { run, seen, letGo: () => gate.resolve() }
  }

  describe(`${name} schedule`, () => {
    it('runs a job that never ran, and says how it went and when it is due again', async () => {
      const { schedule, ended, of } = open()
      const { ran, run } = counting()
      const before = Date.now()
      await schedule.start([hourly('TEST/a'), hourly('TEST/b')], run)
      await until('both ran', () => ended.length === 2)
      expect(ran.sort()).toEqual(['TEST/a', 'TEST/b'])
      await until('at rest', async () => (await of('TEST/a'))?.running === false)
      const state = await of('TEST/a')
      expect(state?.lastRun).toMatchObject({ outcome: 'succeeded', attempt: 1, detail: 'done', retryAt: null })
      expect(state?.lastRun?.startedAt).toBeGreaterThanOrEqual(before)
      expect(state?.nextRun).toBe((state?.lastRun?.startedAt ?? 0) + HOUR)
      expect((await schedule.list()).map((each) => each.name)).toEqual(['TEST/a', 'TEST/b'])
    })

    it.each<[string, Runner]>([
      ['run', async () => 'done'],
      ['failure', () => Promise.reject(new RetryLater('TEST', Date.now() + 2 * YEAR))],
    ])('runs a job whose last %s was noted by a clock that was ahead', async (_, run) => {
      const clock = { now: () => Date.now() + YEAR }
      const ahead = open(undefined, soon, undefined, Object.assign(Object.create(systemTime), clock))
      await ahead.schedule.start([hourly('TEST/a')], run)
      await until('it ran', () => ahead.ended.length > 0)
      await ahead.stop()
      const right = open(ahead.place)
      await right.schedule.start([hourly('TEST/a')], counting().run)
      await until('it ran again', () => right.ended.length > 0)
      expect(right.ended[0]?.run).toMatchObject({ attempt: 1 })
      expect(right.ended[0]?.run.startedAt).toBeLessThan(Date.now() + HOUR)
      await timeToFollow()
      expect(right.outcomes()).toEqual(['succeeded'])
    })

    it('runs a job again and again, each time it is due', async () => {
      const { schedule, ended } = open()
      await schedule.start([every('TEST/often', 60)], counting().run)
      await until('it ran four times', () => ended.length >= 4)
      const starts = ended.map(({ run }) => run.startedAt)
      for (const [i, start] of starts.entries())
        if (i > 0) expect(start - (starts[i - 1] ?? 0)).toBeGreaterThanOrEqual(60)
    })

    it('keeps runs apart by the least interval, however often the calendar says', async () => {
      const { schedule, ended, of } = open()
      await schedule.start([{ ...every('TEST/polite', 1), leastApartMs: HOUR }], counting().run)
      await until('it ran', () => ended.length === 1)
      await until('at rest', async () => (await of('TEST/polite'))?.running === false)
      expect((await of('TEST/polite'))?.nextRun).toBe((ended[0]?.run.startedAt ?? 0) + HOUR)
    })

    it('repeats what failed, with the count of attempts, until it succeeds', async () => {
      const { schedule, ended, of, outcomes } = open()
      const attempts: number[] = []
      const before: (string | undefined)[] = []
      await schedule.start([hourly('TEST/flaky')], async (_job, { attempt }) => {
        attempts.push(attempt)
        before.push((await of('TEST/flaky'))?.runBefore?.detail)
        if (attempt < 3) throw new Error(`away ${attempt}`)
        return 'back'
      })
      await until('it succeeded', () => outcomes().includes('succeeded'))
      expect(attempts).toEqual([1, 2, 3])
      // While it runs, the run before is known.
      expect(before).toEqual([undefined, 'away 1', 'away 2'])
      expect(outcomes()).toEqual(['retrying', 'retrying', 'succeeded'])
      expect(ended[0]?.run).toMatchObject({ detail: 'away 1', attempt: 1 })
      const { startedAt = 0 } = ended[1]?.run ?? {}
      expect(startedAt).toBeGreaterThanOrEqual(ended[0]?.run.retryAt ?? Number.POSITIVE_INFINITY)
      await until('at rest', async () => (await of('TEST/flaky'))?.running === false)
      expect((await of('TEST/flaky'))?.lastRun).toMatchObject({ outcome: 'succeeded', attempt: 3 })
    })

    it('gives up after the last attempt, and waits for the next due time', async () => {
      const { schedule, outcomes, of } = open()
      await schedule.start([hourly('TEST/away')], async () => {
        throw new Error('away')
      })
      await until('it failed', () => outcomes().includes('failed'))
      expect(outcomes()).toEqual(['retrying', 'retrying', 'failed'])
      await until('at rest', async () => (await of('TEST/away'))?.running === false)
      const state = await of('TEST/away')
      expect(state?.nextRun).toBe((state?.lastRun?.startedAt ?? 0) + HOUR)
    })

    it('does not repeat a permanent failure before its next due time', async () => {
      const { schedule, outcomes, of } = open()
      await schedule.start([hourly('TEST/gone')], async () => {
        throw new PermanentFailure('no such dataset')
      })
      await until('it failed', async () => outcomes().length > 0 && (await of('TEST/gone'))?.running === false)
      const state = await of('TEST/gone')
      expect(state?.lastRun).toMatchObject({ outcome: 'failed', attempt: 1, retryAt: null, detail: 'no such dataset' })
      expect(state?.nextRun).toBe((state?.lastRun?.startedAt ?? 0) + HOUR)
      expect(outcomes()).toEqual(['failed'])
    })

    it('repeats a run when the publisher says, not before, and says when', async () => {
      const { schedule, ended } = open()
      let notBefore = 0
      const attempts: number[] = []
      await schedule.start([hourly('TEST/busy')], async (_job, { attempt }) => {
        attempts.push(Date.now())
        if (attempt > 1) return 'back'
        notBefore = Date.now() + 600
        throw new RetryLater('busy', notBefore)
      })
      await until('it succeeded', () => ended.length === 2)
      expect(ended[0]?.run).toMatchObject({ outcome: 'retrying', attempt: 1, detail: 'busy', retryAt: notBefore })
      expect(attempts[1]).toBeGreaterThanOrEqual(notBefore)
      expect(ended[1]?.run).toMatchObject({ outcome: 'succeeded', attempt: 2 })
    })

    it('waits a day for a publisher at most, after the last attempt too', async () => {
      const { schedule, ended, of } = open(undefined, { attempts: 2, backoff: soon.backoff })
      const DAY = 24 * HOUR
      await schedule.start([hourly('TEST/far')], async () => {
        throw new RetryLater('in a year', Date.now() + 365 * DAY)
      })
      await until('it failed', async () => ended.length === 1 && (await of('TEST/far'))?.running === false)
      expect(ended[0]?.run.retryAt).toBe((ended[0]?.run.endedAt ?? 0) + DAY)
      expect(await of('TEST/far')).toMatchObject({
        nextRun: ended[0]?.run.retryAt,
        lastRun: { outcome: 'retrying', attempt: 1, retryAt: ended[0]?.run.retryAt },
      })
    })

    it('keeps to what the publisher says where the calendar would ask sooner', async () => {
      const { schedule, ended, of } = open(undefined, { attempts: 1, backoff: soon.backoff })
      const notBefore = Date.now() + 5 * HOUR
      await schedule.start([hourly('TEST/last')], async () => {
        throw new RetryLater('busy', notBefore)
      })
      await until('it failed', async () => ended.length === 1 && (await of('TEST/last'))?.running === false)
      expect(ended[0]?.run).toMatchObject({ outcome: 'failed', retryAt: null })
      expect((await of('TEST/last'))?.nextRun).toBe(notBefore)
    })

    it('never runs a job twice at once, and says so to whoever asks for it', async () => {
      const { schedule, of, outcomes } = open()
      const { run, seen, letGo } = holding()
      await schedule.start([every('TEST/slow', 1)], run)
      await until('it runs', () => seen.running === 1)
      expect(await of('TEST/slow')).toMatchObject({ running: true, nextRun: null, lastRun: { outcome: 'running' } })
      expect(await schedule.trigger('TEST/slow')).toBe('running')
      expect(await schedule.trigger('TEST/slow')).toBe('running')
      letGo()
      await until('it ran on', () => outcomes().length >= 3)
      expect(seen.most).toBe(1)
    })

    it('runs a job at once when asked to, and reckons its next due time from that', async () => {
      const { schedule, ended, of } = open()
      await schedule.start([hourly('TEST/now')], counting().run)
      await until('it ran', async () => ended.length === 1 && (await of('TEST/now'))?.running === false)
      expect(await schedule.trigger('TEST/now')).toBe('started')
      await until('it ran again', async () => ended.length === 2 && (await of('TEST/now'))?.running === false)
      expect((await of('TEST/now'))?.nextRun).toBe((ended[1]?.run.startedAt ?? 0) + HOUR)
      expect(await schedule.trigger('TEST/none')).toBe('unknown')
    })

    it('puts a run by hand in place of a repetition that waits', async () => {
      const { schedule, ended, outcomes, of } = open(undefined, { attempts: 3, backoff: { baseMs: HOUR, capMs: HOUR } })
      let away = true
      await schedule.start([hourly('TEST/mended')], async () => {
        if (away) throw new Error('away')
        return 'back'
      })
      await until('it failed', async () => ended.length === 1 && (await of('TEST/mended'))?.running === false)
      expect((await of('TEST/mended'))?.nextRun).toBe(ended[0]?.run.retryAt)
      away = false
      expect(await schedule.trigger('TEST/mended')).toBe('started')
      await until('it succeeded', () => outcomes().includes('succeeded'))
    })

    it('runs no more at once than it may', async () => {
      const { schedule, ended } = open(undefined, soon, 2)
      const { run, seen, letGo } = holding()
      await schedule.start(
        ['a', 'b', 'c', 'd'].map((each) => hourly(`TEST/${each}`)),
        run,
      )
      await until('two run', () => seen.running === 2)
      letGo()
      await until('all ran', () => ended.length === 4)
      expect(seen.most).toBe(2)
    })

    it('runs all that is due unless told how many, so that what waits within its run keeps nobody else waiting', async () => {
      const { schedule, ended } = open()
      const { run, seen, letGo } = holding()
      const jobs = Array.from({ length: 20 }, (_, i) => hourly(`TEST/${i}`))
      await schedule.start(jobs, run)
      await until('all run', () => seen.running === jobs.length)
      letGo()
      await until('all ran', () => ended.length === jobs.length)
    })

    it('remembers after a restart what ran, and catches up once with what was missed', async () => {
      const first = open()
      const missed: Job = { ...hourly('TEST/missed'), next: (after) => after + 1 }
      await first.schedule.start([hourly('TEST/fresh'), { ...missed, leastApartMs: HOUR }], counting().run)
      await until('both ran', () => first.ended.length === 2)
      await first.stop()
      const second = open(first.place)
      const { ran, run } = counting()
      // Due long since by the first look; by the time of its catching up, not for an hour.
      const restart = Date.now()
      const onceMissed = { ...missed, next: (after: number) => (after < restart ? after + 1 : after + HOUR) }
      await second.schedule.start([hourly('TEST/fresh'), onceMissed], run)
      await until('the missed one ran', () => second.ended.length === 1)
      await until('at rest', async () => (await second.of('TEST/missed'))?.running === false)
      expect((await second.of('TEST/missed'))?.nextRun).toBeGreaterThan(restart + HOUR - 1)
      expect(ran).toEqual(['TEST/missed'])
      expect((await second.of('TEST/fresh'))?.lastRun).toMatchObject({ outcome: 'succeeded', detail: 'done' })
    })

    it('follows a calendar that has changed, and forgets jobs that are gone', async () => {
      const first = open()
      await first.schedule.start([hourly('TEST/moved'), hourly('TEST/dropped')], counting().run)
      await until('both ran', () => first.ended.length === 2)
      await until('both rest', async () => (await first.schedule.list()).every(({ running }) => !running))
      await first.stop()
      const second = open(first.place)
      const { ran, run } = counting()
      const restart = Date.now()
      const moved = { ...hourly('TEST/moved'), next: (after: number) => (after < restart ? restart : after + HOUR) }
      await second.schedule.start([moved], run)
      await until('it ran at its new time', () => second.ended.length === 1)
      expect(ran).toEqual(['TEST/moved'])
      expect((await second.schedule.list()).map((each) => each.name)).toEqual(['TEST/moved'])
    })

    it('runs a job whose next time changes at the new time, and once', async () => {
      const { schedule, ended, of } = open()
      let due = Date.now() + HOUR
      const moving: Job = { ...hourly('TEST/moving'), next: (after) => (after < due ? due : after + HOUR) }
      const restsAt = (at: number) => async () => {
        const state = await of(moving.name)
        return state?.running === false && state.nextRun === at
      }
      await schedule.start([moving], counting().run)
      const runs = () => ended.map(({ run }) => run.startedAt)
      await until('it waits for the far time', async () => runs().length === 1 && (await restsAt(due)()))
      await timeToFollow()
      due = Date.now() + 400
      await until('it ran at the near time', () => runs().length === 2)
      expect(runs()[1]).toBeGreaterThanOrEqual(due)
      await until('it waits again', restsAt((runs()[1] ?? 0) + HOUR))
      await until('the near time is long over', () => Date.now() > due + 500)
      expect(runs()).toHaveLength(2)
    })

    it('does not run a job at a time that it no longer has', async () => {
      const { schedule, ended, of } = open()
      let due = Date.now() + HOUR
      const moving: Job = { ...hourly('TEST/moving'), next: (after) => (after < due ? due : after + HOUR) }
      await schedule.start([moving], counting().run)
      await until('it ran', async () => ended.length === 1 && (await of(moving.name))?.running === false)
      const near = Date.now() + 1_500
      due = near
      await timeToFollow()
      due = near + HOUR
      await until('the former time is over', () => Date.now() > near + 400)
      expect(ended).toHaveLength(1)
      due = Date.now() + 200
      await until('it ran at a time that it has', () => ended.length === 2)
    })

    it('runs nothing once it is stopped, even in the midst of its start', async () => {
      const { schedule, stop, place } = open()
      const { ran, run } = counting()
      const started = schedule.start([every('TEST/early', 1)], run)
      await stop()
      await started
      expect(ran).toEqual([])
      await schedule.start([every('TEST/early', 1)], run)
      // Whoever starts next does run it: by then the stopped one would have, too.
      const next = open(place)
      await next.schedule.start([every('TEST/early', 1)], async () => 'next')
      await until('the next ran', () => next.ended.length > 2)
      expect(ran).toEqual([])
    })

    it('aborts what runs when it stops, and waits for it; the next to start runs it again', async () => {
      const first = open()
      const { run, seen } = holding()
      await first.schedule.start([hourly('TEST/stopped')], run)
      await until('it runs', () => seen.running === 1)
      await first.stop()
      expect(seen).toMatchObject({ running: 0, aborted: 1 })
      expect(first.ended).toEqual([])
      const second = open(first.place)
      await second.schedule.start([hourly('TEST/stopped')], counting().run)
      await until('it ran', () => second.ended.length === 1)
      expect(second.ended[0]?.run).toMatchObject({ outcome: 'succeeded', attempt: 1 })
      expect(seen.started).toBe(1)
    })
  })
}
