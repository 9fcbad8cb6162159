import { claimInTime } from '../journal/claim-in-time.ts'
import type { Claim, Journal } from '../journal/journal.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { UsageError } from './command.ts'

/** Longer than a claim takes to pass on from a command that was killed, also in another container. */
const CLAIM_TIMEOUT_MS = 15_000

/**
 * Does `work` under a claim, while no other command does such work. Throws `JournalError` `unavailable` if another process keeps
 * the claim.
 */
export async function underClaim<T>(
  journal: TypedJournal,
  name: string,
  work: (claim: Claim) => Promise<T>,
): Promise<T> {
  const claim = await claimInTime(journal, name, CLAIM_TIMEOUT_MS)
  try {
    return await work(claim)
  } finally {
    await claim.release()
  }
}

/**
 * Claims what one run of a command alone may do at a time, a `copy` or a `backup`: two would mix their records, or read everything
 * twice. The claim ends with the journal that holds it. Throws UsageError if another one runs.
 */
export async function claimOrRefuse(journal: Pick<Journal, 'claim'>, name: string, what: string): Promise<Claim> {
  const timeout = AbortSignal.timeout(CLAIM_TIMEOUT_MS)
  return journal.claim(name, timeout).catch((cause) => {
    if (!timeout.aborted) throw cause
    throw new UsageError(`another ${what} of this journal is running: wait until it ends`, { cause })
  })
}
