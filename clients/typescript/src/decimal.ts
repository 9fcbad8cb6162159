import { decimals } from './generated/decimals.ts'

/** Makes a number of a decimal's text, for example `(text) => new Big(text)` or `Number`. */
export type DecimalConverter<D> = (text: string) => D

/**
 * Compares two decimals by value, for example to sort: negative, 0 or positive. Their texts do not compare so: `'9'` comes after
 * `'10'`, and `'2.1'` is not `'2.10'`, because a figure keeps the zeros of its publisher.
 */
export function compareDecimalTexts(a: string, b: string): number {
  const [x, y] = [scaledOf(a), scaledOf(b)]
  const scale = Math.max(x.scale, y.scale)
  const raised = ({ digits, scale: own }: typeof x): bigint => digits * 10n ** BigInt(scale - own)
  const difference = raised(x) - raised(y)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The digits of a decimal as an integer, and how many of them stand behind the point. */
function scaledOf(text: string): { readonly digits: bigint; readonly scale: number } {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const DATA_SCHEMA = /^urn:almanac:schema:(\w+)$/

/**
 * A copy of a body in which the decimals are converted, by the schema of that name. The data of an event is converted by
 * the schema that its `dataschema` names.
 */
export function convertDecimals<D>(value: unknown, schema: string, convert: DecimalConverter<D>): unknown {
  if (Array.isArray(value)) return value.map((item) => convertDecimals(item, schema, convert))
  if (!isObject(value)) return value
  if (schema === 'EventMessage') return { ...value, event: convertDecimals(value.event, 'Event', convert) }
  if (schema === 'EventPage') return { ...value, events: convertDecimals(value.events, 'Event', convert) }
  if (schema === 'Event') {
    const [, name = ''] = DATA_SCHEMA.exec(String(value.dataschema)) ?? []
    return { ...value, data: convertDecimals(value.data, name, convert) }
  }
  const marked = decimals[schema]
  if (!marked) return value
  const copy: Members = { ...value }
  for (const [name, mark] of Object.entries(marked)) {
    if (name in value)
      copy[name] = mark === 1 ? convertAll(value[name], convert) : convertDecimals(value[name], mark, convert)
  }
  return copy
}

/** Converts a decimal, a list of them, or the values of an object whose members are decimals. */
function convertAll<D>(value: unknown, convert: DecimalConverter<D>): unknown {
  if (typeof value === 'string') return convert(value)
  if (Array.isArray(value)) return value.map((item) => convertAll(item, convert))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convertAll(item, convert)]))
}
