import { indicatorEntry, rangeOf } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import { listText } from './list-text.ts'
import { faultOfPeriods } from './plausible-periods.ts'
import { faultOfRevisions, type Revision, type RevisionFault } from './plausible-revisions.ts'
import { isPossible, jumpsIn, type OnRecord, type Point } from './plausible-steps.ts'

/** A document's statement about a period: figures by member as numbers, or null if it states that there is none. */
export type Stated = { readonly period: string; readonly figures: Readonly<Record<string, number>> | null }

/** Returns a member of the current figures on record of a period. */
export type RecordedFigure = (period: string, member: string) => number | undefined

/** Why figures are held for review, and which. */
export type Suspicion = {
  readonly reason: RevisionFault['reason'] | 'held_jump' | 'held_withdrawal' | 'held_contradiction' | 'held_older'
  readonly detail: string
  readonly periods: ReadonlySet<string>
}

/**
 * Fewest figures whose withdrawal at once is suspicious, and their least share of the stated ones that are on record. In
 * October 1999 the United States did withdraw 89 % of their GDP for some months, until its new history was computed.
 */
const FEWEST_WITHDRAWN = 12
const LEAST_WITHDRAWN = 0.9
/** Figures that a detail names. */
const NAMED = 3

/**
 * Judges what one document states about one series as of one date. Returns why it is implausible and for which periods:
 * all of them if the document as a whole contradicts the record, single ones if they jump. Values that are no numbers or
 * out of range are passed over, because `decideRelease` rejects them.
 */
export function suspicionOf(
  series: Series,
  stated: readonly Stated[],
  recorded: RecordedFigure,
): Suspicion | undefined {
  const entry = indicatorEntry(series.indicator)
  if (!entry) return undefined
  const ordered = inOrder(stated)
  const withdrawal = suspicionOfWithdrawals(series, ordered, recorded)
  if (withdrawal) return withdrawal
  const all = () => new Set(ordered.map(({ period }) => period))
  const isIndex = series.base_period !== ''
  const jumps: string[] = []
  const periods = new Set<string>()
  for (const member of entry.figures) {
    const range = rangeOf(series.indicator, member)
    const onRecord: OnRecord = (period) => recorded(period, member)
    const points: Point[] = []
    const revisions: Revision[] = []
    for (const { period, figures } of ordered) {
      const value = figures?.[member]
      if (value === undefined || !isPossible(range, value)) continue
      points.push({ period, value })
      const from = onRecord(period)
      if (from !== undefined) revisions.push({ from, to: value })
    }
    const fault = faultOfRevisions(range, isIndex, revisions) ?? faultOfPeriods(points, onRecord)
    if (fault) return { reason: fault.reason, detail: `${member}: ${fault.detail}`, periods: all() }
    const found = jumpsIn(range, isIndex, points, onRecord)
    if (found.length === 0) continue
    const named = found.slice(0, NAMED).map(({ detail }) => detail)
    jumps.push(`${member}: ${listText(named, found.length)}.`)
    for (const { period } of found) periods.add(period)
  }
  if (jumps.length === 0) return undefined
  return { reason: 'held_jump', detail: `${jumps.join(' ')} The series has never moved like that.`, periods }
}

/** Sorts by period unless that is the order already, as it is in most documents. */
const inOrder = (stated: readonly Stated[]): readonly Stated[] =>
  stated.every(({ period }, i) => i === 0 || (stated[i - 1]?.period ?? '') <= period)
    ? stated
    : stated.toSorted((a, b) => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0))

/** Judges only how many figures on record are withdrawn. The statements may be of several dates. */
export function suspicionOfWithdrawals(
  series: Series,
  stated: readonly Stated[],
  recorded: RecordedFigure,
): Suspicion | undefined {
  if (stated.filter(({ figures }) => figures === null).length < FEWEST_WITHDRAWN) return undefined
  const [member = ''] = indicatorEntry(series.indicator)?.figures ?? []
  const onRecord = stated.filter(({ period }) => recorded(period, member) !== undefined)
  const withdrawn = onRecord.filter(({ figures }) => figures === null)
  if (withdrawn.length < FEWEST_WITHDRAWN || withdrawn.length < LEAST_WITHDRAWN * onRecord.length) return undefined
  return {
    reason: 'held_withdrawal',
    detail: `${withdrawn.length} of ${onRecord.length} figures on record would be withdrawn at once.`,
    periods: new Set(stated.map(({ period }) => period)),
  }
}
