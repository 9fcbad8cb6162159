import { spanOfInstant } from '../domain/instant.ts'
import { otherUnitHint } from '../domain/other-unit.ts'
import { UsageError } from './command.ts'

/** Where a range of a topic begins or ends, as a user writes it: an offset, or a record time (UTC ms). */
export type OffsetOrTime = { readonly offset: number } | { readonly time: number }

/** The message about an offset that a partition does not have. It names the unit of what looks like a time. */
export const noSuchOffset = (option: string, offset: number, available: string): UsageError =>
  new UsageError(`${option} ${offset}: ${available}${otherUnitHint(String(offset))}`)

/** Whether an offset looks like a time in another unit, so that it is no end that a topic may reach one day. */
export const looksLikeTime = (offset: number): boolean => otherUnitHint(String(offset)) !== ''

/**
 * Reads the value of an option. Digits alone are an offset, anything else is an instant (RFC 3339), or a date, which means its
 * midnight in UTC. `others`: what else the option takes, for the message. Throws UsageError.
 */
export function offsetOrTime(text: string, option: string, others = ''): OffsetOrTime {
  if (/^\d{1,15}$/.test(text)) return { offset: Number(text) }
  const instant = spanOfInstant(text)
  if (instant) return { time: instant.first }
  const example = `such as 42, 2026-11-01T08:00:00Z or 2026-11-01${others}`
  throw new UsageError(
    `${option} takes an offset or a time, ${example}, not ${JSON.stringify(text)}${otherUnitHint(text)}`,
  )
}
