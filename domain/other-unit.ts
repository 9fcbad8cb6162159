import { spanOfInstant } from './instant.ts'

/** A time that a program wrote in a unit of its own, and the same time as it must be written. */
type OtherUnit = { readonly unit: string; readonly instant: string }

/** Units of Unix time by the number of digits that a time from 2001-09-09 to 2286-11-20 has. */
const unixUnits: Readonly<Record<number, string>> = {
  10: 'Unix seconds',
  13: 'Unix milliseconds',
  16: 'Unix microseconds',
  19: 'Unix nanoseconds',
}

/**
 * The time of this century that digits look like; undefined if they look like none. Digits such as 2026 and 202611 count as
 * none, because a journal may well have as many events.
 */
function otherUnitOf(text: string): OtherUnit | undefined {
  const digits = text.replace(/^0+(?=\d)/, '')
  const unit = /^\d+$/.test(digits) ? unixUnits[digits.length] : undefined
  const instant = unit
    ? new Date(Number(`${digits}000`.slice(0, 13))).toISOString().replace('.000Z', 'Z')
    : digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  if (!instant.startsWith('20') || instant === digits || !spanOfInstant(instant)) return undefined
  return { unit: unit ?? 'a date without hyphens', instant }
}

/** The end of the message about a refused value: names the unit and what to write instead. Empty if it looks like no time. */
export function otherUnitHint(text: string): string {
  const other = otherUnitOf(text)
  return other ? `; it looks like ${other.unit}: write ${other.instant}` : ''
}
