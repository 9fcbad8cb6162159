import { cancelTimer, type RunningTimer } from '../../base/time.ts'
import type { RunStore } from './run-file.ts'
import {
  attempted,
  dueAt,
  failedRun,
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

/** A schedule within one process, for a deployment on one machine. No other process may use its run store. */
export class InProcessSchedule implements Schedule {
  readonly #options: Required<ScheduleOptions>
  readonly #store: RunStore
  readonly #stopping = new AbortController()
  readonly #active = new Map<string, { readonly ended: Promise<void>; readonly before: Run | undefined }>()
  readonly #wanted = new Set<string>()
  #jobs: ReadonlyMap<string, Job> = new Map()
  #runs = new Map<string, Run>()
  #saved: Promise<void> = Promise.resolve()
  #timer: RunningTimer | undefined
  #run: Runner = async () => ''

  constructor(store: RunStore, options: ScheduleOptions = {}) {
    this.#store = store
    this.#options = { ...scheduleDefaults, ...options }
  }

  async start(jobs: readonly Job[], run: Runner): Promise<void> {
    const stored = await this.#store.load()
    // Only now, because without its last run every job would be due.
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.#run = run
    const known = [...stored].filter(([name]) => this.#jobs.has(name))
    this.#runs = new Map(known.map(([name, last]) => [name, this.#failIfInterrupted(last)]))
    this.#look()
  }

  async list(): Promise<readonly JobState[]> {
    const now = this.#options.time.now()
    return [...this.#jobs.values()].map((job) => {
      const lastRun = this.#runs.get(job.name)
      const active = this.#active.get(job.name)
      return active
        ? { name: job.name, running: true, nextRun: null, lastRun: lastRun ?? null, runBefore: active.before }
        : stateAtRest(job, lastRun, now)
    })
  }

  async trigger(name: string): Promise<'started' | 'running' | 'unknown'> {
    if (!this.#jobs.has(name)) return 'unknown'
    if (this.#active.has(name) || this.#wanted.has(name)) return 'running'
    this.#wanted.add(name)
    this.#look()
    return 'started'
  }

  async stop(): Promise<void> {
    cancelTimer(this.#timer)
    this.#stopping.abort(new Error('the schedule stops'))
    await Promise.all([...this.#active.values()].map(({ ended }) => ended))
    await this.#saved
  }

  /** Counts a run whose process died as failed. The wait before its retry keeps a crash from becoming a crash loop. */
  #failIfInterrupted(run: Run): Run {
    if (run.outcome !== 'running') return run
    const { retries, time } = this.#options
    return failedRun(run, 'its process ended during the run', run.startedAt, retries, time.random())
  }

  /** Starts the due jobs that `concurrency` allows, and sets a timer for the next due time. */
  #look(): void {
    cancelTimer(this.#timer)
    if (this.#stopping.signal.aborted) return
    const now = this.#options.time.now()
    const idle = [...this.#jobs.values()]
      .filter(({ name }) => !this.#active.has(name))
      .map((job) => ({ job, due: this.#wanted.has(job.name) ? -1 : dueAt(job, this.#runs.get(job.name), now) }))
      .sort((a, b) => a.due - b.due)
    const due = idle.filter((each) => each.due <= now)
    const room = this.#options.concurrency - this.#active.size
    for (const { job } of due.slice(0, room)) this.#launch(job)
    const next = idle[due.length]?.due ?? Number.POSITIVE_INFINITY
    this.#timer = this.#options.time.timer(Math.min(this.#options.lookMs, next - now), () => this.#look())
  }

  #launch({ name }: Job): void {
    const before = this.#runs.get(name)
    const byHand = this.#wanted.delete(name)
    const now = this.#options.time.now()
    const attempt = before?.retryAt != null && !byHand && !isAhead(before, now) ? before.attempt + 1 : 1
    const ended = this.#perform(name, runningRun({ startedAt: now, attempt }), before).finally(() => {
      this.#active.delete(name)
      this.#look()
    })
    this.#active.set(name, { ended, before })
  }

  async #perform(name: string, started: Run, before: Run | undefined): Promise<void> {
    // Saved before the run, so that an attempt that kills the process counts.
    await this.#remember(name, started)
    let ended: Run
    try {
      ended = await attempted(this.#run, name, started, this.#stopping.signal, this.#options)
    } catch {
      // The stop interrupted the run. The next start finds the job as it was before.
      await this.#remember(name, before)
      return
    }
    await this.#remember(name, ended)
    this.#options.onRun(name, ended)
  }

  /** Keeps a run in memory at once and on disk soon. If the disk refuses, a restart may repeat the run. */
  #remember(name: string, run: Run | undefined): Promise<void> {
    if (run) this.#runs.set(name, run)
    else this.#runs.delete(name)
    this.#saved = this.#saved.then(() => this.#store.save(this.#runs)).catch(this.#options.onError)
    return this.#saved
  }
}
