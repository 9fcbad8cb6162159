/** Retries of requests to Kafka, and the journal's error for a request that finally failed. */

import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import { JournalError, type JournalErrorCode } from '../journal.ts'
import { KafkaFailure } from './client.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500

/** Kafka's errors after which a retry may succeed. */
const passing = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_OR_FOLLOWER',
  'REPLICA_NOT_AVAILABLE',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
  'KAFKA_STORAGE_ERROR',
  'REQUEST_TIMED_OUT',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'NETWORK_EXCEPTION',
  'BROKER_NOT_AVAILABLE',
  'LISTENER_NOT_FOUND',
  'NOT_CONTROLLER',
  'THROTTLING_QUOTA_EXCEEDED',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR',
  'CONCURRENT_TRANSACTIONS',
])

/** Deadline of retries, on the clock of `performance.now()`, and a signal that ends them at once. */
export type RetryDeadline = { readonly until: number; readonly signal?: AbortSignal }

export const deadlineIn = (ms: number, signal?: AbortSignal): RetryDeadline => ({
  until: performance.now() + ms,
  ...(signal ? { signal } : {}),
})

export const isPassingFailure = (error: unknown): error is KafkaFailure =>
  error instanceof KafkaFailure && error.type !== 'CLOSED' && (error.kind !== 'refused' || passing.has(error.type))

/**
 * Retries `attempt` with back-off until it succeeds. Throws its last failure after the deadline or if a retry cannot
 * help, and `signal.reason` when aborted. `onFailure` is called for each failure before that decision.
 */
export async function retryUntil<T>(
  attempt: () => Promise<T>,
  { until, signal }: RetryDeadline,
  onFailure?: (failure: KafkaFailure) => void,
): Promise<T> {
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof KafkaFailure) onFailure?.(error)
      if (!isPassingFailure(error) || performance.now() + waitMs > until) throw error
      // The sleep rejects only when aborted, which the next round throws.
      await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => undefined)
    }
  }
}

/** Resolves once `work` is done or after `ms`. Throws if `work` fails before that. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  try {
    await Promise.race([work, pause(ms, stop.signal, systemTime)])
  } finally {
    stop.abort()
  }
}

const codes: Readonly<Record<string, JournalErrorCode>> = {
  MESSAGE_TOO_LARGE: 'record_too_large',
  RECORD_LIST_TOO_LARGE: 'record_too_large',
  UNKNOWN_TOPIC_OR_PARTITION: 'unknown_topic',
}

/**
 * Translates a failure for the caller of the port. A failure that may pass becomes `unavailable`; use it only where nothing
 * was written. A refusal for which the port has no code (missing rights, a wrong setting) stays a KafkaFailure.
 */
export function toJournalError(error: unknown): unknown {
  if (!(error instanceof KafkaFailure)) return error
  if (error.type === 'CLOSED') return new JournalError('closed', error.message, { cause: error })
  const code = error.kind === 'refused' ? codes[error.type] : undefined
  if (code) return new JournalError(code, error.message, { cause: error })
  return isPassingFailure(error) ? new JournalError('unavailable', error.message, { cause: error }) : error
}
