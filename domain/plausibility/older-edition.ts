import { firstOf, type SeriesView, type Verdict } from './view.ts'

/**
 * Older edition: a document without any date ends before the record does, so what it states otherwise than the record, or says is
 * not there, has probably been revised since. Only that is held. There is no bound: one later period on record is enough.
 *
 * Example: a file of 2024 that has no date is read after one of 2025.
 */
export function olderEdition({ isUndated, last, record, revised, withdrawn }: SeriesView): Verdict | undefined {
  const end = record.at(-1)?.at ?? ''
  if (!isUndated || last === '' || last >= end) return undefined
  const differing = [...revised.map(({ at }) => at), ...withdrawn]
  if (differing.length === 0) return undefined
  return {
    reason: 'held_older',
    detail: `The document has no date. It ends with ${last}, but the record goes on to ${end} and has other figures for ${firstOf(differing)}.`,
    periods: differing,
  }
}
