import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../decide-release.ts'
import type { Derivation } from './derivation.ts'
import { growthFromVolume } from './growth.ts'
import { inflationFromCpi } from './inflation.ts'
import { tradeFromFlows } from './trade.ts'
import { yearFromMonths } from './year.ts'

export const derivations: readonly Derivation[] = [inflationFromCpi, growthFromVolume, yearFromMonths, tradeFromFlows]

/** All current releases that derivations read or have made, by series id and period. Survives `structuredClone`. */
export type DerivationState = Map<string, Map<string, Release>>

/**
 * Takes one primary release in and gives the derived releases that follow from it, in order, whole chains at once
 * (months → year → trade). `state` is moved on. Derived releases carry the time of the release that caused them, so that
 * a replay gives the same records.
 */
export function deriveFrom(state: DerivationState, release: Release): Release[] {
  const made: Release[] = []
  const changed = [release]
  for (let next = changed.shift(); next; next = changed.shift()) {
    const rules = derivations.filter((rule) => rule.reads((next as Release).series))
    if (rules.length === 0) continue
    remember(state, next)
    for (const rule of rules) {
      for (const candidate of rule.derive(state, next)) {
        const known = state.get(candidate.series.id)?.get(candidate.period)
        const decision = decideRelease(known, candidate, release.recorded_at)
        if (decision.outcome === 'rejected')
          throw new Error(`${rule.name} made a release that is rejected: ${decision.reason} ${decision.detail}`)
        if (decision.outcome === 'unchanged') continue
        remember(state, decision.release)
        made.push(decision.release)
        changed.push(decision.release)
      }
    }
  }
  return made
}

function remember(state: DerivationState, release: Release): void {
  const periods = state.get(release.series.id)
  if (periods) periods.set(release.period, release)
  else state.set(release.series.id, new Map([[release.period, release]]))
}
