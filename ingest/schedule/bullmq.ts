import { type Job as BullJob, DelayedError, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import { onceAMinute } from '../../base/redis/errors.ts'
import { cancelTimer, type RunningTimer } from '../../base/time.ts'
import { available, connect } from './redis-connection.ts'
import { readRun } from './run-file.ts'
import {
  attempted,
  dueAt,
  isAhead,
  type Job,
  type JobState,
  type Run,
  type Runner,
  runningRun,
  type Schedule,
  type ScheduleOptions,
  scheduleDefaults,
  stateAtRest,
} from './schedule.ts'

export type BullScheduleOptions = ScheduleOptions & {
  /** redis: or rediss: URL, or a client whose settings are used. The schedule opens connections of its own. */
  readonly connection: string | Redis | Cluster
  /** Prefix of every key: see `queuePrefix`. */
  readonly prefix: string
  /** Time without a sign of life after which a process loses its job, ms. */
  readonly lockMs?: number
}

const LOCK_MS = 30_000
const QUEUE = 'jobs'

/**
 * Key prefix of a journal's jobs. Each journal needs its own, because the nodes of another one may share the Redis: they would
 * take these jobs and write the documents to their own journal. The braces keep all keys in one slot of a Redis Cluster.
 */
export const queuePrefix = (journalId: string): string => `{almanac.ingest.${journalId}}`

/** Number of ended runs that Redis keeps: those of weeks. A due time can't be queued again while its run is kept. */
const KEPT = 1_000
/** Number of processes that a run may kill before it is given up until its next due time. */
const MOST_STALLS = 2
/** Time limit of a stop, ms; less than a process has for its whole shutdown. */
const STOP_MS = 2_500

/**
 * A schedule on BullMQ, for any number of nodes. The job's name is its deduplication id, so each job has at most one
 * run in the queue, waiting or active. The run's id is its due time, so two nodes can't queue the same run twice. After
 * a run has ended, the first node that sees it queues the next. Nodes look every `lookMs` whether a waiting run still
 * has its job's due time, and otherwise put the due one in its place.
 *
 * BullMQ's own job schedulers don't serve: they queue the next run while one is active, past deduplication, and at a
 * start their upsert drops a run that was due.
 */
export class BullSchedule implements Schedule {
  readonly #options: Required<BullScheduleOptions>
  readonly #stopping = new AbortController()
  readonly #commands: Redis | Cluster
  readonly #blocking: Redis | Cluster
  readonly #queue: Queue
  readonly #runsKey: string
  #worker: Worker | undefined
  #jobs: ReadonlyMap<string, Job> = new Map()
  #timer: RunningTimer | undefined
  #looking: Promise<void> = Promise.resolve()
  readonly #report: (error: Error) => void

  constructor(given: BullScheduleOptions) {
    this.#options = { ...scheduleDefaults, lockMs: LOCK_MS, ...given }
    this.#report = onceAMinute(this.#options.onError)
    const { connection, prefix } = this.#options
    // Commands fail while Redis is unavailable. The connection that waits for jobs waits on, as BullMQ requires.
    const retryStrategy = (times: number) => (this.#stopping.signal.aborted ? null : Math.min(times * 50, 1_000))
    this.#commands = connect(connection, { maxRetriesPerRequest: 1, retryStrategy })
    this.#blocking = connect(connection, { maxRetriesPerRequest: null, retryStrategy })
    for (const client of [this.#commands, this.#blocking]) client.on('error', this.#report)
    this.#runsKey = `${prefix}:runs`
    this.#queue = new Queue(QUEUE, {
      connection: this.#commands,
      prefix,
      // Otherwise each command would wait for the first connection, however long Redis is away.
      skipWaitingForReady: true,
      // BullMQ logs every change of a job. Nothing here reads that log.
      streams: { events: { maxLen: KEPT } },
    })
    this.#queue.on('error', this.#report)
  }

  async start(jobs: readonly Job[], run: Runner): Promise<void> {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    try {
      await available(this.#fill())
      if (this.#stopping.signal.aborted) return
      this.#worker ??= this.#newWorker(run)
      await available(this.#worker.waitUntilReady())
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      throw error
    }
    if (this.#stopping.signal.aborted) return
    this.#timer ??= this.#options.time.every(this.#options.lookMs, () => this.#look())
  }

  #newWorker(run: Runner): Worker {
    const { prefix, concurrency, lockMs } = this.#options
    const worker = new Worker(QUEUE, (job, token, signal) => this.#perform(run, job, token, signal), {
      connection: this.#blocking,
      prefix,
      // BullMQ refuses infinity and zero. Each job has one run at most.
      concurrency: Math.max(1, Math.min(concurrency, this.#jobs.size)),
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: MOST_STALLS,
      removeOnComplete: { count: KEPT },
      removeOnFail: { count: KEPT },
      // BullMQ's own strategies reckon from the number of attempts, but a publisher may say when to ask again. Another error
      // than `Repeat` means that Redis failed, or that the lock is lost.
      settings: { backoffStrategy: (_attempt, _type, error) => (error instanceof Repeat ? error.afterMs : lockMs) },
    })
    worker.on('error', this.#report)
    worker.on('completed', () => this.#look())
    worker.on('failed', () => this.#look())
    // Another process will take the job over, so this one stops working on it. BullMQ only reports the loss.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'its lock is lost')
    })
    return worker
  }

  async list(): Promise<readonly JobState[]> {
    const [active, runs] = await available(Promise.all([this.#queue.getActive(), this.#runs()]))
    const since = new Map(active.map((job) => [job.name, job]))
    const now = this.#options.time.now()
    return [...this.#jobs.values()].map((job) => {
      const running = since.get(job.name)
      const last = runs.get(job.name)
      if (!running) return stateAtRest(job, last, now)
      const lastRun = runningRun({ startedAt: running.processedOn ?? now, attempt: running.attemptsMade + 1 })
      return { name: job.name, running: true, nextRun: null, lastRun, runBefore: last }
    })
  }

  async trigger(name: string): Promise<'started' | 'running' | 'unknown'> {
    if (!this.#jobs.has(name)) return 'unknown'
    // Replaces a run that waits for its due time. A run that is active, or about to be, stays.
    const id = `${name}@${this.#options.time.now()}/by-hand`
    const { data, opts } = this.#entry(name, id, 0)
    const job = await available(
      this.#queue.add(name, data, { ...opts, deduplication: { ...opts.deduplication, replace: true } }),
    )
    return job.id === id ? 'started' : 'running'
  }

  async stop(): Promise<void> {
    cancelTimer(this.#timer)
    // Closes the worker first: it then takes no more jobs, so a job that is put back is not taken here again.
    const closed = this.#worker?.close()
    this.#stopping.abort(new Error('the schedule stops'))
    const left = (async () => {
      await closed
      await this.#looking
      await this.#queue.close()
    })().catch(this.#report)
    // While Redis is unavailable, no job can be put back. Other nodes take it over once its lock has expired.
    const stopped = Promise.withResolvers<void>()
    const timer = this.#options.time.timer(STOP_MS, stopped.resolve).unref()
    await Promise.race([left, stopped.promise])
    cancelTimer(timer)
    // BullMQ leaves clients that it was given connected.
    this.#commands.disconnect()
    this.#blocking.disconnect()
  }

  async #perform(run: Runner, job: BullJob, token = '', taken?: AbortSignal): Promise<string> {
    const { onRun, lockMs } = this.#options
    if (!this.#jobs.has(job.name)) {
      // A node with another calendar queued this job, so it is left to that node. `#fill` removes an obsolete one.
      await job.moveToDelayed(this.#options.time.now() + lockMs, token)
      throw new DelayedError()
    }
    const stop = this.#stopping.signal
    // A worker that is closing still performs the job that it was fetching.
    if (stop.aborted) return putBack(job, token)
    if (await this.#hasRun(job)) return 'has run already'
    const started = { startedAt: this.#options.time.now(), attempt: job.attemptsMade + 1 }
    let ended: Run
    try {
      const signal = taken ? AbortSignal.any([stop, taken]) : stop
      ended = await attempted(run, job.name, started, signal, this.#options)
    } catch (error) {
      // The run was broken off by the stop, which is no failed attempt. BullMQ would count one.
      if (stop.aborted) return putBack(job, token)
      // Without the lock BullMQ changes nothing in Redis, and this run is no longer this process's to record.
      throw error
    }
    // Stored before the run leaves the queue, because the next due time is computed from it.
    await this.#commands.hset(this.#runsKey, job.name, JSON.stringify(ended))
    onRun(job.name, ended)
    if (ended.outcome === 'succeeded') return ended.detail
    if (ended.retryAt !== null) throw new Repeat(ended.detail, ended.retryAt - (ended.endedAt ?? 0))
    throw new UnrecoverableError(ended.detail)
  }

  /**
   * Whether a due time has had its run. A node whose list of waiting runs is a little old removes one that has ended since, and
   * another one that read the last run before that end queues its time once more.
   */
  async #hasRun({ id = '', name, attemptsMade }: BullJob): Promise<boolean> {
    // No number for a run by hand.
    const due = Number(id.slice(name.length + 1))
    const last = readRun((await this.#commands.hget(this.#runsKey, name)) ?? '')
    const hasRun = last !== undefined && !isAhead(last, this.#options.time.now()) && last.startedAt >= due
    return attemptsMade === 0 && hasRun
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      if (!this.#stopping.signal.aborted) await this.#fill().catch(this.#report)
    })
  }

  /** Queues the next run of every job that has none in the queue. */
  async #fill(): Promise<void> {
    // Reads the queue before the runs: a run that another node queues meanwhile is then not compared with older results.
    const delayed = await this.#queue.getDelayed()
    const runs = await this.#runs()
    const now = this.#options.time.now()
    const queued = new Set<string>()
    for (const entry of delayed) {
      const job = this.#jobs.get(entry.name)
      const run = runs.get(entry.name)
      const id = job && idOf(job, dueAt(job, run, now))
      const isRetry = async () => !(run && isAhead(run, now)) && (await this.#attemptsOf(entry)) > 0
      if (entry.id === id || (job && (await isRetry()))) queued.add(entry.name)
      // The job's times have changed, so this run goes. `remove` fails for a run that has just become active, which stays.
      else await entry.remove().catch(() => undefined)
    }
    const missing = [...this.#jobs.values()]
      .filter(({ name }) => !queued.has(name))
      .map((job) => ({ job, due: dueAt(job, runs.get(job.name), now) }))
    await this.#queue.addBulk(missing.map(({ job, due }) => this.#entry(job.name, idOf(job, due), due - now)))
    for (const { job, due } of missing) if (due <= now) await this.#recordLostRun(job, due, runs.get(job.name))
  }

  /** Reads the attempts anew, because the run may have failed and be waiting for its retry since it was listed. */
  async #attemptsOf(entry: BullJob): Promise<number> {
    return (await this.#queue.getJob(entry.id ?? ''))?.attemptsMade ?? entry.attemptsMade
  }

  /**
   * Records as failed a run whose processes all died. None of them recorded its end, and without a record the job would
   * stay due at a time that can't be queued again.
   */
  async #recordLostRun(job: Job, due: number, known: Run | undefined): Promise<void> {
    const entry = await this.#queue.getJob(idOf(job, due))
    if (!entry?.finishedOn || !(await entry.isFailed())) return
    // Read after the queue. If a process has seen the run's end, its record is here by now.
    const stored = readRun((await this.#commands.hget(this.#runsKey, job.name)) ?? '')
    if (stored?.startedAt !== known?.startedAt) return
    const startedAt = Math.max(entry.processedOn ?? 0, due)
    const ended = { startedAt, endedAt: entry.finishedOn, attempt: entry.attemptsMade + 1, retryAt: null }
    const run: Run = { ...ended, outcome: 'failed', detail: entry.failedReason ?? '' }
    await this.#commands.hset(this.#runsKey, job.name, JSON.stringify(run))
    this.#options.onRun(job.name, run)
    this.#look()
  }

  #entry(name: string, jobId: string, delay: number) {
    const opts = {
      jobId,
      delay: Math.max(0, delay),
      deduplication: { id: name },
      attempts: this.#options.retries.attempts,
      backoff: { type: 'custom' },
    }
    return { name, data: {}, opts }
  }

  async #runs(): Promise<ReadonlyMap<string, Run>> {
    const stored = await this.#commands.hgetall(this.#runsKey)
    return new Map(
      Object.entries(stored).flatMap(([name, text]): [string, Run][] => {
        const run = readRun(text)
        return run ? [[name, run]] : []
      }),
    )
  }
}

/** Id of a run: its job and due time. BullMQ refuses an id with a colon. */
const idOf = ({ name }: Job, due: number): string => `${name}@${due}`

async function putBack(job: BullJob, token: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}

/** Tells BullMQ when to retry a run. */
class Repeat extends Error {
  readonly afterMs: number
  constructor(detail: string, afterMs: number) {
    super(detail)
    this.afterMs = afterMs
  }
}
