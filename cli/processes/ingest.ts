import type { JobQueue } from '../../api/admin/build-admin.ts'
import type { JobView } from '../../api/admin/jobs-page.ts'
import { retry } from '../../base/async/retry.ts'
import { errorMessage } from '../../base/errors.ts'
import { systemTime } from '../../base/time.ts'
import { type Config, isSimulatorFed } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { FeedEvent } from '../../ingest/feed/run-feed.ts'
import type { WriterEvent } from '../../ingest/feed/tick-writer.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import type { StructureChange } from '../../ingest/read/format-changes.ts'
import { RELEASE_DATES } from '../../ingest/release-dates/calendars.ts'
import { calendarRunText } from '../../ingest/release-dates/run-calendar.ts'
import { type DocumentReport, tallyText } from '../../ingest/run.ts'
import { announcedFrom, whenOf } from '../../ingest/schedule/asking.ts'
import { InProcessSchedule } from '../../ingest/schedule/in-process.ts'
import { ReleaseDays } from '../../ingest/schedule/release-days.ts'
import { datasetRunner } from '../../ingest/schedule/run-dataset.ts'
import { runFile } from '../../ingest/schedule/run-file.ts'
import { type Run, type Schedule, type ScheduleOptions, ScheduleUnavailable } from '../../ingest/schedule/schedule.ts'
import { datasetOfJob, scheduledJobs } from '../../ingest/schedule/timetable.ts'
import { runSimulator } from '../../ingest/simulator/run-simulator.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { loadSample } from '../demo.ts'
import { publisherMemory, redisAddress, sampleMarkFile, scheduleFile } from '../parts.ts'
import type { SourceMeter } from './pipeline-metrics.ts'

type IngestParts = {
  readonly config: Config
  readonly journal: TypedJournal
  readonly lifecycle: Lifecycle
  readonly log: Log
  /** Called with the tally of every document. */
  readonly count: (source: string, tally: Readonly<Record<string, number>>) => void
  readonly meter: SourceMeter
}

/** Loads the sample unless it is loaded already. `onStart` is called before the load. */
export async function ingestSample(
  { config, journal, lifecycle, log, count }: IngestParts,
  onStart: () => void,
): Promise<void> {
  const tally = await loadSample(sampleMarkFile(config), journal, lifecycle.signal, {
    onStart() {
      log.info({}, 'loading the bundled sample')
      onStart()
    },
    onDocument(report) {
      if (report.outcome === 'quarantined')
        log.error({ file: report.document.url, err: report.error }, 'cannot read a sample file')
    },
  })
  if (!tally) return
  count('sample', tally)
  log.info({ ...tally }, 'sample loaded')
}

/** Starts the vendor's feed, if one is configured. */
export async function startFeed({ config, journal, lifecycle, log }: IngestParts): Promise<void> {
  const { url, token, subscribe } = config.feed
  if (url === '') return
  // Loaded only where it is used, with the client of WebSocket.
  const { runFeed } = await import('../../ingest/feed/run-feed.ts')
  const { signal } = lifecycle
  const onEvent = (event: FeedEvent) => log.info({ ...event }, 'price feed')
  lifecycle.run('price feed', runFeed({ url, token, subscribe, journal, signal, time: systemTime, onEvent }))
}

/** Starts the demo's simulator, except beside a feed, whose prices it would outrank. */
export function startSimulator({ config, journal, lifecycle, log }: IngestParts): void {
  if (!isSimulatorFed(config)) return
  const { signal } = lifecycle
  log.warn({}, 'prices and exchange rates are simulated, not real (ALMANAC_DEMO=1)')
  const onEvent = (event: WriterEvent) => log.info({ ...event }, 'price feed')
  lifecycle.run('simulator', runSimulator({ journal, signal, time: systemTime, onEvent }))
}

const RETRY_MS = 5_000
/** Number of a document's rejected rows that are logged; quarantine holds the others too, up to its own limits (`ingest/limits.ts`). */
const LOGGED_ROWS = 3

/**
 * Counts and logs scheduled documents. They are counted by source, because a label for each dataset would make too many series.
 */
export const documentReporter =
  (count: IngestParts['count'], log: Pick<Log, 'error' | 'warn'>) =>
  (job: string, report: DocumentReport): void => {
    const { source } = datasetOfJob(job)
    count(source, report.tally)
    if (report.outcome === 'quarantined') {
      const before = tallyText({ ...report.tally, rejected: report.tally.rejected - 1 }, '')
      const rest = before === '' ? {} : { before }
      log.error({ job, document: report.document.url, err: report.error, ...rest }, 'cannot read a document')
    } else if (report.tally.rejected > 0 || report.tally.held > 0) {
      const { rejected, held } = report.tally
      const first = report.faults.slice(0, LOGGED_ROWS).map(({ reason, location }) => `${reason} at ${location}`)
      const reasons = Object.fromEntries(report.reasons)
      const message = held > 0 ? 'figures or prices are held for review, or rejected' : 'rows were rejected'
      const counts = { rejected, ...(held > 0 ? { held } : {}), reasons }
      log.warn({ job, document: report.document.url, ...counts, first }, message)
    }
  }

/** Measures publishers' answers, and warns of a document whose structure is not that of the ones before. */
const sourceReporter = (
  meter: SourceMeter,
  log: Pick<Log, 'warn'>,
  reportDocument: (job: string, report: DocumentReport) => void,
) => ({
  onDocument(job: string, report: DocumentReport): void {
    meter.answered(datasetOfJob(job).source, report.outcome === 'accepted' ? 'read' : 'refused')
    reportDocument(job, report)
  },
  onUnchanged: (job: string): void => meter.answered(datasetOfJob(job).source, 'not_modified'),
  onChange(job: string, { appeared, gone }: StructureChange): void {
    meter.formatChanged(datasetOfJob(job).source)
    log.warn({ job, appeared, gone }, 'the format of a dataset has changed')
  },
})

/**
 * Starts scheduled ingest by the release calendar and the announced days in the journal. With Redis, one of its nodes
 * runs each job; without, this node runs them all.
 */
export async function startSchedule({ config, journal, lifecycle, log, count, meter }: IngestParts): Promise<JobQueue> {
  const onRun = (job: string, { outcome, detail, attempt }: Run) => {
    const level = outcome === 'failed' ? 'warn' : 'info'
    log[level]({ job, outcome, detail, attempt }, 'scheduled ingest')
  }
  const onError = (error: unknown) => log.warn({ reason: errorMessage(error) }, 'schedule failed; retrying')
  const schedule = await openSchedule({ onRun, onError, time: systemTime })
  let acceptor: Acceptor | undefined
  const parser = new ParserProcess()
  lifecycle.onClose('parser', () => parser.close())
  const remembered = publisherMemory(config, journal)
  const readCalendar = (name: string, signal: AbortSignal) =>
    calendarRunText(name, {
      journal,
      options: { fredApiKey: config.fredApiKey, contact: config.contact },
      now: () => new Date(systemTime.now()),
      signal,
      remembered,
      onDocument: () => meter.answered(RELEASE_DATES, 'read'),
      onUnchanged: () => meter.answered(RELEASE_DATES, 'not_modified'),
      onRefused: () => meter.answered(RELEASE_DATES, 'refused'),
    })
  const run = datasetRunner({
    sources: parsedApart(await openSources(config), parser),
    others: { [RELEASE_DATES]: readCalendar },
    journal,
    acceptor: () => (acceptor ??= new Acceptor(journal, systemTime)),
    remembered,
    time: systemTime,
    ...sourceReporter(meter, log, documentReporter(count, log)),
  })
  const days = new ReleaseDays()
  const jobs = scheduledJobs(days)
  const fold = foldTopic(journal, 'release_dates', (record) => days.apply(record), lifecycle.signal, systemTime)
  lifecycle.run('fold', fold.done)
  lifecycle.run('schedule', start())
  lifecycle.onClose('schedule', () => schedule.stop())
  return { list, trigger: (name) => schedule.trigger(name) }

  async function list(): Promise<JobView[]> {
    const now = Date.now()
    const states = new Map((await schedule.list()).map((state) => [state.name, state]))
    return jobs.flatMap(({ name, asking, announced }) => {
      const state = states.get(name)
      const asked = { when: whenOf(asking), timeZone: asking.zone, announced: announcedFrom(now, asking, announced()) }
      return state ? [{ ...state, ...asked }] : []
    })
  }

  async function openSchedule(options: ScheduleOptions): Promise<Schedule> {
    const address = redisAddress(config)
    if (!address) return new InProcessSchedule(runFile(scheduleFile(config)), options)
    // Loaded only here, because without Redis nothing needs its clients.
    const [{ BullSchedule, queuePrefix }, { createClient }] = await Promise.all([
      import('../../ingest/schedule/bullmq.ts'),
      import('../../base/redis/client.ts'),
    ])
    // This client only holds the settings; it never connects.
    const connection = createClient(address, RETRY_MS, true)
    return new BullSchedule({ connection, prefix: queuePrefix(journal.id), ...options })
  }

  /** Starts the schedule, and retries while Redis is down, so that other tasks of this process keep running. */
  async function start(): Promise<void> {
    // A schedule that began earlier would run jobs at times that the announced days rule out.
    await Promise.race([fold.caughtUp, fold.done])
    if (lifecycle.signal.aborted) return
    await retry(() => schedule.start(jobs, run), {
      signal: lifecycle.signal,
      isPassing: (error) => error instanceof ScheduleUnavailable,
      pauseMs: () => RETRY_MS,
      onRetry: onError,
      time: systemTime,
    })
  }
}
