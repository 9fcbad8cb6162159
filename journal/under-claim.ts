import { repeat } from '../base/async/retry.ts'
import { systemTime, type Time } from '../base/time.ts'
import { JournalError } from './journal.ts'
import type { TypedJournal } from './typed.ts'

const RETRY_MS = 250

type UnderClaim = {
  readonly journal: TypedJournal
  readonly signal: AbortSignal
  /** Tells whether a failure may pass, so that it is of use to claim again. */
  readonly isPassing: (error: unknown) => error is Error
  /** Pause before the next attempt, ms, after this number of failures in a row. */
  readonly pauseMs?: (failures: number) => number
  /** Called for failures that are retried, a lost claim included. */
  readonly onRetry?: ((error: unknown) => void) | undefined
  readonly time?: Time | undefined
}

/**
 * Runs `work` while this process owns the claim `name`, until `signal` aborts. After a transient failure it claims
 * again and starts `work` anew. The signal for `work` also aborts when the claim is lost. Throws permanent errors.
 */
export async function runUnderClaim(
  name: string,
  { journal, signal, isPassing, pauseMs = () => RETRY_MS, onRetry, time = systemTime }: UnderClaim,
  work: (owned: AbortSignal) => Promise<void>,
): Promise<void> {
  const once = async () => {
    const claim = await journal.claim(name, signal)
    try {
      await work(AbortSignal.any([signal, claim.lost]))
      if (claim.lost.aborted) throw new JournalError('fenced', `${name} has another owner`)
    } finally {
      // The outcome of `work` matters. A claim that can't be released passes on when its owner's heartbeats stop.
      await claim.release().catch(() => undefined)
    }
  }
  await repeat(once, { signal, isPassing, pauseMs, onRetry, time })
}
