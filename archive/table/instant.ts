const ZERO = 0x30
const PATTERN = Buffer.from('0000-00-00T00:00:00.000Z')
const SEPARATORS = [4, 7, 10, 13, 16, 19, 23]
const MS = { second: 1_000, minute: 60_000, hour: 3_600_000 }

/**
 * Reads an instant that is written as `Date.toISOString` does, as nearly all are: UTC ms since 1970. NaN for any other text, and
 * for days such as 30 February. It takes a tenth of the time of `Date.parse`.
 */
export function plainInstant(bytes: Uint8Array, from: number, to: number): number {
  if (to - from !== PATTERN.length) return Number.NaN
  for (const at of SEPARATORS) if (bytes[from + at] !== PATTERN[at]) return Number.NaN
  const [hour, minute] = [digits(bytes, from + 11, 2), digits(bytes, from + 14, 2)]
  const [second, ms] = [digits(bytes, from + 17, 2), digits(bytes, from + 20, 3)]
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN
  const day = dayOf(digits(bytes, from, 4), digits(bytes, from + 5, 2), digits(bytes, from + 8, 2))
  return day + hour * MS.hour + minute * MS.minute + second * MS.second + ms
}

/** Reads so many digits. NaN if one is none. */
function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at++) {
    const digit = (bytes[at] as number) - ZERO
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = 10 * value + digit
  }
  return value
}

let last = { year: Number.NaN, month: Number.NaN, day: Number.NaN, ms: Number.NaN }

/** UTC ms of a day, which is mostly that of the instant before. NaN for a day that no month has. */
function dayOf(year: number, month: number, day: number): number {
  if (last.year === year && last.month === month && last.day === day) return last.ms
  const date = new Date(0)
  // `Date.UTC` takes the years to 99 for those from 1900 on.
  date.setUTCFullYear(year, month - 1, day)
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  last = { year, month, day, ms: isDay ? date.getTime() : Number.NaN }
  return last.ms
}
