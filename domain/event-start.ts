import { spanOfInstant } from './instant.ts'

/** Where a reader of events begins: at a sequence, or at the first event recorded at or after an instant (UTC milliseconds). */
export type EventStart = { readonly sequence: number } | { readonly recordedFrom: number }

/**
 * Reads a start as clients write it: digits are a sequence, anything else is an instant or a date. Undefined if the text is
 * neither, or names a day or time that does not exist.
 */
export function eventStartOf(text: string): EventStart | undefined {
  if (/^\d+$/.test(text)) return { sequence: Math.min(Math.max(1, Number(text)), Number.MAX_SAFE_INTEGER) }
  const instant = spanOfInstant(text)
  return instant && { recordedFrom: instant.first }
}
