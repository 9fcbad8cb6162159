import { repeat } from '../base/async/retry.ts'
import { isPassing as isJournalPassing, JournalError } from '../journal/journal.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { isAway } from './clickhouse.ts'
import { TableMoved } from './write-block.ts'

const RETRY_MS = 250

type UnderClaim = {
  readonly journal: TypedJournal
  readonly signal: AbortSignal
  /** Called for failures that are retried: ClickHouse or the journal unavailable, the claim lost. */
  readonly onRetry?: ((error: unknown) => void) | undefined
}

/**
 * Runs `work` while this process owns the claim `name`, until `signal` aborts. After a transient failure it claims
 * again and starts `work` anew. The signal for `work` also aborts when the claim is lost. Throws permanent errors.
 */
export async function runUnderClaim(
  name: string,
  { journal, signal, onRetry }: UnderClaim,
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
  await repeat(once, { signal, isPassing, pauseMs: () => RETRY_MS, onRetry })
}

/**
 * Tells whether a failure may be transient. After a lost claim the process is a standby again. If records were deleted
 * before they were read, the next start decides what that means for the table.
 */
function isPassing(error: unknown): error is Error {
  if (error instanceof TableMoved) return true
  return (
    isAway(error) || isJournalPassing(error) || (error instanceof JournalError && error.code === 'offset_out_of_range')
  )
}
