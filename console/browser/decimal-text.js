/** Decimals stay the strings that the service printed. Only a place on a drawing is a binary number. */

/** @param {string} text @returns {{ digits: bigint, scale: number }} */
function scaled(text) {
  const [whole = '0', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/**
 * The exact difference `a - b` of two decimals.
 *
 * @param {string} a
 * @param {string} b
 */
export function decimalDifference(a, b) {
  const [x, y] = [scaled(a), scaled(b)]
  const scale = Math.max(x.scale, y.scale)
  const raise = (/** @type {{ digits: bigint, scale: number }} */ one) => one.digits * 10n ** BigInt(scale - one.scale)
  return decimalOf(raise(x) - raise(y), scale)
}

/**
 * @param {bigint} digits
 * @param {number} scale decimal places that the last of them stand for
 */
function decimalOf(digits, scale) {
  const text = String(magnitude(digits)).padStart(scale + 1, '0')
  const fraction = scale === 0 ? '' : `.${text.slice(-scale)}`
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${fraction}`
}

/**
 * The quotient rounded half up, away from zero.
 *
 * @param {bigint} above
 * @param {bigint} below greater than zero
 */
function quotient(above, below) {
  const rounded = (2n * magnitude(above) + below) / (2n * below)
  return above < 0n ? -rounded : rounded
}

/**
 * A decimal with so many decimal places, rounded or with zeros.
 *
 * @param {string} text
 * @param {number} places
 */
export function roundedDecimal(text, places) {
  const { digits, scale } = scaled(text)
  return decimalOf(quotient(digits * 10n ** BigInt(places), 10n ** BigInt(scale)), places)
}

/**
 * A decimal with its thousands set apart and a true minus sign: `-46900000000` is `−46 900 000 000`, with narrow spaces that do
 * not break.
 *
 * @param {string} text
 */
export function groupedDecimal(text) {
  const [whole = '', fraction] = text.replace('-', '−').split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, '\u202f')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** @param {string} value a print; empty if it withdrew the figure */
export const printText = (value) => (value === '' ? 'no figure' : groupedDecimal(value))

/**
 * The change from one print to another, with its sign; empty if one of them has no value.
 *
 * @param {string} value
 * @param {string} before
 */
export const changeText = (value, before) =>
  value === '' || before === '' ? '' : signedDecimal(decimalDifference(value, before))

/** @param {string} text a decimal; with its sign always shown */
export const signedDecimal = (text) =>
  /^-|^0(?:\.0*)?$/.test(text) ? groupedDecimal(text) : `+${groupedDecimal(text)}`

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false })

/** @param {number} value a place on an axis */
export const axisNumber = (value) => (Math.abs(value) >= 10_000 ? short : plain).format(value).replace('-', '−')

/**
 * How far `now` is from `before`, in percent with two decimals; undefined where nothing can be said.
 *
 * @param {string} now
 * @param {string} before
 */
export function changeInPercent(now, before) {
  const base = Number(before)
  if (base === 0) return undefined
  const percent = ((Number(now) - base) / Math.abs(base)) * 100
  const text = Math.abs(percent).toFixed(2)
  const sign = text === '0.00' ? '' : percent < 0 ? '−' : '+'
  return `${sign}${text} %`
}

/** Decimal places of an index that is computed here. */
const INDEX_PLACES = 4

/**
 * `a` in percent of the mean of `bases`, rounded half up to four decimal places; undefined if that is not above zero.
 *
 * @param {string} a
 * @param {readonly string[]} bases
 */
export function inPercentOf(a, bases) {
  const all = bases.map(scaled)
  const scale = Math.max(0, ...all.map((one) => one.scale))
  const sum = all.reduce((total, one) => total + one.digits * 10n ** BigInt(scale - one.scale), 0n)
  if (sum <= 0n) return undefined
  const x = scaled(a)
  const above = x.digits * BigInt(bases.length) * 10n ** BigInt(scale + 2 + INDEX_PLACES)
  return decimalOf(quotient(above, sum * 10n ** BigInt(x.scale)), INDEX_PLACES)
}

/** @param {bigint} number */
const magnitude = (number) => (number < 0n ? -number : number)

const inWords = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 4,
})

/**
 * A decimal as a person says it: `32529700000000` is `32.53 trillion`, and `3.81084502608` is `3.81085`.
 *
 * @param {string} text
 */
export function decimalInWords(text) {
  const value = Number(text)
  if (Math.abs(value) >= 1_000_000) return inWords.format(value).replace('-', '−')
  return text.replace(/\D/g, '').length > 6 ? plain.format(value).replace('-', '−') : groupedDecimal(text)
}
