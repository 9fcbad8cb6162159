import type { Executable } from '../execute.ts'

/** The tag of the calls of this surface, which are no operations of /v1. */
const FRED = 'FRED'

/** A request of this surface as the executor and the handlers of a day know it. */
type FredCall = Executable & { readonly tag: typeof FRED }

/** Each request that reads is one call of the quota. */
const call = (id: string): FredCall => ({ id, access: 'charged', tag: FRED })

export const fredCalls = {
  series: call('fred_series'),
  observations: call('fred_observations'),
  vintageDates: call('fred_vintage_dates'),
  search: call('fred_search'),
  graph: call('fred_graph'),
} as const

export const isFredCall = ({ tag }: { readonly tag: string }): boolean => tag === FRED

/** The ids in a query of this surface. */
export const idsIn = ({ series_id: id, id: ids = id }: Readonly<Record<string, unknown>>): string[] =>
  typeof ids === 'string' ? ids.split(',') : []

/** Country and indicator of an id of the catalogue; undefined if the id has another form. */
export function cellOfId(id: string): { readonly country: string; readonly indicator: string } | undefined {
  const [, country, indicator] = /^([A-Z]{3})\.([a-z-]+)\./.exec(id) ?? []
  return country && indicator ? { country, indicator } : undefined
}
