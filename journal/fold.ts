import { pause } from '../base/async/pause.ts'
import { systemTime, type Time } from '../base/time.ts'
import type { RecordOf, Topic } from '../contracts/topics.ts'
import { JournalError } from './journal.ts'
import type { JournalRecord, TypedJournal } from './typed.ts'

export type Fold = {
  /** Resolves once every record up to the end seen at the start has been applied. */
  readonly caughtUp: Promise<void>
  /** Resolves when `signal` aborts; rejects if a record can't be applied. */
  readonly done: Promise<void>
  /** Tells whether the journal has been unavailable for over a second, so that the state in memory may be behind. */
  isAway(): boolean
}

const RETRY_MS = 250
const HICCUP_MS = 1_000
/** Longer than the election of a partition leader takes, so that an election alone does not count as an outage. */
export const FAILOVER_MS = 5_000

/**
 * Keeps state in memory up to date with a topic: calls `apply` with every record of partition 0, from the offset `from` or
 * the log start on, until `signal` aborts. Retries while the journal is unavailable; the state stays as it was meanwhile.
 */
export function foldTopic<T extends Topic>(
  journal: TypedJournal,
  topic: T,
  apply: (value: RecordOf<T>, record: JournalRecord<T>) => void,
  signal: AbortSignal,
  time: Time = systemTime,
  from = 0,
): Fold {
  const caughtUp = Promise.withResolvers<void>()
  // `done` reports the same failure. Without a handler here, a caller that ignores `caughtUp` would end the process.
  caughtUp.promise.catch(() => undefined)
  let awaySince = Number.POSITIVE_INFINITY
  const run = async () => {
    let next = from
    let target: number | undefined
    while (!signal.aborted) {
      try {
        const { start, end } = await journal.bounds(topic, 0)
        target ??= end
        if (Math.max(next, start) >= target) caughtUp.resolve()
        for await (const batch of journal.follow(topic, 0, Math.max(next, start), signal, {
          patienceMs: FAILOVER_MS,
        })) {
          awaySince = Number.POSITIVE_INFINITY
          for (const record of batch.records) apply(record.value, record)
          next = batch.next
          if (batch.next >= target) caughtUp.resolve()
        }
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof JournalError && error.code === 'unavailable')) throw error
        awaySince = Math.min(awaySince, time.monotonic())
        await pause(RETRY_MS, signal, time)
      }
    }
  }
  const done = run()
  done.catch((error) => caughtUp.reject(error))
  return { caughtUp: caughtUp.promise, done, isAway: () => time.monotonic() - awaySince > HICCUP_MS }
}
