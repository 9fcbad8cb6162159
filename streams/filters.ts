import type { Refusal } from './stream.ts'

/** What a client wants of each kind; null: all of it. An empty set matches nothing. */
export type Filters<F extends string> = { readonly [Member in F]: ReadonlySet<string> | null }

/**
 * Reads the lists of a subscribe message whose shape and sizes have been judged. A value named twice counts once; the first
 * one that isn't served, in the order of `isServed`, is refused: a stream that waits for it would wait for ever.
 */
export function readFilters<F extends string>(
  message: Readonly<Record<string, unknown>>,
  isServed: { readonly [Member in F]: (value: string) => boolean },
): Filters<F> | Refusal {
  const entries: [string, ReadonlySet<string> | null][] = []
  for (const [member, serves] of Object.entries<(value: string) => boolean>(isServed)) {
    const values = message[member] as readonly string[] | undefined
    const value = values?.find((name) => !serves(name))
    if (value !== undefined) {
      return { refused: 'filter_not_supported', detail: `/${member}: "${value.slice(0, 64)}" is not served.` }
    }
    entries.push([member, values ? new Set(values) : null])
  }
  return Object.fromEntries(entries) as Filters<F>
}
