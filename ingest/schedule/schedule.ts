import { type Backoff, backoffMs } from '../feed/backoff.ts'

/**
 * The schedule port: runs jobs when they are due, each on one node at a time, and remembers how the last run of each went.
 * Every adapter passes `test/contracts/schedule-contract.ts`. Times are UTC milliseconds.
 *
 * Semantics shared by all adapters:
 * - A job is due at the first time of its calendar after the start of its last run. A job that never ran is due at once;
 *   what was missed while nothing ran is caught up by one run.
 * - A job never runs twice at once. A due time is run once, whatever the number of nodes.
 * - A failed run is repeated with backoff, unless it failed with `PermanentFailure`; then, or after the last attempt, the
 *   job waits for its next due time. After `RetryLater` it is repeated when that says, or with backoff where that is later.
 * - A run that died with its process is repeated. So a run may happen more than once: what it does must be idempotent.
 */
export type Job = {
  readonly name: string
  /** The first time after `after` at which the job is due. */
  next(after: number): number
  /** From the start of a run to the next scheduled one at least, ms. */
  readonly leastApartMs: number
}

export type Run = {
  readonly outcome: 'running' | 'succeeded' | 'failed' | 'retrying'
  readonly startedAt: number
  readonly endedAt: number | null
  /** From 1. */
  readonly attempt: number
  /** What was done, or what went wrong: for people. */
  readonly detail: string
  /** When the run is repeated; null unless the outcome is `retrying`. */
  readonly retryAt: number | null
  /** Of one that failed for good: the publisher doesn't want to be asked before, whatever the calendar says. */
  readonly notBefore?: number
}

export type JobState = {
  readonly name: string
  readonly running: boolean
  /** Not before now; null while the job runs. */
  readonly nextRun: number | null
  readonly lastRun: Run | null
}

/** Does a job's work and says what was done. `signal` aborts when the schedule stops, or the job was taken away. */
export type Runner = (
  name: string,
  context: { readonly attempt: number; readonly signal: AbortSignal },
) => Promise<string>

export interface Schedule {
  /** Resolves once jobs can run. Throws `ScheduleUnavailable`. */
  start(jobs: readonly Job[], run: Runner): Promise<void>
  /** All jobs, in the order of `start`. Throws `ScheduleUnavailable`. */
  list(): Promise<readonly JobState[]>
  /** Runs a job at once, calendar or not; `running`: it does already, or is about to. Throws `ScheduleUnavailable`. */
  trigger(name: string): Promise<'started' | 'running' | 'unknown'>
  /** Aborts what runs, waits for it, and leaves it to be run again by whoever starts next. */
  stop(): Promise<void>
}

export type ScheduleOptions = {
  readonly retries?: Retries
  /** Jobs that run at once in this process; absent: all that are due, for the runner to line up. */
  readonly concurrency?: number
  /** Told of each run that ended here, whatever the outcome. */
  readonly onRun?: (name: string, run: Run) => void
  /** Told of trouble of the schedule's own, from which it recovers by itself. */
  readonly onError?: (error: unknown) => void
}

export type Retries = { readonly attempts: number; readonly backoff: Backoff }

/** All attempts lie within three quarters of an hour. */
export const defaultRetries: Retries = { attempts: 6, backoff: { baseMs: 60_000, capMs: 1_800_000 } }

/** The run can't succeed before something else changes: it is not repeated before the next due time. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** The run may succeed, but not before `notBefore`, UTC milliseconds: the publisher has said so. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
  readonly notBefore: number
  constructor(message: string, notBefore: number, options?: ErrorOptions) {
    super(message, options)
    this.notBefore = notBefore
  }
}

export class ScheduleUnavailable extends Error {
  override readonly name = 'ScheduleUnavailable'
  readonly code = 'unavailable'
}

/** When a job is due, by its last run; 0 if it never ran: long since. */
export function dueAt({ next, leastApartMs }: Job, run: Run | undefined): number {
  if (!run) return 0
  return run.retryAt ?? Math.max(next(run.startedAt), run.startedAt + leastApartMs, run.notBefore ?? 0)
}

/** The longest that a publisher is waited for, ms: its clock may be wrong, and a day is what the calendar would give it. */
const LONGEST_WAIT_MS = 86_400_000

/** How a run stands that ended at `endedAt` with `error`. `draw` is in [0, 1). */
export function failedRun(
  started: Pick<Run, 'startedAt' | 'attempt'>,
  error: unknown,
  endedAt: number,
  { attempts, backoff }: Retries,
  draw: number,
): Run {
  const final = error instanceof PermanentFailure || started.attempt >= attempts
  const detail = error instanceof Error ? error.message : String(error)
  const asked = error instanceof RetryLater ? Math.min(Math.ceil(error.notBefore) - endedAt, LONGEST_WAIT_MS) : 0
  if (final) {
    const until = asked > 0 ? { notBefore: endedAt + asked } : {}
    return { ...started, outcome: 'failed', endedAt, detail, retryAt: null, ...until }
  }
  // At least half of each wait: a publisher in trouble isn't asked again at once.
  const whole = backoffMs(started.attempt - 1, 1, backoff)
  const wait = Math.ceil(whole / 2) + Math.floor((draw * whole) / 2)
  return { ...started, outcome: 'retrying', endedAt, detail, retryAt: endedAt + Math.max(wait, asked) }
}

/** The state of a job that isn't running. */
export const stateAtRest = (job: Job, run: Run | undefined, now: number): JobState => ({
  name: job.name,
  running: false,
  nextRun: Math.max(dueAt(job, run), now),
  lastRun: run ?? null,
})
