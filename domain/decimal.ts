import Big from 'big.js'

/**
 * Exact decimals. Figures are canonical strings (no exponent, no leading zeros, no `-0`); arithmetic is decimal, never
 * binary floating point. Canonical keeps the source's own precision: `2.50` stays `2.50`, for a publisher says by its
 * zeros how precise the figure is; equality is numeric.
 */

const Exact = Big()
Exact.strict = false
/** Rounding of published percentages: half away from zero, as statistical offices do. */
const HALF_AWAY = 1
const HALF_EVEN = 2

const printed = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,3}))?$/
export const MAX_DECIMAL_LENGTH = 64

export type DecimalFault = 'not_a_decimal' | 'decimal_too_long'
export class DecimalError extends Error {
  readonly code: DecimalFault
  constructor(code: DecimalFault, text: string) {
    super(`${code}: ${JSON.stringify(text.slice(0, 80))}`)
    this.name = 'DecimalError'
    this.code = code
  }
}

export type DecimalReading = {
  /** The published unit in whole units, e.g. `1000000` for millions; applied exactly. */
  readonly multiplier?: string
  /** The series' declared number of decimals after the multiplier; cuts binary noise such as `267196000000.0000305`. */
  readonly decimals?: number
}

/**
 * The canonical form of a printed number. Zeros that end the fraction stay, unless a multiplier makes them meaningless.
 * Throws `DecimalError` on anything that isn't a plain or exponential decimal, or is longer than 64 characters.
 */
export function canonicalDecimal(text: string, { multiplier, decimals }: DecimalReading = {}): string {
  const parts = printed.exec(text.trim())
  if (!parts) throw new DecimalError('not_a_decimal', text)
  const [, sign, digits, exponent] = parts
  let plain: string
  if (multiplier !== undefined || decimals !== undefined || exponent !== undefined) {
    const minus = sign === '-' ? '-' : '' // big.js reads no plus
    let value = new Exact(`${minus}${digits?.replace(/\.$/, '')}${exponent === undefined ? '' : `e${exponent}`}`)
    if (multiplier !== undefined) value = value.times(multiplier)
    if (decimals !== undefined) value = value.round(decimals, HALF_AWAY)
    plain = value.toFixed()
  } else {
    const [whole = '', fraction = ''] = (digits ?? '').split('.')
    plain = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
    if (sign === '-') plain = `-${plain}`
  }
  if (/^-0(?:\.0*)?$/.test(plain)) plain = plain.slice(1)
  if (plain.length > MAX_DECIMAL_LENGTH) throw new DecimalError('decimal_too_long', text)
  return plain
}

export const compareDecimals = (a: string, b: string): -1 | 0 | 1 => new Exact(a).cmp(b)
export const equalDecimals = (a: string, b: string): boolean => a === b || new Exact(a).eq(b)
export const isPositive = (a: string): boolean => new Exact(a).gt(0)
export const isNegative = (a: string): boolean => new Exact(a).lt(0)

const exactly = (value: Big): string => {
  const text = value.toFixed()
  return text === '-0' ? '0' : text
}

export const add = (...terms: readonly string[]): string =>
  exactly(terms.reduce((sum, term) => sum.plus(term), new Exact(0)))
export const subtract = (a: string, b: string): string => exactly(new Exact(a).minus(b))
export const multiply = (a: string, b: string): string => exactly(new Exact(a).times(b))

/**
 * Change from `before` to `now` in percent, one decimal, rounded half away from zero; undefined if `before` is zero or
 * negative, where a percentage says nothing.
 */
export function percentChange(now: string, before: string): string | undefined {
  if (!isPositive(before)) return undefined
  // (now - before) * 1000 / before, rounded to an integer of tenths of a percent: the one rounding of the calculation.
  const tenths = quotient(new Exact(now).minus(before).times(1000), new Exact(before), 0, HALF_AWAY)
  const text = tenths.times('0.1').toFixed(1)
  return text === '-0.0' ? '0.0' : text
}

/** `a / b` to eight significant digits, half even, plain notation without trailing zeros. `b` must not be zero. */
export function ratio(a: string, b: string): string {
  const top = new Exact(a)
  const bottom = new Exact(b)
  // Decimal places that give at least eight significant digits: the rounding below is then the only one that shows.
  const places = Math.max(0, bottom.e - top.e + 40)
  return exactly(quotientUp(top, bottom, places).prec(8, HALF_EVEN))
}

/** `a × b` to eight significant digits, half even. */
export const product = (a: string, b: string): string => exactly(new Exact(a).times(b).prec(8, HALF_EVEN))

/** Constructors by places and rounding: big.js keeps both in the constructor, and making one costs more than dividing. */
const dividers = new Map<string, typeof Exact>()

function quotient(a: Big, b: Big, places: number, rounding: 0 | 1 | 2 | 3): Big {
  const place = `${places}/${rounding}`
  let Divider = dividers.get(place)
  if (!Divider) {
    Divider = Big()
    Divider.DP = places
    Divider.RM = rounding
    dividers.set(place, Divider)
  }
  return new Divider(a).div(b)
}

/** Truncated, with a sticky digit where something was cut, so that a later half-even rounding sees no false tie. */
function quotientUp(a: Big, b: Big, places: number): Big {
  const cut = quotient(a, b, places, 0)
  return cut.times(b).eq(a) ? cut : cut.plus(`1e-${places + 1}`)
}
