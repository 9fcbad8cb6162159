/** Addresses of the FRED-style surface. */
export const addresses = {
  series: '/fred/series',
  observations: '/fred/series/observations',
  vintageDates: '/fred/series/vintagedates',
  search: '/fred/series/search',
  graph: '/fred/graph/fredgraph.csv',
  /** As at FRED itself, where charts are beside the interface. */
  graphBeside: '/graph/fredgraph.csv',
} as const

/** Whether errors of a path have FRED's form. */
export const isFredPath = (path: string): boolean => /^\/(?:fred|graph)(?:\/|$)/.test(path)
