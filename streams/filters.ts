import type { Refusal } from './stream.ts'

/** The values of each filter. Null matches everything, an empty set nothing. */
export type Filters<F extends string> = { readonly [Member in F]: ReadonlySet<string> | null }

/**
 * Reads the filters of a subscribe message whose shape and sizes were checked. Repeated values count once. The first value
 * that isn't served, in the order of `isServed`, is refused, because the client would wait for it in vain.
 */
export function readFilters<F extends string>(
  message: Readonly<Record<string, unknown>>,
  isServed: { readonly [Member in F]: (value: string) => boolean },
): Filters<F> | Refusal {
  const entries: [string, ReadonlySet<string> | null][] = []
  for (const [member, serves] of Object.entries<(value: string) => boolean>(isServed)) {
    // The shape check made it a list of texts, or absent.
    const values = message[member] as readonly string[] | undefined
    const value = values?.find((name) => !serves(name))
    if (value !== undefined) {
      return { refused: 'filter_not_supported', detail: `/${member}: "${value.slice(0, 64)}" is not served.` }
    }
    entries.push([member, values ? new Set(values) : null])
  }
  // `Object.fromEntries` forgets the keys; the loop has set each of them.
  return Object.fromEntries(entries) as Filters<F>
}
