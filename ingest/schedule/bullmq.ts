import { setTimeout as sleep } from 'node:timers/promises'
import { type Job as BullJob, DelayedError, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import { onceAMinute } from '../../base/redis/errors.ts'
import { available, connect } from './redis-connection.ts'
import { readRun } from './run-file.ts'
import {
  defaultRetries,
  dueAt,
  failedRun,
  type Job,
  type JobState,
  type Run,
  type Runner,
  type Schedule,
  type ScheduleOptions,
  stateAtRest,
} from './schedule.ts'

export type BullScheduleOptions = ScheduleOptions & {
  /** redis: or rediss: URL, or a client, connected or not, whose settings are taken over: connections are its own. */
  readonly connection: string | Redis | Cluster
  /** In front of every key: see `queuePrefix`. */
  readonly prefix: string
  /** How long a job stays with a process that gives no sign of life, ms. */
  readonly lockMs?: number
  /** How often a process looks whether each job has its next run queued, ms. */
  readonly lookMs?: number
}

const defaults = {
  retries: defaultRetries,
  concurrency: Number.POSITIVE_INFINITY,
  onRun: () => undefined,
  onError: () => undefined,
  lockMs: 30_000,
  lookMs: 30_000,
}
const QUEUE = 'jobs'

/**
 * Of a journal: nodes of another one, which may share the Redis, would take its jobs and write what they fetch to theirs.
 * The braces keep all keys in one slot of a Redis Cluster.
 */
export const queuePrefix = (journalId: string): string => `{almanac.ingest.${journalId}}`

/** Ended runs that Redis keeps, of all jobs: weeks. A due time of which the run is kept can't be queued again. */
const KEPT = 1_000
/** A job that kills process after process is given up until its next due time. */
const MOST_STALLS = 2
/** The longest that a stop may take, ms; less than a process has for its whole shutdown. */
const STOP_MS = 2_500

/**
 * A schedule on BullMQ, for any number of nodes. Each job has at most one run in the queue, waiting or active (its name is
 * the deduplication id), and the run's id is its due time, so that no two nodes can queue it twice. When a run has ended,
 * the next is queued by whoever sees it first. BullMQ's own job schedulers are not used: they queue the next run while one
 * is active, past deduplication, and drop a run that was due when they are upserted at a start.
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
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  readonly #report: (error: Error) => void

  constructor(given: BullScheduleOptions) {
    this.#options = { ...defaults, ...given }
    this.#report = onceAMinute(this.#options.onError)
    const { connection, prefix } = this.#options
    // What is asked of the queue fails when Redis is away; what waits for jobs waits on, as BullMQ wants it.
    const retryStrategy = (times: number) => (this.#stopping.signal.aborted ? null : Math.min(times * 50, 1_000))
    this.#commands = connect(connection, { maxRetriesPerRequest: 1, retryStrategy })
    this.#blocking = connect(connection, { maxRetriesPerRequest: null, retryStrategy })
    for (const client of [this.#commands, this.#blocking]) client.on('error', this.#report)
    this.#runsKey = `${prefix}:runs`
    this.#queue = new Queue(QUEUE, {
      connection: this.#commands,
      prefix,
      skipWaitingForReady: true,
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
    this.#timer ??= setInterval(() => this.#look(), this.#options.lookMs)
  }

  #newWorker(run: Runner): Worker {
    const { prefix, concurrency, lockMs } = this.#options
    const worker = new Worker(QUEUE, (job, token, signal) => this.#perform(run, job, token, signal), {
      connection: this.#blocking,
      prefix,
      concurrency: Math.max(1, Math.min(concurrency, this.#jobs.size)),
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: MOST_STALLS,
      removeOnComplete: { count: KEPT },
      removeOnFail: { count: KEPT },
      settings: { backoffStrategy: (_attempt, _type, error) => (error instanceof Repeat ? error.afterMs : lockMs) },
    })
    worker.on('error', this.#report)
    worker.on('completed', () => this.#look())
    worker.on('failed', () => this.#look())
    // Another process will take it up: go on no longer.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'its lock is lost')
    })
    return worker
  }

  async list(): Promise<readonly JobState[]> {
    const [active, runs] = await available(Promise.all([this.#queue.getActive(), this.#runs()]))
    const since = new Map(active.map((job) => [job.name, job]))
    const now = Date.now()
    return [...this.#jobs.values()].map((job) => {
      const running = since.get(job.name)
      const last = runs.get(job.name)
      if (!running) return stateAtRest(job, last, now)
      const startedAt = running.processedOn ?? now
      const attempt = running.attemptsMade + 1
      const lastRun: Run = { outcome: 'running', startedAt, endedAt: null, attempt, detail: '', retryAt: null }
      return { name: job.name, running: true, nextRun: null, lastRun }
    })
  }

  async trigger(name: string): Promise<'started' | 'running' | 'unknown'> {
    if (!this.#jobs.has(name)) return 'unknown'
    // In place of a run that waits for its time; one that is active, or about to be, stays.
    const id = `${name}@${Date.now()}/by-hand`
    const { data, opts } = this.#entry(name, id, 0)
    const job = await available(
      this.#queue.add(name, data, { ...opts, deduplication: { ...opts.deduplication, replace: true } }),
    )
    return job.id === id ? 'started' : 'running'
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    // A worker that closes takes no more jobs, so that none which is put back is taken here again.
    const closed = this.#worker?.close()
    this.#stopping.abort(new Error('the schedule stops'))
    const left = (async () => {
      await closed
      await this.#looking
      await this.#queue.close()
    })().catch(this.#report)
    // Without Redis nothing can be put back: others find it by its lock, which runs out.
    await Promise.race([left, sleep(STOP_MS, undefined, { ref: false })])
    this.#commands.disconnect()
    this.#blocking.disconnect()
  }

  async #perform(run: Runner, job: BullJob, token = '', taken?: AbortSignal): Promise<string> {
    const { retries, onRun, lockMs } = this.#options
    if (!this.#jobs.has(job.name)) {
      // A node with another calendar queued it: if none has it any more, `#fill` removes it.
      await job.moveToDelayed(Date.now() + lockMs, token)
      throw new DelayedError()
    }
    const stop = this.#stopping.signal
    if (stop.aborted) return putBack(job, token)
    const started = { startedAt: Date.now(), attempt: job.attemptsMade + 1 }
    let ended: Run
    try {
      const signal = taken ? AbortSignal.any([stop, taken]) : stop
      const detail = await run(job.name, { attempt: started.attempt, signal })
      ended = { ...started, outcome: 'succeeded', endedAt: Date.now(), detail, retryAt: null }
    } catch (error) {
      if (stop.aborted) return putBack(job, token)
      if (taken?.aborted) throw error
      ended = failedRun(started, error, Date.now(), retries, Math.random())
    }
    // Before the run leaves the queue: what is due next is reckoned from this.
    await this.#commands.hset(this.#runsKey, job.name, JSON.stringify(ended))
    onRun(job.name, ended)
    if (ended.outcome === 'succeeded') return ended.detail
    if (ended.retryAt !== null) throw new Repeat(ended.detail, ended.retryAt - (ended.endedAt ?? 0))
    throw new UnrecoverableError(ended.detail)
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      if (!this.#stopping.signal.aborted) await this.#fill().catch(this.#report)
    })
  }

  /** Queues the next run of every job that has none in the queue. */
  async #fill(): Promise<void> {
    // In this order: a run queued meanwhile by another node is then not judged by what was known before.
    const delayed = await this.#queue.getDelayed()
    const runs = await this.#runs()
    const queued = new Set<string>()
    for (const entry of delayed) {
      const job = this.#jobs.get(entry.name)
      const id = job && idOf(job, dueAt(job, runs.get(entry.name)))
      if (entry.id === id || (job && (await this.#attemptsOf(entry)) > 0)) queued.add(entry.name)
      // The calendar has changed. One that has just become active stays.
      else await entry.remove().catch(() => undefined)
    }
    const now = Date.now()
    const missing = [...this.#jobs.values()]
      .filter(({ name }) => !queued.has(name))
      .map((job) => ({ job, due: dueAt(job, runs.get(job.name)) }))
    await this.#queue.addBulk(missing.map(({ job, due }) => this.#entry(job.name, idOf(job, due), due - now)))
    for (const { job, due } of missing) if (due <= now) await this.#bury(job, due, runs.get(job.name))
  }

  /** As of now: it may have run, and be waiting to be repeated, since it was listed. */
  async #attemptsOf(entry: BullJob): Promise<number> {
    return (await this.#queue.getJob(entry.id ?? ''))?.attemptsMade ?? entry.attemptsMade
  }

  /** A run whose every process died has ended unseen: nobody has said so, and its due time would stay for ever. */
  async #bury(job: Job, due: number, known: Run | undefined): Promise<void> {
    const entry = await this.#queue.getJob(idOf(job, due))
    if (!entry?.finishedOn || !(await entry.isFailed())) return
    // Read after the queue: had the run been seen to its end, it would stand here by now.
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

/** Names have no colon: BullMQ keeps it for itself. */
const idOf = ({ name }: Job, due: number): string => `${name}@${due}`

async function putBack(job: BullJob, token: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}

/** Tells BullMQ when to try again. */
class Repeat extends Error {
  readonly afterMs: number
  constructor(detail: string, afterMs: number) {
    super(detail)
    this.afterMs = afterMs
  }
}
