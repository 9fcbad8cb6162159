/**
 * Rules for finding out how a transaction under a claim ended, whichever answers were lost. Each transaction writes the
 * claim's next row, so the row on record tells whether the transaction was committed. The rules use neither Kafka nor a
 * clock; `owned-claim.ts` takes the steps. docs/decisions/0047-ownership.md has the table.
 */
import type { LedgerClaimRow } from './ledger.ts'

export type Step =
  /** Send the transaction. The producer is initialised, and the row on record is the one before the transaction. */
  | 'write'
  /** Read the row before initialising the producer, because that would fence a newer owner. */
  | 'look'
  /** Initialise the producer: this ends an open transaction and fences every other producer of the name. */
  | 'initialise'
  /** Read the row again. From now on, another process that changes it must fence this producer first. */
  | 'confirm'

/** `inDoubt`: a commit was sent, and it is unknown whether Kafka performed it. */
export type CommitState = { readonly step: Step; readonly inDoubt: boolean }

/** Result of a step. */
export type News =
  | 'written'
  | 'initialised'
  /** The row on record is the one before the transaction, the one after it, or one with a newer owner. */
  | 'before'
  | 'after'
  | 'another'
  /** The step failed, and a retry may succeed. A write that failed has written nothing. */
  | 'failed'
  /** The step failed for good. A write that was refused has written nothing. */
  | 'refused'
  /** The commit failed, but Kafka may have performed it. A retry may help (`unsure`), or cannot (`unsure for good`). */
  | 'unsure'
  | 'unsure for good'
  /** The claim was lost before the step was taken. */
  | 'lost'

export type End =
  | 'committed'
  /** Nothing was written before the deadline. */
  | 'timed out'
  /** Nothing was written, and a retry would not help. */
  | 'refused'
  /** Nothing was written, and the name has a newer owner. */
  | 'fenced'
  /** It is unknown whether the transaction was written, and this claim cannot find out. */
  | 'unknown'

export function next({ step, inDoubt }: CommitState, news: News, isTimedOut: boolean): CommitState | End {
  switch (news) {
    case 'written':
      return 'committed'
    case 'initialised':
      return { step: 'confirm', inDoubt }
    case 'before':
      if (step === 'look') return { step: 'initialise', inDoubt }
      return inDoubt && isTimedOut ? 'timed out' : { step: 'write', inDoubt: false }
    case 'after':
      // Only this claim writes that row. If it sent no commit, an invariant is broken, and the claim is given up.
      return inDoubt ? 'committed' : 'unknown'
    case 'another':
    case 'lost':
      return inDoubt ? 'unknown' : 'fenced'
    case 'failed':
      // A retry begins with `look`, because another contender may have become the owner meanwhile.
      if (!isTimedOut) return { step: 'look', inDoubt }
      return inDoubt ? 'unknown' : 'timed out'
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
  // The row may be of an older transaction: a row counts from its commit marker, which Kafka may write after it has
  // answered the commit.
  return found?.epoch === before?.epoch && instance === before?.owner?.instance ? 'before' : 'another'
}
