import { decimalsOf } from './fixed-point.ts'

/** More digits than that no forecast can mean. */
const SIGNIFICANT = 8

/**
 * The precision of a forecast, as decimal places: that of the most precise of the newest figures. Negative where all of them
 * end in zeros, as in millions (-6). At most eight significant digits; of percentages none or one decimal.
 */
export function placesOf(figures: readonly string[], isPercentage: boolean): number {
  // A zero says nothing of its precision that the figures beside it don't.
  const telling = figures.filter((figure) => /[1-9]/.test(figure))
  if (telling.length === 0) return 0
  const places = Math.max(...telling.map(ownPlaces))
  if (isPercentage) return Math.min(1, Math.max(0, places))
  return Math.min(places, SIGNIFICANT - Math.max(...telling.map(wholeDigits)))
}

const ownPlaces = (figure: string): number => decimalsOf(figure) || -(/0*$/.exec(figure)?.[0].length ?? 0)
const wholeDigits = (figure: string): number => (figure.split('.')[0] ?? '').replace('-', '').length
