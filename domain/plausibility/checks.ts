import { anotherIndicator } from './another-indicator.ts'
import { changedBase } from './changed-base.ts'
import { impossibleRange } from './impossible-range.ts'
import { longStep } from './long-step.ts'
import { ratioToOther, ratioToRecord } from './median-ratio.ts'
import { olderEdition } from './older-edition.ts'
import { powerOfTenToRecord } from './power-of-ten.ts'
import type { Check, SeriesView, Verdict } from './view.ts'
import { withdrawal } from './withdrawal.ts'

/** Every check, in the order in which they are made. Each file says what is measured, with an example. */
const checks: readonly Check[] = [
  impossibleRange,
  withdrawal,
  powerOfTenToRecord,
  changedBase,
  ratioToRecord,
  anotherIndicator,
  ratioToOther,
  longStep,
  olderEdition,
]

/**
 * Judges what a document states of one series or symbol. The first verdict on all of it is the only one; others name single
 * periods, each of which is held once.
 */
export function judge(view: SeriesView): Verdict[] {
  const verdicts: Verdict[] = []
  const held = new Set<string>()
  for (const check of checks) {
    const verdict = check(view)
    if (!verdict) continue
    if (verdict.periods === 'all') return [verdict]
    const periods = verdict.periods.filter((period) => !held.has(period))
    for (const period of periods) held.add(period)
    if (periods.length > 0) verdicts.push({ ...verdict, periods })
  }
  return verdicts
}
