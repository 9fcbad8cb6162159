import type { SeriesView, Verdict } from './view.ts'

/**
 * Fewest figures whose withdrawal at once is suspicious, and their least share of the stated ones that are on record. In
 * October 1999 the United States did withdraw 89 % of their GDP for some months, until its new history was computed.
 */
const FEWEST = 12
const LEAST_SHARE = 0.9

/**
 * Withdrawal of most figures: at least 12, and nine tenths of all those on record that the document mentions.
 *
 * Example: a file with the periods of a series and nothing in the column of its values.
 */
export function withdrawal({ withdrawn, revised, unchanged }: SeriesView): Verdict | undefined {
  const onRecord = withdrawn.length + revised.length + unchanged
  if (withdrawn.length < FEWEST || withdrawn.length < LEAST_SHARE * onRecord) return undefined
  return {
    reason: 'held_withdrawal',
    detail: `${withdrawn.length} of ${onRecord} figures on record would be withdrawn at once.`,
    periods: 'all',
  }
}
