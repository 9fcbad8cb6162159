import type { EventRecord } from '../contracts/records.ts'

/** A filter of events: AND across members, OR within one. Null admits all; an empty set admits none. */
export type EventFilter = {
  readonly countries: ReadonlySet<string> | null
  /** The families of the plan, or some of these. Never null, because a plan may lack families. */
  readonly families: ReadonlySet<string>
  readonly types: ReadonlySet<string> | null
}

/** Whether an event passes a filter. An event without a country passes no filter of countries. */
export const passes = (
  { countries, families, types }: EventFilter,
  { country, family, type }: Pick<EventRecord, 'country' | 'family' | 'type'>,
): boolean =>
  families.has(family) &&
  (types === null || types.has(type)) &&
  (countries === null || (country !== null && countries.has(country)))
