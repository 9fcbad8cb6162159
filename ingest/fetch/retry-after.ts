/** Date formats: IMF-fixdate, the only one that servers may send, and the two obsolete ones. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/**
 * Returns the instant that a `Retry-After` header names, in UTC milliseconds. The header has seconds from `now` or an
 * HTTP date. Returns undefined for anything else, and for an instant that is not after `now`.
 * Source: RFC 9110, sections 10.2.3 and 5.6.7.
 */
export function retryAfter(header: string, now: number): number | undefined {
  const text = header.trim()
  const at = /^\d+$/.test(text) ? now + Number(text) * 1_000 : dateOf(text)
  return at > now ? at : undefined
}

/** Parses an HTTP date to UTC milliseconds; NaN if the text is none. */
function dateOf(text: string): number {
  if (!DATES.some((form) => form.test(text))) return Number.NaN
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
}
