/** Media types that an operation can answer with. */
export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  calendar: 'text/calendar',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const
export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes]

/**
 * The offered media type that an Accept header prefers; undefined if it allows none of them. For each type the most specific
 * range that matches it decides (RFC 9110, 12.5.1). Between equals, the one offered first wins.
 */
export function preferredType(accept: string | undefined, offered: readonly MediaType[]): MediaType | undefined {
  const [first] = offered
  if (accept === undefined || accept === '*/*' || accept === first || accept.trim() === '') return first
  const ranges = qualitiesIn(accept)
  const qualities = offered.map((type) => ({
    type,
    q: ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0,
  }))
  const best = Math.max(...qualities.map(({ q }) => q))
  return best > 0 ? qualities.find(({ q }) => q === best)?.type : undefined
}

/** The media ranges of an Accept header, or the codings of Accept-Encoding, with their qualities. */
export const qualitiesIn = (header: string): ReadonlyMap<string, number> =>
  new Map(mediaRanges(header).map(({ type, q }) => [type, q]))

/** The media ranges of an Accept header with their parameters and qualities. */
export const mediaRanges = (accept: string) =>
  accept.split(',').map((item) => {
    const [type = '', ...others] = item.split(';').map((part) => part.trim().toLowerCase())
    const parameters = new Map(others.map((one) => one.split(/=(.*)/s)).map(([name = '', value = '']) => [name, value]))
    return { type, parameters, q: Number(parameters.get('q') ?? 1) || 0 }
  })

/** Whether a browser is opening the address as a page. Scripts and other programs don't name HTML in Accept. */
export const asksForPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false
