import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../decide-release.ts'
import { derivations } from './derivations.ts'

/**
 * All current releases that derivations read or have made, also those that withdrew their figures, by series id and
 * period. Survives `structuredClone`.
 */
export type DerivationState = Map<string, Map<string, Release>>

/**
 * Applies the primary releases of one publication and returns the derived releases that follow, in order. Chains
 * (months → year → trade) are derived to their end. All releases are applied before anything is derived, so that a
 * benchmark revision never mixes old levels with new ones. Corrected dates come first, because derived dates follow them
 * only while the figures are the same. Updates `state` in place. Derived releases carry the time of the release that ended
 * the publication, so that a replay gives the same records.
 */
export function deriveFrom(state: DerivationState, published: readonly Release[]): Release[] {
  const at = published.at(-1)?.recorded_at ?? ''
  const current = published.filter(({ series, late }) => !late && derivations.some((rule) => rule.reads(series)))
  const [redated, others] = [current.filter(isRedated), current.filter((release) => !isRedated(release))]
  return [...derivedAll(state, redated, at), ...derivedAll(state, others, at)]
}

const isRedated = ({ redates }: Release): boolean => redates !== null

function derivedAll(state: DerivationState, releases: readonly Release[], at: string): Release[] {
  const made: Release[] = []
  for (const release of releases) remember(state, release)
  const changed = [...releases]
  for (let next = changed.shift(); next; next = changed.shift()) {
    for (const rule of derivations) {
      if (!rule.reads(next.series)) continue
      for (const candidate of rule.derive(state, next)) {
        const known = state.get(candidate.series.id)?.get(candidate.period)
        const decision = decideRelease(known, candidate, at)
        // A rejected candidate cannot be served, such as a balance of more than 64 characters. It is left out, like an
        // incomplete one.
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
