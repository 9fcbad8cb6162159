/** Doing a request again while that may help, and what it means when it no longer does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../../base/async/pause.ts'
import { JournalError, type JournalErrorCode } from '../journal.ts'
import { KafkaFailure } from './client.ts'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500

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

/** A moment from which on nothing is tried again, and a signal that ends the trying at once. */
export type Patience = { readonly until: number; readonly signal?: AbortSignal }

export const forMs = (ms: number, signal?: AbortSignal): Patience => ({
  until: performance.now() + ms,
  ...(signal ? { signal } : {}),
})

export const isPassingFailure = (error: unknown): error is KafkaFailure =>
  error instanceof KafkaFailure && error.type !== 'CLOSED' && (error.kind !== 'refused' || passing.has(error.type))

/**
 * Makes `attempt` until it succeeds. Throws its last failure when patience is over or repeating is of no use, and
 * `signal.reason` when aborted. `onFailure` hears of each failure before it is decided upon.
 */
export async function persist<T>(
  attempt: () => Promise<T>,
  { until, signal }: Patience,
  onFailure?: (failure: KafkaFailure) => void,
): Promise<T> {
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof KafkaFailure) onFailure?.(error)
      if (!isPassingFailure(error) || performance.now() + waitMs > until) throw error
      await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => undefined)
    }
  }
}

/** Resolves once `work` is done or that time is over; throws what `work` throws within it. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  try {
    await Promise.race([work, pause(ms, stop.signal)])
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
 * For the caller: what passes is `unavailable`, since nothing was done; anything that Kafka refuses for good and the port
 * has no word for (missing rights, a broken setting) stays what it is.
 */
export function toJournalError(error: unknown): unknown {
  if (!(error instanceof KafkaFailure)) return error
  if (error.type === 'CLOSED') return new JournalError('closed', error.message, { cause: error })
  const code = error.kind === 'refused' ? codes[error.type] : undefined
  if (code) return new JournalError(code, error.message, { cause: error })
  return isPassingFailure(error) ? new JournalError('unavailable', error.message, { cause: error }) : error
}
