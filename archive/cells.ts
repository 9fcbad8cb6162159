/** Conversion of a record's members to the cells of the archive's tables. A value that does not fit exactly is null. */
import type { ColumnType } from './columns.ts'

export const DECIMAL_PRECISION = 38
export const DECIMAL_SCALE = 18

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/

/** The digits of a decimal as DECIMAL(38, scale) stores them: the value times 10 to the power of `scale`. */
export function unscaled(text: string, scale = DECIMAL_SCALE): bigint | null {
  const [, sign, whole = '', fraction = ''] = decimal.exec(text) ?? []
  const kept = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction
  if (sign === undefined || kept.length > scale) return null
  const digits = whole.replace(/^0+/, '') + kept.padEnd(scale, '0')
  return digits.length > DECIMAL_PRECISION ? null : BigInt(sign + (digits || '0'))
}

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/

/** Microseconds since 1970 of an instant in UTC. */
export function microseconds(text: string): bigint | null {
  const [, second, fraction = ''] = instant.exec(text) ?? []
  if (second === undefined || /[1-9]/.test(fraction.slice(6))) return null
  const milliseconds = Date.parse(`${second}Z`)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(second)) return null
  return BigInt(milliseconds) * 1_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
}

const DAY_MS = 86_400_000

/** Days since 1970 of a date. */
export function days(text: string): number | null {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(text)) return null
  return milliseconds / DAY_MS
}

type MapEntry = { readonly key: string; readonly value: unknown }

/** Entries in the order of their keys, so that the same record always gives the same bytes. */
export const sortedEntries = (map: Readonly<Record<string, unknown>>): MapEntry[] =>
  Object.keys(map)
    .sort()
    .map((key) => ({ key, value: map[key] }))

/** Converts a member, which has the type that the record's schema gives it. */
export function cellOf(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'decimal':
      return unscaled(String(value))
    case 'timestamp':
      return microseconds(String(value))
    case 'date':
      return days(String(value))
    case 'long':
      return BigInt(value as number)
    case 'map<string, string>':
      return sortedEntries(value as Record<string, string>)
    case 'map<string, decimal>':
      return sortedEntries(value as Record<string, string>).map(({ key, value }) => ({
        key,
        value: unscaled(String(value)),
      }))
    default:
      return value
  }
}

/** Follows `path` into a record. A member of something that is null is null. */
export function memberAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const name of path) {
    if (value === null || value === undefined) return null
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
