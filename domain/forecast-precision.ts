import { decimalsOf } from './fixed-point.ts'

/** Significant digits of a forecast at most. More would be meaningless. */
const SIGNIFICANT = 8

/**
 * Decimal places of a forecast: those of the most precise of the newest figures. Negative if all figures end in zeros,
 * as in millions (-6). At most eight significant digits; a percentage has one decimal or none.
 */
export function placesOf(figures: readonly string[], isPercentage: boolean): number {
  // A zero tells nothing about precision that the other figures do not tell.
  const telling = figures.filter((figure) => /[1-9]/.test(figure))
  if (telling.length === 0) return 0
  const places = Math.max(...telling.map(ownPlaces))
  if (isPercentage) return Math.min(1, Math.max(0, places))
  return Math.min(places, SIGNIFICANT - Math.max(...telling.map(wholeDigits)))
}

const ownPlaces = (figure: string): number => decimalsOf(figure) || -(/0*$/.exec(figure)?.[0].length ?? 0)
const wholeDigits = (figure: string): number => (figure.split('.')[0] ?? '').replace('-', '').length
