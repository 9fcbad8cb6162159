import type { EventRecord } from '../contracts/records.ts'

/** What of the events is wanted: AND across members, OR within one. Null: all; an empty set: none. */
export type EventFilter = {
  readonly countries: ReadonlySet<string> | null
  /** Those of the plan, or some of them: never all there may be. */
  readonly families: ReadonlySet<string>
  readonly types: ReadonlySet<string> | null
}

/** An event without a country passes no filter of countries. */
export const passes = (
  { countries, families, types }: EventFilter,
  { country, family, type }: Pick<EventRecord, 'country' | 'family' | 'type'>,
): boolean =>
  families.has(family) &&
  (types === null || types.has(type)) &&
  (countries === null || (country !== null && countries.has(country)))
