import { Type } from '#typebox'

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?'
const offset = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const instant = `${date}(?:[Tt]${time}${offset})?`

/** An instant as clients write it: RFC 3339 with any offset, or a date, which means a day in UTC. */
export const Instant = Type.String({
  pattern: `^${instant}$`,
  description: 'Instant (RFC 3339) or date (UTC), e.g. 2026-09-01T08:00:00Z or 2026-09-01',
})

/** Where a page of events begins: digits are a sequence, anything else is an instant. */
export const SequenceOrInstant = Type.String({
  pattern: `^(?:\\d{1,20}|${instant})$`,
})
