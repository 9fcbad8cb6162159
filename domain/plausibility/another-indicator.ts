import { areEqual, type SeriesView, type Verdict } from './view.ts'

/** Fewest figures that are those of another indicator, and their least share of the common ones. */
const FEWEST = 8
const LEAST_SHARE = 0.95

/**
 * Figures of another indicator: what a document newly states of one indicator is on record as another of the same country that it
 * may be mistaken for. No two indicators of the sample and of the recorded files have eight figures in common.
 *
 * Example: nominal GDP in the place of real GDP, or exports in the place of imports.
 */
export function anotherIndicator({ news, mistakable }: SeriesView): Verdict | undefined {
  if (news.length < FEWEST) return undefined
  for (const { id, record } of mistakable()) {
    const known = new Map(record.map(({ at, value }) => [at, value]))
    const common = news.filter(({ at }) => known.has(at))
    const equal = common.filter(({ at, value }) => areEqual(known.get(at) ?? Number.NaN, value))
    if (equal.length < FEWEST || equal.length < LEAST_SHARE * common.length) continue
    const detail = `${equal.length} of ${common.length} figures are those of ${id}.`
    return { reason: 'held_contradiction', detail, periods: 'all' }
  }
  return undefined
}
