import { systemTime, type Time } from '../../base/time.ts'
import { type Backoff, backoffMs } from '../feed/backoff.ts'

/**
 * The schedule port: runs jobs when they are due, each on one node at a time, and keeps the result of each last run.
 * Every adapter passes `test/contracts/schedule-contract.ts`. Times are UTC milliseconds.
 *
 * Semantics shared by all adapters:
 * - A job is due at the first time of its calendar after the start of its last run. A job that never ran is due at
 *   once. One run makes up for all due times that were missed while no node ran.
 * - A job never runs twice at once. A due time is run once, whatever the number of nodes.
 * - A failed run is retried with backoff. After `PermanentFailure`, or after the last attempt, the job waits for its
 *   next due time. After `RetryLater` it is retried at the time that names, or after the backoff if that is later.
 * - A run that died with its process is retried. A run may happen more than once, so it must be idempotent.
 */
export type Job = {
  readonly name: string
  /** Returns the first time after `after` at which the job is due. A waiting job follows a changed answer. */
  next(after: number): number
  /** Shortest time from the start of a run to the next scheduled one, ms. */
  readonly leastApartMs: number
}

export type Run = {
  readonly outcome: 'running' | 'succeeded' | 'failed' | 'retrying'
  readonly startedAt: number
  readonly endedAt: number | null
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Text for people: the work done, or the error. */
  readonly detail: string
  /** Time of the retry; null unless the outcome is `retrying`. */
  readonly retryAt: number | null
  /** After the last attempt: time before which the publisher must not be asked again, whatever the calendar says. */
  readonly notBefore?: number
}

export type JobState = {
  readonly name: string
  readonly running: boolean
  /** Time of the next run, never in the past; null while the job runs. */
  readonly nextRun: number | null
  readonly lastRun: Run | null
  /** While the job runs: the run before, which has ended. */
  readonly runBefore?: Run | undefined
}

/** Does a job's work and returns a text about it. `signal` aborts when the schedule stops or loses the job. */
export type Runner = (
  name: string,
  context: { readonly attempt: number; readonly signal: AbortSignal },
) => Promise<string>

export interface Schedule {
  /** Resolves once jobs can run. Throws `ScheduleUnavailable`. */
  start(jobs: readonly Job[], run: Runner): Promise<void>
  /** Lists all jobs, in the order of `start`. Throws `ScheduleUnavailable`. */
  list(): Promise<readonly JobState[]>
  /** Runs a job at once. `running`: it runs already, or is about to. Throws `ScheduleUnavailable`. */
  trigger(name: string): Promise<'started' | 'running' | 'unknown'>
  /** Aborts running jobs and waits for them. The next start of any node runs them again. */
  stop(): Promise<void>
}

export type ScheduleOptions = {
  readonly retries?: Retries
  /** Jobs that run at once in this process; by default all that are due, because the runner itself queues them. */
  readonly concurrency?: number
  /** Longest time until the schedule follows a job whose next time has changed, ms. */
  readonly lookMs?: number
  /** Called for each run that ended in this process, whatever the outcome. */
  readonly onRun?: (name: string, run: Run) => void
  /** Called for errors of the schedule itself, from which it recovers by itself. */
  readonly onError?: (error: unknown) => void
  readonly time?: Time
}

export type Retries = { readonly attempts: number; readonly backoff: Backoff }

/** All attempts lie within three quarters of an hour. */
export const defaultRetries: Retries = { attempts: 6, backoff: { baseMs: 60_000, capMs: 1_800_000 } }

export const scheduleDefaults: Required<ScheduleOptions> = {
  retries: defaultRetries,
  concurrency: Number.POSITIVE_INFINITY,
  // Also bounds how long a change of the machine's clock, or its sleep, goes unnoticed.
  lookMs: 30_000,
  onRun: () => undefined,
  onError: () => undefined,
  time: systemTime,
}

/** A retry can't succeed, so the job waits for its next due time. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** The publisher asks not to be asked again before `notBefore`, UTC milliseconds. */
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

/** Clocks of nodes differ by less, ms. */
const AHEAD_MS = 3_600_000
/** Whether a run is noted as of a time to come: the clock was wrong, and nothing follows from that time. */
export const isAhead = ({ startedAt }: Run, now: number): boolean => startedAt > now + AHEAD_MS

/**
 * Returns when a job is due after its last run. Returns 0, which is long past, if it never ran. If its last run is of a time to
 * come, returns the beginning of this hour, or of the span that runs must be apart: otherwise the job would not run before that
 * time.
 */
export function dueAt({ next, leastApartMs }: Job, run: Run | undefined, now: number): number {
  if (!run) return 0
  const span = Math.max(AHEAD_MS, leastApartMs)
  if (isAhead(run, now)) return Math.floor(now / span) * span
  return run.retryAt ?? Math.max(next(run.startedAt), run.startedAt + leastApartMs, run.notBefore ?? 0)
}

/** Longest wait that a publisher may ask for, ms. Its clock may be wrong, and the calendar would ask again in a day. */
const LONGEST_WAIT_MS = 86_400_000

/** Returns the state of a run that ended at `endedAt` with `error`. `draw` is a random number in [0, 1). */
export function failedRun(
  started: Pick<Run, 'startedAt' | 'attempt'>,
  error: unknown,
  endedAt: number,
  { attempts, backoff }: Retries,
  draw: number,
): Run {
  const final = error instanceof PermanentFailure || started.attempt >= attempts
  const detail = error instanceof Error ? error.message : String(error)
  const requestedWait =
    error instanceof RetryLater ? Math.min(Math.ceil(error.notBefore) - endedAt, LONGEST_WAIT_MS) : 0
  if (final) {
    const until = requestedWait > 0 ? { notBefore: endedAt + requestedWait } : {}
    return { ...started, outcome: 'failed', endedAt, detail, retryAt: null, ...until }
  }
  // Waits at least half of the backoff, so that a publisher in trouble isn't asked again at once.
  const whole = backoffMs(started.attempt - 1, 1, backoff)
  const wait = Math.ceil(whole / 2) + Math.floor((draw * whole) / 2)
  return { ...started, outcome: 'retrying', endedAt, detail, retryAt: endedAt + Math.max(wait, requestedWait) }
}

export const runningRun = (started: Pick<Run, 'startedAt' | 'attempt'>): Run => ({
  ...started,
  outcome: 'running',
  endedAt: null,
  detail: '',
  retryAt: null,
})

/** Does a job's work and returns how that ended. Throws what the runner threw if `signal` has aborted: that is no failed attempt. */
export async function attempted(
  run: Runner,
  name: string,
  started: Pick<Run, 'startedAt' | 'attempt'>,
  signal: AbortSignal,
  { retries, time }: Required<Pick<ScheduleOptions, 'retries' | 'time'>>,
): Promise<Run> {
  try {
    const detail = await run(name, { attempt: started.attempt, signal })
    return { ...started, outcome: 'succeeded', endedAt: time.now(), detail, retryAt: null }
  } catch (error) {
    if (signal.aborted) throw error
    return failedRun(started, error, time.now(), retries, time.random())
  }
}

export const stateAtRest = (job: Job, run: Run | undefined, now: number): JobState => ({
  name: job.name,
  running: false,
  nextRun: Math.max(dueAt(job, run, now), now),
  lastRun: run ?? null,
})
