import { type ParsedUrlQuery, parse } from 'node:querystring'
import { invalidQuery } from '../refusals.ts'

/**
 * The decoded parts of an address behind its prefix, and its query. They are read here and not by the router, which would
 * make a space of a plus sign: in SDMX it means "or" in keys, and "and" in ranges.
 */
export function rawRequest(url: string, prefix: string): { path: string[]; query: ParsedUrlQuery } {
  const [path = '', ...rest] = url.slice(prefix.length).split('?')
  // A slash at the end is allowed everywhere.
  const parts = path.replace(/\/$/, '').split('/').slice(1)
  const query = rest.join('?').replaceAll('+', '%2B')
  try {
    // The parser of queries would leave a bad encoding as it is.
    decodeURIComponent(query)
    return { path: parts.map(decodeURIComponent), query: parse(query, '&', '=', { maxKeys: 0 }) }
  } catch {
    throw invalidQuery('The address holds a bad percent-encoding.')
  }
}
