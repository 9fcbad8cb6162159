/**
 * Prices and instruments as a person reads them.
 *
 * @import { Facts } from './bodies.d.ts'
 */
import { groupedDecimal, roundedDecimal } from './decimal-text.js'

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })
/** Significant digits of an exchange rate: `1.08453`, `150.123`. */
const RATE_DIGITS = 6

/** @param {string} code of an address, so perhaps of no currency */
export const currencyName = (code) => (/^[A-Z]{3}$/.test(code) ? (currencyNames.of(code) ?? code) : code)

/**
 * A pair as a title: `Gold in EUR`, `Euro in Japanese Yen`.
 *
 * @param {string} symbol
 * @param {Pick<Facts, 'commodities'>} facts
 */
export function pairName(symbol, { commodities }) {
  const [base = '', quote = ''] = symbol.split('-')
  const name = commodities.find(({ code }) => code === base)?.name
  return name === undefined ? `${currencyName(base)} in ${currencyName(quote)}` : `${name} in ${quote}`
}

/**
 * Decimal places at which an instrument is shown. A rate has six digits; the price of a commodity has hundredths, thousandths
 * below ten, and no places from a hundred thousand on.
 *
 * @param {string} price one of the instrument; it decides for all of them, so that they have the same places
 * @param {boolean} isRate
 */
export function pricePlaces(price, isRate) {
  const digitsBeforePoint = Math.floor(Math.log10(Number(price))) + 1
  if (isRate) return Math.max(0, RATE_DIGITS - digitsBeforePoint)
  if (digitsBeforePoint > 5) return 0
  return digitsBeforePoint > 1 ? 2 : Math.max(3, 4 - digitsBeforePoint)
}

/**
 * A price in two parts, so that the points of a column stand below each other.
 *
 * @param {string} price
 * @param {number} places
 * @returns {[whole: string, fraction: string]} `fraction` begins with the point, if there are places
 */
export function priceParts(price, places) {
  const [whole = '', fraction] = groupedDecimal(roundedDecimal(price, places)).split('.')
  return [whole, fraction === undefined ? '' : `.${fraction}`]
}
