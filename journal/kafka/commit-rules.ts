/**
 * How a transaction under a claim comes to its end, whatever is lost on the way. The claim's next row is part of each
 * transaction, so the row on record tells whether it was committed. No Kafka and no clock here: `held-claim.ts` takes the
 * steps. docs/decisions/0047-ownership.md has the table.
 */
import type { LedgerClaimRow } from './ledger.ts'

export type Step =
  /** Send the transaction. The producer is ready, and the row is as it was. */
  | 'write'
  /** Read the row, so as not to shut out a newer owner by initialising the producer. */
  | 'look'
  /** Initialise the producer: what was left open ends, and every other producer of the name is shut out. */
  | 'initialise'
  /** Read the row again. Nobody else can change it any more without shutting us out. */
  | 'confirm'

/** `inDoubt`: a commit was sent, and it is not known whether it was done. */
export type CommitState = { readonly step: Step; readonly inDoubt: boolean }

/** What a step came to. */
export type News =
  | 'written'
  | 'initialised'
  /** The row is as before the transaction, as after it, or has a newer owner. */
  | 'before'
  | 'after'
  | 'another'
  /** The step failed, and may go well when repeated. A write that failed has written nothing. */
  | 'failed'
  /** The step failed for good. A write that was refused has written nothing. */
  | 'refused'
  /** The commit failed; it may have been done. */
  | 'unsure'
  | 'unsure for good'
  /** The claim was lost before the step was taken. */
  | 'lost'

export type End =
  | 'committed'
  /** Nothing was written, and time is over. */
  | 'late'
  /** Nothing was written, and trying again is of no use. */
  | 'refused'
  /** Nothing was written, and the name has a newer owner. */
  | 'fenced'
  /** Whether it was written can't be told under this claim any more. */
  | 'unknown'

export function next({ step, inDoubt }: CommitState, news: News, isLate: boolean): CommitState | End {
  switch (news) {
    case 'written':
      return 'committed'
    case 'initialised':
      return { step: 'confirm', inDoubt }
    case 'before':
      if (step === 'look') return { step: 'initialise', inDoubt }
      return inDoubt && isLate ? 'late' : { step: 'write', inDoubt: false }
    case 'after':
      // Only we could have written it. Where we have sent no commit, something is wrong, and the claim is given up.
      return inDoubt ? 'committed' : 'unknown'
    case 'another':
    case 'lost':
      return inDoubt ? 'unknown' : 'fenced'
    case 'failed':
      // Always by way of `look`: while we tried, another contender may have become the owner.
      if (!isLate) return { step: 'look', inDoubt }
      return inDoubt ? 'unknown' : 'late'
    case 'refused':
      return inDoubt ? 'unknown' : 'refused'
    case 'unsure':
      return { step: 'look', inDoubt: true }
    case 'unsure for good':
      return 'unknown'
  }
}

/** Compares the row on record with the rows before and after a transaction. */
export function rowNews(
  found: LedgerClaimRow | undefined,
  before: LedgerClaimRow | undefined,
  after: LedgerClaimRow,
): News {
  const [instance, transaction] = [found?.owner?.instance, found?.transaction]
  if (found?.epoch === after.epoch && transaction === after.transaction && instance === after.owner?.instance)
    return 'after'
  // Its transaction may be older: a row is read from its commit marker on, which may come after the answer to the commit.
  return found?.epoch === before?.epoch && instance === before?.owner?.instance ? 'before' : 'another'
}
