/** Check of the values in a user's rows, because ClickHouse would change some of them silently. Pure. */

/** Says what is wrong with a value of a column; undefined if nothing is. `type` is ClickHouse's own name of the type. */
export function faultOfCell(value: unknown, type: string): string | undefined {
  const [, outer, inner = ''] = /^(LowCardinality|Nullable|Array)\((.*)\)$/s.exec(type) ?? []
  if (outer === 'LowCardinality') return faultOfCell(value, inner)
  if (value === null) return outer === 'Nullable' ? undefined : `null needs Nullable(${type})`
  if (outer === 'Nullable') return faultOfCell(value, inner)
  if (!isCell(value))
    return `${valueText(value)} cannot be stored. Use text, a finite number, true or false, null, or lists and objects of these`
  if (outer === 'Array') return Array.isArray(value) ? faultOfFirst(value, inner) : undefined
  const [, ofMap] = /^Map\(\w+(?:\(\w+\))?, (.*)\)$/s.exec(type) ?? []
  if (ofMap !== undefined) return isPlainObject(value) ? faultOfFirst(Object.values(value), ofMap) : undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return faultOfDecimal(value, type) ?? faultOfWhole(value, type) ?? faultOfDay(value, type)
}

function faultOfFirst(values: readonly unknown[], type: string): string | undefined {
  for (const value of values) {
    const fault = faultOfCell(value, type)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfDecimal(value: string | number, type: string): string | undefined {
  const [, scale] = /^Decimal\(\d+, (\d+)\)$/.exec(type) ?? []
  if (scale === undefined) return undefined
  const digits = /^[+-]?\d+(?:\.(\d*?)0*)?$/.exec(String(value))
  if (!digits) return `${valueText(value)} is no decimal`
  return (digits[1] ?? '').length > Number(scale) ? `${valueText(value)} has more digits than ${type}` : undefined
}

function faultOfWhole(value: string | number, type: string): string | undefined {
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(type) ?? []
  if (bits === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return `${valueText(value)} is beyond the whole numbers that JavaScript has exactly: give text`
  if (!/^[+-]?\d+$/.test(String(value))) return `${valueText(value)} is no whole number`
  return BigInt[unsigned ? 'asUintN' : 'asIntN'](Number(bits), BigInt(value)) === BigInt(value)
    ? undefined
    : `${valueText(value)} is beyond the range of ${type}`
}

/** First and last day of each type. */
const days: Readonly<Record<string, readonly [first: string, last: string]>> = {
  Date: ['1970-01-01', '2149-06-06'],
  Date32: ['1900-01-01', '2299-12-31'],
  DateTime: ['1970-01-01', '2106-02-06'],
  DateTime64: ['1900-01-01', '2299-12-31'],
}

function faultOfDay(value: string | number, type: string): string | undefined {
  const [name = ''] = /^\w+/.exec(type) ?? []
  const [day] = /^\d{4}-\d\d-\d\d/.exec(String(value)) ?? []
  const range = days[name]
  if (day === undefined || range === undefined) return undefined
  const [first, last] = range
  return day < first || day > last
    ? `${valueText(value)} is beyond the range of ${type}, ${first} to ${last}`
    : undefined
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

const isCell = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (Array.isArray(value) && value.every(isCell)) ||
  (isPlainObject(value) && Object.values(value).every(isCell))

/** Value for a message, in one line and not too long. */
export function valueText(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  if (value instanceof Date) return 'a Date (its toISOString() can)'
  if (typeof value === 'bigint') return `the bigint ${value} (its text can)`
  const text = isCell(value) ? JSON.stringify(value) : String(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
