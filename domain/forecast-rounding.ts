import Big from 'big.js'
import { MAX_DECIMAL_LENGTH } from './decimal.ts'

const HALF_AWAY = 1
/** Ratios have eight significant digits: what stands after them is an artefact. */
const SIGNIFICANT = 8

/**
 * The precision of a forecast, as decimal places: that of the most precise of `figures`. Negative where all of them end in
 * zeros, as in millions (-6). At most eight significant digits; percentages at most one decimal.
 */
export function placesOf(figures: readonly (string | undefined)[], isPercentage: boolean): number {
  let places = Number.NEGATIVE_INFINITY
  let wholeDigits = 1
  for (const figure of figures) {
    if (figure === undefined || Number(figure) === 0) continue
    const [whole = '', fraction = ''] = figure.replace('-', '').split('.')
    wholeDigits = Math.max(wholeDigits, whole.length)
    places = Math.max(places, fraction.length || whole.replace(/0+$/, '').length - whole.length)
  }
  return Math.max(-MAX_DECIMAL_LENGTH, Math.min(places, isPercentage ? 1 : SIGNIFICANT - wholeDigits))
}

/** Rounded half away from zero, with as many decimals as `places` says; undefined if it is too long to be served. */
export function roundTo(value: string, places: number): string | undefined {
  const rounded = new Big(value).round(places, HALF_AWAY).toFixed(Math.max(0, places))
  const text = /^-0(?:\.0*)?$/.test(rounded) ? rounded.slice(1) : rounded
  return text.length > MAX_DECIMAL_LENGTH ? undefined : text
}
