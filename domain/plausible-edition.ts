import { indicatorEntry } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import { listText } from './list-text.ts'
import type { RecordedFigure, Stated, Suspicion } from './plausibility.ts'
import { areEqualNumbers } from './plausible-periods.ts'

/** Periods that a detail names. */
const NAMED = 3

/**
 * Judges a document that says neither when it was released nor when it was fetched. If the record of a series goes on after
 * the document's last figure, the document is an older edition, or a part of one, and the figures on record that differ are
 * probably revisions of its own.
 */
export function suspicionOfEdition(
  { indicator }: Series,
  stated: readonly Stated[],
  recorded: RecordedFigure,
  lastRecorded: string,
): Suspicion | undefined {
  const last = stated.reduce((last, { period, figures }) => (figures && period > last ? period : last), '')
  if (last === '' || last >= lastRecorded) return undefined
  const members = indicatorEntry(indicator)?.figures ?? []
  const differs = ({ period, figures }: Stated) =>
    members.some((member) => {
      const [from, to] = [recorded(period, member), figures?.[member]]
      return from !== undefined && (to === undefined ? figures === null : !areEqualNumbers(from, to))
    })
  const differing = stated.filter(differs).map(({ period }) => period)
  if (differing.length === 0) return undefined
  return {
    reason: 'held_older',
    detail: `The document has no date. It ends with ${last}, but the record goes on to ${lastRecorded} and has other figures for ${listText(differing.slice(0, NAMED), differing.length)}.`,
    periods: new Set(differing),
  }
}
