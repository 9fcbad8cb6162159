import { spanOfInstant } from './instant.ts'
import { otherUnitHint } from './other-unit.ts'

/** A sequence, and the text that it was read from. */
export type SequenceStart = { readonly sequence: number; readonly written: string }

/** Where a reader of events begins: at a sequence, or at the first event recorded at or after an instant (UTC milliseconds). */
export type EventStart = SequenceStart | { readonly recordedFrom: number }

/**
 * Reads a start as clients write it: digits are a sequence, anything else is an instant or a date. Undefined if the text is
 * neither, or names a day or time that does not exist.
 */
export function eventStartOf(text: string): EventStart | undefined {
  if (/^\d+$/.test(text))
    return { sequence: Math.min(Math.max(1, Number(text)), Number.MAX_SAFE_INTEGER), written: text }
  const instant = spanOfInstant(text)
  return instant && { recordedFrom: instant.first }
}

/**
 * Why a start is refused. `isTime`: it is a time in another unit, so the value is wrong. Otherwise it is a place that is ahead
 * of the journal, as a cursor can be. The detail begins with the value.
 */
export type StartFault = { readonly isTime: boolean; readonly detail: string }

/**
 * Fault of a sequence beyond `next`, the sequence of the next event to come. What looks like a time is a sequence, too, as soon
 * as the journal has as many events.
 */
export function faultOfSequence({ sequence, written }: SequenceStart, next: number): StartFault | undefined {
  if (sequence <= next) return undefined
  const hint = otherUnitHint(written)
  return { isTime: hint !== '', detail: `${written} is beyond the next event, ${next}${hint}.` }
}
