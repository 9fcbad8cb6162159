import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../infra/ports.ts'
import { runFile } from '../../ingest/schedule/run-file.ts'
import type { Run } from '../../ingest/schedule/schedule.ts'
import { scheduledJobs } from '../../ingest/schedule/timetable.ts'
import { startPublishers } from '../distributed/support/publishers.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { releaseDates } from '../support/release-dates.ts'
import { startService } from '../support/service.ts'

/** The test writes into the journal in the data directory, also in a run on real services. */
const EMBEDDED = {
  ALMANAC_KAFKA_BROKERS: '',
  ALMANAC_SCHEMA_REGISTRY_URL: '',
  ALMANAC_REDIS_URL: '',
  ALMANAC_TOPIC_PREFIX: 'almanac.',
}
const JOB = 'fred/CPIAUCSL'
type AnnouncedJob = { readonly name: string; readonly next_run: string; readonly announced: readonly string[] }

/** Weekday and time in the publisher's zone, such as `Sat 07:30`. */
const local = (iso: string): string =>
  new Date(iso)
    .toLocaleString('en-GB', { timeZone: 'America/New_York', weekday: 'short', hour: '2-digit', minute: '2-digit' })
    .replace(',', '')

it('follows the announced days that are recorded while the service runs', async () => {
  const dataDir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dataDir)
  const publishers = await startPublishers({})
  onTestFinished(() => publishers.close())
  // Every job has just run, so none is due while the test lasts.
  const run: Run = {
    outcome: 'succeeded',
    startedAt: Date.now(),
    endedAt: Date.now(),
    attempt: 1,
    detail: '',
    retryAt: null,
  }
  await runFile(join(dataDir, 'schedule')).save(new Map(scheduledJobs().map(({ name }) => [name, run])))
  const port = await freePort()
  const settings = {
    ALMANAC_SCHEDULE: '1',
    ALMANAC_ROLES: 'ingest',
    ALMANAC_ADMIN_PORT: String(port),
    ALMANAC_DEMO: '0',
  }
  const service = await startService(dataDir, { ...EMBEDDED, ...publishers.environment, ...settings })
  onTestFinished(() => service.destroy())

  const jobs = async (): Promise<readonly AnnouncedJob[]> =>
    ((await (await fetch(`http://127.0.0.1:${port}/jobs.json`)).json()) as { jobs: AnnouncedJob[] }).jobs
  const job = async (): Promise<AnnouncedJob> => (await jobs()).find(({ name }) => name === JOB) ?? expect.fail()
  /** Waits until the service shows these dates, and returns the job. */
  const jobWith = async (announced: readonly string[]): Promise<AnnouncedJob> => {
    await until('the service has the dates', async () => String((await job()).announced) === String(announced))
    return job()
  }
  await until('the schedule has started', async () => (await jobs()).length > 0)
  const before = await jobWith([])
  // The last time to ask is 10:45, and there is an hour between two runs: its run comes at 11:45 at the latest.
  expect(local(before.next_run)).toMatch(/^(Mon|Tue|Wed|Thu|Fri) (08:4[5-9]|08:5\d|09:\d\d|10:\d\d|11:[0-4]\d)$/)

  const announce = (id: string, dates: readonly string[], times: string[] = []) =>
    journal.append('release_dates', 0, [{ value: releaseDates(dates, { times }), id, at: Date.now() }])
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const times = [dayIn(30), dayIn(60)].map((day) => `${day}T13:30:00.000Z`)
  await announce('far', [dayIn(30), dayIn(60)], times)
  const far = await jobWith(times)
  expect(local(far.next_run)).toMatch(/^Sat (07:[3-5]\d|08:[0-3]\d)$/)

  const next = before.next_run.slice(0, 10)
  await announce('near', [next, dayIn(60)])
  const { next_run: nextRun } = await jobWith([next, dayIn(60)])
  expect(nextRun).toBe([before.next_run, far.next_run].toSorted()[0])
  expect(publishers.asked).toEqual([])
})
