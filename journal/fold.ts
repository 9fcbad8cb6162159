import type { RecordOf, Topic } from '../contracts/topics.ts'
import { JournalError } from './journal.ts'
import type { JournalRecord, TypedJournal } from './typed.ts'

export type Fold = {
  /** Resolves once everything up to the end seen at the start has been taken in. */
  readonly caughtUp: Promise<void>
  /** Settles when `signal` aborts; rejects if a record can't be taken in. */
  readonly done: Promise<void>
  /** Whether the journal has been away for longer than a hiccup: what is in memory may be behind. */
  isAway(): boolean
}

const RETRY_MS = 250
const HICCUP_MS = 1_000
/** Longer than the leader of a partition takes to be replaced: that alone is not being away. */
export const FAILOVER_MS = 5_000

/**
 * Keeps something in memory fresh from a topic: hands every record of partition 0 to `apply`, from the log start on, for
 * ever. A journal that is away is waited for; what is in memory stays as it was meanwhile.
 */
export function foldTopic<T extends Topic>(
  journal: TypedJournal,
  topic: T,
  apply: (value: RecordOf<T>, record: JournalRecord<T>) => void,
  signal: AbortSignal,
): Fold {
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => undefined)
  let awaySince = Number.POSITIVE_INFINITY
  const run = async () => {
    let next: number | undefined
    let target: number | undefined
    while (!signal.aborted) {
      try {
        const { start, end } = await journal.bounds(topic, 0)
        target ??= end
        if (start >= target) caughtUp.resolve()
        for await (const batch of journal.follow(topic, 0, Math.max(next ?? start, start), signal, {
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
        awaySince = Math.min(awaySince, performance.now())
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const done = run()
  done.catch((error) => caughtUp.reject(error))
  return { caughtUp: caughtUp.promise, done, isAway: () => performance.now() - awaySince > HICCUP_MS }
}
