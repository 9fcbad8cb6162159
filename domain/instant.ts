const written = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d))?$/

const DAY_MS = 86_400_000

/** UTC milliseconds. */
type Span = { readonly first: number; readonly last: number }

/**
 * First and last millisecond of an instant that a client wrote (RFC 3339, any offset) or of a date, which means a day in UTC.
 * A time that lies between two milliseconds has the later one as its first, and the earlier one as its last. Undefined if the
 * text is neither, or names a day or time that does not exist.
 */
export function spanOfInstant(text: string): Span | undefined {
  const [, date, clock, fraction = '', offset = ''] = written.exec(text) ?? []
  if (date === undefined) return undefined
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  if (clock === undefined) return { first: midnight, last: midnight + DAY_MS - 1 }
  const last = Date.parse(`${date}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}${offset.toUpperCase()}`)
  if (Number.isNaN(last)) return undefined
  return { first: /[1-9]/.test(fraction.slice(3)) ? last + 1 : last, last }
}

/** The latest of some days, periods, or instants in UTC, as text of one form. Empty text is earlier than all. */
export const latest = (...times: readonly string[]): string => times.toSorted().at(-1) ?? ''
