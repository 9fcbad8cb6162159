import Big from 'big.js'

/**
 * Exact decimals. Figures are canonical strings (no exponent, no leading zeros, no `-0`). Arithmetic is decimal, never
 * binary floating point. A canonical figure keeps the precision of its source: `2.50` stays `2.50`, because a
 * publisher's zeros tell how precise the figure is. Programs that print with a fixed number of places add zeros which tell
 * nothing: they go. Equality is numeric.
 */

const Exact = Big()
Exact.strict = false
/** Rounding mode of published percentages: half away from zero, as statistical offices round. */
const HALF_AWAY = 1

/** Divides to whole numbers: big.js keeps the places and the rounding of a division in the constructor. */
const Whole = Big()
Whole.DP = 0
Whole.RM = HALF_AWAY

const printed = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,3}))?$/
export const MAX_DECIMAL_LENGTH = 64
/** Most decimal places that a publisher's zeros are believed for. `%f` of C prints six, databases up to 40. */
const MAX_BELIEVED_PLACES = 5
/** A text that is its own canonical form, as most printed figures are. Signs and more places are left to `printed`. */
const canonical = /^(?:0|[1-9]\d*)(?:\.\d{1,5})?$/

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
  /** Whole units in one published unit, e.g. `1000000` for millions; applied exactly. */
  readonly multiplier?: string
  /** Declared decimals of the series after the multiplier. Rounding to them cuts binary noise such as `267196000000.0000305`. */
  readonly decimals?: number
}

/**
 * The canonical form of a printed number. Zeros at the end of the fraction stay, unless a multiplier makes them
 * meaningless, or the fraction has more than five places: `4.300000` is `4.3`. Throws `DecimalError` if the text is no plain
 * or exponential decimal, or is longer than 64 characters.
 */
export function canonicalDecimal(text: string, { multiplier, decimals }: DecimalReading = {}): string {
  if (multiplier === undefined && decimals === undefined && canonical.test(text) && text.length <= MAX_DECIMAL_LENGTH)
    return text
  const parts = printed.exec(text.trim())
  if (!parts) throw new DecimalError('not_a_decimal', text)
  const [, sign, digits, exponent] = parts
  let plain: string
  if (multiplier !== undefined || decimals !== undefined || exponent !== undefined) {
    const minus = sign === '-' ? '-' : '' // big.js does not accept a plus sign
    let value = new Exact(`${minus}${digits?.replace(/\.$/, '')}${exponent === undefined ? '' : `e${exponent}`}`)
    if (multiplier !== undefined) value = value.times(multiplier)
    if (decimals !== undefined) value = value.round(decimals, HALF_AWAY)
    plain = value.toFixed()
  } else {
    const [whole = '', places = ''] = (digits ?? '').split('.')
    const fraction = places.length > MAX_BELIEVED_PLACES ? places.replace(/0+$/, '') : places
    plain = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
    if (sign === '-') plain = `-${plain}`
  }
  if (/^-0(?:\.0*)?$/.test(plain)) plain = plain.slice(1)
  if (plain.length > MAX_DECIMAL_LENGTH) throw new DecimalError('decimal_too_long', text)
  return plain
}

export const compareDecimals = (a: string, b: string): -1 | 0 | 1 => new Exact(a).cmp(b)
export const equalDecimals = (a: string, b: string): boolean => a === b || new Exact(a).eq(b)
/** Sign of a canonical decimal, told by its text: no exponent, and a minus in front of negative ones only. */
export const signOf = (a: string): -1 | 0 | 1 => (a.startsWith('-') ? -1 : /[1-9]/.test(a) ? 1 : 0)

const exactly = (value: Big): string => {
  const text = value.toFixed()
  return text === '-0' ? '0' : text
}

export const add = (...terms: readonly string[]): string =>
  exactly(terms.reduce((sum, term) => sum.plus(term), new Exact(0)))
export const subtract = (a: string, b: string): string => exactly(new Exact(a).minus(b))
export const multiply = (a: string, b: string): string => exactly(new Exact(a).times(b))

/**
 * Change from `before` to `now` in percent, with one decimal, rounded half away from zero. Undefined if `before` is
 * zero or negative, because a percentage then has no meaning.
 */
export function percentChange(now: string, before: string): string | undefined {
  if (signOf(before) <= 0) return undefined
  // (now - before) * 1000 / before, rounded to whole tenths of a percent. This is the only rounding of the calculation.
  const tenths = new Whole(new Exact(now).minus(before).times(1000)).div(before)
  const text = tenths.times('0.1').toFixed(1)
  return text === '-0.0' ? '0.0' : text
}

const SIGNIFICANT_DIGITS = 8

/** `a / b` to eight significant digits, half even, plain notation without trailing zeros. `b` must not be zero. */
export function ratio(a: string, b: string): string {
  const [top, bottom] = [wholeParts(a), wholeParts(b)]
  return roundedQuotient(top.units * 10n ** bottom.places, bottom.units * 10n ** top.places, SIGNIFICANT_DIGITS)
}

/**
 * `top / bottom` to a number of significant digits, half even, plain notation without trailing zeros. `bottom` must not be
 * zero. It divides whole numbers, which is ten times as fast as a division in decimal digits: a chart of a computed pair
 * takes thousands.
 */
export function roundedQuotient(top: bigint, bottom: bigint, digits: number): string {
  if (bottom === 0n) throw new RangeError('division by zero')
  if (top === 0n) return '0'
  let over = top < 0n ? -top : top
  let under = bottom < 0n ? -bottom : bottom
  // With this shift the quotient has as many digits before the point as are wanted, or one more.
  let shift = digits - (String(over).length - String(under).length)
  if (shift >= 0) over *= 10n ** BigInt(shift)
  else under *= 10n ** BigInt(-shift)
  if (over / under >= 10n ** BigInt(digits)) {
    under *= 10n
    shift--
  }
  const quotient = over / under
  const twice = 2n * (over % under)
  const isUp = twice > under || (twice === under && quotient % 2n === 1n)
  const sign = top < 0n === bottom < 0n ? '' : '-'
  return sign + shifted(String(isUp ? quotient + 1n : quotient), shift)
}

/** A canonical decimal as a whole number of units of ten to the power of minus `places`. */
export function wholeParts(text: string): { readonly units: bigint; readonly places: bigint } {
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), places: BigInt(fraction.length) }
}

/** Digits divided by ten to the power of `places`, which may be negative, without trailing zeros. */
function shifted(digits: string, places: number): string {
  if (places <= 0) return digits + '0'.repeat(-places)
  const padded = digits.padStart(places + 1, '0')
  const fraction = padded.slice(-places).replace(/0+$/, '')
  return padded.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`)
}
