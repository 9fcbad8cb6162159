import { invalidQuery } from '../history-question.ts'

/**
 * The decoded parts of an address behind its prefix, and its query. They are read here and not by the router, which would
 * make a space of a plus sign: in SDMX it means "or" in keys, and "and" in ranges.
 */
export function rawRequest(url: string, prefix: string): { path: string[]; query: Record<string, string | string[]> } {
  const [path = '', ...rest] = url.slice(prefix.length).split('?')
  const parts = path.split('/').slice(1)
  // A slash at the end is allowed everywhere.
  if (parts.at(-1) === '') parts.pop()
  const pairs = rest
    .join('?')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [decoded(name), decoded(value.join('='))]
    })
  const query = [...Map.groupBy(pairs, ([name]) => name)].map(([name, given]): [string, string | string[]] => {
    const [first = '', ...more] = given.map(([, value]) => value)
    return [name, more.length > 0 ? [first, ...more] : first]
  })
  return { path: parts.map(decoded), query: Object.fromEntries(query) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidQuery('The address holds a bad percent-encoding.')
  }
}
