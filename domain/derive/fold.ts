import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../decide-release.ts'
import type { Derivation } from './derivation.ts'
import { growthFromVolume } from './growth.ts'
import { inflationFromCpi } from './inflation.ts'
import { tradeFromFlows } from './trade.ts'
import { yearFromMonths } from './year.ts'

const derivations: readonly Derivation[] = [inflationFromCpi, growthFromVolume, yearFromMonths, tradeFromFlows]

/** All current releases that derivations read or have made, by series id and period. Survives `structuredClone`. */
export type DerivationState = Map<string, Map<string, Release>>

/**
 * Takes in the primary releases that were published together and gives the derived releases that follow from them, in
 * order, whole chains at once (months → year → trade). All are taken in before anything is derived, so that a benchmark
 * revision never mixes old levels with new ones. `state` is moved on. Derived releases carry the time of the release that
 * ended the publication, so that a replay gives the same records.
 */
export function deriveFrom(state: DerivationState, published: readonly Release[]): Release[] {
  const made: Release[] = []
  const at = published.at(-1)?.recorded_at ?? ''
  const changed = published.filter(({ series }) => derivations.some((rule) => rule.reads(series)))
  for (const release of changed) remember(state, release)
  for (let next = changed.shift(); next; next = changed.shift()) {
    for (const rule of derivations) {
      if (!rule.reads(next.series)) continue
      for (const candidate of rule.derive(state, next)) {
        const known = state.get(candidate.series.id)?.get(candidate.period)
        const decision = decideRelease(known, candidate, at)
        // Rejected: it can't be served, such as a balance of more than 64 characters. Like an incomplete one, it is left out.
        if (decision.outcome === 'rejected' || decision.outcome === 'unchanged') continue
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
