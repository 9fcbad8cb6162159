import type { Series } from '../contracts/records.ts'

const adjustment = { seasonally_adjusted: 'SA', not_seasonally_adjusted: 'NSA' } as const

/** The series with its id: every member that makes it itself, in one line that a person can read. */
export function seriesOf(identity: Omit<Series, 'id'>): Series {
  const id = [
    identity.country,
    identity.indicator,
    identity.frequency,
    identity.source,
    identity.dataset,
    identity.unit,
    adjustment[identity.seasonal_adjustment],
    ...(identity.annualization === 'annualized' ? ['annualized'] : []),
    ...(identity.base_period ? [[identity.base_period, identity.base_value].filter(Boolean).join('=')] : []),
    ...(identity.derivation ? [identity.derivation] : []),
  ].join('.')
  return { id, ...identity }
}
