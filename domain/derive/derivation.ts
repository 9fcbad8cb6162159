import type { Indicator } from '../../contracts/indicators.ts'
import type { Release, Series } from '../../contracts/records.ts'
import type { Candidate } from '../decide-release.ts'
import { isWithdrawn } from '../prints.ts'

/** The current releases of the series that derivations read, also withdrawn ones, by series id and period. */
export type CurrentReleases = ReadonlyMap<string, ReadonlyMap<string, Release>>

/** A figure that another is computed from. */
export type Need = { readonly indicator: Indicator; readonly period: string }

/**
 * A rule of derivation. It is deterministic: its result depends only on the current releases, never on the order in
 * which they arrived. So late, out-of-order and revised inputs end in the result of a full recomputation.
 */
export type Derivation = {
  readonly name: string
  reads(series: Series): boolean
  /** The figures without which that of `indicator` and `period` cannot be computed. */
  needs(indicator: Indicator, period: string): readonly Need[]
  /**
   * The candidates that may have changed because `changed` is now current. Incomplete ones are left out. If an input was
   * withdrawn, so is the candidate.
   */
  derive(current: CurrentReleases, changed: Release): Candidate[]
}

/**
 * A candidate computed from `inputs`, whose date of publication is that of its newest input. It is left out if `compute`
 * finds no figures, and states that there are none if an input was withdrawn.
 */
export function derived(
  series: Series,
  period: string,
  inputs: readonly Release[],
  compute: () => Readonly<Record<string, string>> | undefined,
): Candidate[] {
  const isPossible = !inputs.some(isWithdrawn)
  const figures = isPossible ? compute() : undefined
  if (isPossible && !figures) return []
  const newest = inputs.reduce((a, b) => (b.released_on > a.released_on ? b : a))
  return [
    {
      series,
      period,
      printed: figures
        ? Object.fromEntries(Object.entries(figures).map(([member, value]) => [member, { printed: value }]))
        : null,
      released: { on: newest.released_on, basis: newest.released_on_basis },
      provenance: null,
      inputs: [...new Set(inputs.map((input) => input.release_id))],
    },
  ]
}
