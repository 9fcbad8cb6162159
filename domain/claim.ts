import { canonicalDecimal, compareDecimals, subtract } from './decimal.ts'

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** Whether three letters are a currency as Node knows them, and not a word such as `pts`. */
const isCode = (code: string): boolean => known.has(code)

/** A figure as a person states it, such as `32.5 trillion` or `3.2 %`. */
export type StatedClaim = {
  /** The number, with its scale applied. */
  readonly value: string
  /** Half a unit of its last digit: how far a figure may be away that was rounded to it. */
  readonly tolerance: string
  /** `percent` if it names percent, `amount` if it has a scale or a currency, else null. */
  readonly kind: 'percent' | 'amount' | null
  /** Currency code, ISO 4217; empty if it names none. */
  readonly currency: string
}

const powers: Readonly<Record<string, number>> = {
  '': 0,
  thousand: 3,
  million: 6,
  mn: 6,
  mln: 6,
  m: 6,
  billion: 9,
  bn: 9,
  b: 9,
  bil: 9,
  trillion: 12,
  trn: 12,
  tn: 12,
  t: 12,
}
const code = '[A-Z]{3}'
// A 0 before a comma is no group of digits: `0,125` has a decimal comma.
const number = '(?<sign>[+-]?)(?<digits>[1-9]\\d{0,2}(?:,\\d{3})+|\\d{1,40})(?:\\.(?<places>\\d{1,20}))?'
const scale = Object.keys(powers)
  .filter((word) => word !== '')
  .join('|')
const FORM = new RegExp(
  `^(?:(?<before>${code})(?=[ \\d+-])|[$€£¥])?\\s*${number}\\s*(?<scale>(?:${scale})(?![a-z]))?\\s*(?<percent>%|percent|per cent|pct)?\\s*(?<after>${code})?$`,
  'i',
)

/**
 * Reads a claim; undefined if it is none. The decimal point is a point, and commas may separate thousands: `32,5` may mean
 * two numbers, so it is not read. Zeros at the end are digits: `32.50` claims more than `32.5`.
 */
export function readClaim(text: string): StatedClaim | undefined {
  const plain = text
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\u2212/g, '-')
    .trim()
  const { sign = '', digits, places = '', scale: word = '', percent, before, after } = FORM.exec(plain)?.groups ?? {}
  if (digits === undefined) return undefined
  const currency = (before ?? after ?? '').toUpperCase()
  if (currency !== '' && !isCode(currency)) return undefined
  const isAmount = word !== '' || before !== undefined || after !== undefined || /^[$€£¥]/.test(plain)
  if ((percent && isAmount) || (before && after)) return undefined
  const power = powers[word.toLowerCase()] ?? 0
  const printed = `${sign}${digits.replaceAll(',', '')}${places && `.${places}`}e${power}`
  return {
    value: canonicalDecimal(printed),
    tolerance: canonicalDecimal(`5e${power - places.length - 1}`),
    kind: percent ? 'percent' : isAmount ? 'amount' : null,
    currency,
  }
}

/**
 * Whether a figure is what a claim states, once rounded to its digits. A figure just between two numbers is rounded to either,
 * because not all round alike.
 */
export function isClaimed({ value, tolerance, kind, currency }: StatedClaim, figure: string, unit: string): boolean {
  if (kind !== null && (unit === 'percent') !== (kind === 'percent')) return false
  if (currency !== '' && currency !== unit) return false
  const distance = subtract(figure, value)
  return compareDecimals(distance.replace('-', ''), tolerance) <= 0
}
