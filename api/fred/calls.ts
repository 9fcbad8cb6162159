import { type SurfaceCall, surfaceCall } from '../surface.ts'

/** The calls of the FRED-style surface and their addresses. */

const call = (id: string, url: string): SurfaceCall & { readonly url: string } => ({ ...surfaceCall('FRED', id), url })

export const fredCalls = {
  series: call('fred_series', '/fred/series'),
  observations: call('fred_observations', '/fred/series/observations'),
  vintageDates: call('fred_vintage_dates', '/fred/series/vintagedates'),
  search: call('fred_search', '/fred/series/search'),
  graph: call('fred_graph', '/fred/graph/fredgraph.csv'),
} as const

/** As at FRED itself, where charts are beside the interface. */
export const GRAPH_BESIDE = '/graph/fredgraph.csv'

/** Whether errors of a path have FRED's form. */
export const isFredPath = (path: string): boolean => /^\/(?:fred|graph)(?:\/|$)/.test(path)

export const isFredCall = ({ tag }: { readonly tag: string }): boolean => tag === fredCalls.series.tag

/** The ids in a query of this surface. */
export const idsIn = ({ series_id: id, id: ids = id }: Readonly<Record<string, unknown>>): string[] =>
  typeof ids === 'string' ? ids.split(',') : []

/** Country and indicator of an id of the catalogue; undefined if the id has another form. */
export function cellOfId(id: string): { readonly country: string; readonly indicator: string } | undefined {
  const [, country, indicator] = /^([A-Z]{3})\.([a-z-]+)\./.exec(id) ?? []
  return country && indicator ? { country, indicator } : undefined
}
