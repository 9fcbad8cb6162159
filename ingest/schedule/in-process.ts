import type { RunStore } from './run-file.ts'
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

/** Looks at the clock at least so often: it may have been set, or the machine have slept; and timers end at 24 days. */
const LOOK_MS = 30_000

/** A schedule within one process, for a deployment on one machine. `runs` is this process's alone. */
export class InProcessSchedule implements Schedule {
  readonly #options: Required<ScheduleOptions>
  readonly #store: RunStore
  readonly #stopping = new AbortController()
  readonly #active = new Map<string, Promise<void>>()
  readonly #wanted = new Set<string>()
  #jobs: ReadonlyMap<string, Job> = new Map()
  #runs = new Map<string, Run>()
  #saved: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #run: Runner = async () => ''

  constructor(store: RunStore, options: ScheduleOptions = {}) {
    this.#store = store
    this.#options = {
      retries: defaultRetries,
      concurrency: Number.POSITIVE_INFINITY,
      onRun: () => undefined,
      onError: () => undefined,
      ...options,
    }
  }

  async start(jobs: readonly Job[], run: Runner): Promise<void> {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.#run = run
    const known = [...(await this.#store.load())].filter(([name]) => this.#jobs.has(name))
    this.#runs = new Map(known.map(([name, last]) => [name, this.#outlived(last)]))
    this.#look()
  }

  async list(): Promise<readonly JobState[]> {
    const now = Date.now()
    return [...this.#jobs.values()].map((job) => {
      const lastRun = this.#runs.get(job.name)
      return this.#active.has(job.name)
        ? { name: job.name, running: true, nextRun: null, lastRun: lastRun ?? null }
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
    clearTimeout(this.#timer)
    this.#stopping.abort(new Error('the schedule stops'))
    await Promise.all(this.#active.values())
    await this.#saved
  }

  /** A run whose process died: it failed, as far as anyone knows. The wait keeps a crash from becoming a crash loop. */
  #outlived(run: Run): Run {
    if (run.outcome !== 'running') return run
    return failedRun(run, 'its process ended in the midst of it', run.startedAt, this.#options.retries, Math.random())
  }

  /** Starts what is due, as far as there is room, and comes back when more will be. */
  #look(): void {
    clearTimeout(this.#timer)
    if (this.#stopping.signal.aborted) return
    const now = Date.now()
    const idle = [...this.#jobs.values()]
      .filter(({ name }) => !this.#active.has(name))
      .map((job) => ({ job, due: this.#wanted.has(job.name) ? -1 : dueAt(job, this.#runs.get(job.name)) }))
      .sort((a, b) => a.due - b.due)
    const due = idle.filter((each) => each.due <= now)
    const room = this.#options.concurrency - this.#active.size
    for (const { job } of due.slice(0, room)) this.#launch(job)
    const next = idle[due.length]?.due ?? Number.POSITIVE_INFINITY
    this.#timer = setTimeout(() => this.#look(), Math.min(LOOK_MS, next - now))
  }

  #launch({ name }: Job): void {
    const before = this.#runs.get(name)
    const byHand = this.#wanted.delete(name)
    const attempt = before?.retryAt != null && !byHand ? before.attempt + 1 : 1
    const started: Run = {
      outcome: 'running',
      startedAt: Date.now(),
      endedAt: null,
      attempt,
      detail: '',
      retryAt: null,
    }
    const ended = this.#perform(name, started, before).finally(() => {
      this.#active.delete(name)
      this.#look()
    })
    this.#active.set(name, ended)
  }

  async #perform(name: string, started: Run, before: Run | undefined): Promise<void> {
    // On disk first: a run that kills its process is then known to have been tried.
    await this.#remember(name, started)
    try {
      const detail = await this.#run(name, { attempt: started.attempt, signal: this.#stopping.signal })
      await this.#ended(name, { ...started, outcome: 'succeeded', endedAt: Date.now(), detail })
    } catch (error) {
      // Not the run's fault: whoever starts next finds things as they were before.
      if (this.#stopping.signal.aborted) await this.#remember(name, before)
      else await this.#ended(name, failedRun(started, error, Date.now(), this.#options.retries, Math.random()))
    }
  }

  async #ended(name: string, run: Run): Promise<void> {
    await this.#remember(name, run)
    this.#options.onRun(name, run)
  }

  /** In memory at once, on disk soon: where the disk refuses, a restart may run again what ran. */
  #remember(name: string, run: Run | undefined): Promise<void> {
    if (run) this.#runs.set(name, run)
    else this.#runs.delete(name)
    this.#saved = this.#saved.then(() => this.#store.save(this.#runs)).catch(this.#options.onError)
    return this.#saved
  }
}
