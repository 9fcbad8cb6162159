import { repeat } from '../base/async/retry.ts'
import { isPassing as isJournalPassing, JournalError } from '../journal/journal.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { isAway } from './clickhouse.ts'
import { TableMoved } from './write-block.ts'

const RETRY_MS = 250

type UnderClaim = {
  readonly journal: TypedJournal
  readonly signal: AbortSignal
  /** Hears of what is waited out: ClickHouse or the journal away, the claim lost. */
  readonly onRetry?: ((error: unknown) => void) | undefined
}

/**
 * Does `work` while this process owns the claim `name`, and again from its beginning after whatever passes, until `signal`
 * aborts. `work` hears by its own signal that the claim was lost too. Throws what waiting doesn't mend.
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
      await claim.release().catch(() => undefined)
    }
  }
  await repeat(once, { signal, isPassing, pauseMs: () => RETRY_MS, onRetry })
}

/**
 * What may be over in a moment. A claim that was lost is waited for again, as a standby; of records that were deleted
 * before they were read the next start says what it means for the table.
 */
function isPassing(error: unknown): error is Error {
  if (error instanceof TableMoved) return true
  return (
    isAway(error) || isJournalPassing(error) || (error instanceof JournalError && error.code === 'offset_out_of_range')
  )
}
