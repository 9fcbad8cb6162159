import type { Series } from '../contracts/records.ts'

const adjustment = { seasonally_adjusted: 'SA', not_seasonally_adjusted: 'NSA' } as const

/** Gives a series its id: all members that identify it, in one readable line. */
export function seriesOf(stated: Omit<Series, 'id'>): Series {
  // A base that is spelled otherwise is no other base.
  const base_value = /^\d+\.\d*0*$/.test(stated.base_value)
    ? stated.base_value.replace(/\.?0*$/, '')
    : stated.base_value
  const identity = { ...stated, base_value }
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

/**
 * The ids of all series of a country and indicator lie between these two, as text. Read models sort by the id, so such a
 * range is one short read.
 */
export const seriesRange = (country: string, indicator: string): { readonly from: string; readonly to: string } => ({
  from: `${country}.${indicator}.`,
  to: `${country}.${indicator}/`,
})
