import { anotherIndicator } from './another-indicator.ts'
import { changedBase } from './changed-base.ts'
import { impossibleRange } from './impossible-range.ts'
import { longStep } from './long-step.ts'
import { olderEdition } from './older-edition.ts'
import { powerOfTenToRecord } from './power-of-ten.ts'
import { priceRange } from './price-range.ts'
import { ratioToOther } from './ratio-to-other.ts'
import { ratioToRecord } from './ratio-to-record.ts'
import { statedZero } from './stated-zero.ts'
import type { Check, SeriesView, Verdict } from './view.ts'
import { withdrawal } from './withdrawal.ts'

/** Every check, in the order in which they are made. Each file says what is measured, with an example. */
const checks: readonly Check[] = [
  impossibleRange,
  priceRange,
  withdrawal,
  powerOfTenToRecord,
  changedBase,
  ratioToRecord,
  anotherIndicator,
  ratioToOther,
  statedZero,
  longStep,
  olderEdition,
]

/**
 * Judges what a document states of one series or symbol. The first verdict on all of it is the only one. Other verdicts name
 * single periods. Their values are held, so later checks do not see these; they see all the same which period is the document's
 * last.
 */
export function judge(view: SeriesView): Verdict[] {
  const verdicts: Verdict[] = []
  let rest = view
  for (const check of checks) {
    const verdict = check(rest)
    if (!verdict) continue
    if (verdict.periods === 'all') return [verdict]
    verdicts.push(verdict)
    rest = without(rest, new Set(verdict.periods))
  }
  return verdicts
}

/** Leaves out the stated values of some periods. What is on record of them stays. */
function without(view: SeriesView, periods: ReadonlySet<string>): SeriesView {
  const isLeft = ({ at }: { readonly at: string }) => !periods.has(at)
  return { ...view, news: view.news.filter(isLeft), revised: view.revised.filter(isLeft) }
}
