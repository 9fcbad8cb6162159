import type { UnitCode } from '../../contracts/transformations.ts'
import { MAX_DECIMAL_LENGTH, roundedQuotient, subtract, wholeParts } from '../decimal.ts'
import { missing, type Result } from './figure.ts'
import { logarithmOfQuotient } from './logarithm.ts'

/** Significant digits of a result that is not exact. */
export const SIGNIFICANT_DIGITS = 12

type Code = Exclude<UnitCode, 'lin'>

/** A result, unless it is longer than a decimal may be. */
export const withinBounds = (value: string): Result =>
  value.length > MAX_DECIMAL_LENGTH ? missing('out_of_range') : { value }

/**
 * What a figure becomes, by the formulas of FRED. `before` is the figure that it is compared with: of the period before, or of
 * the same period a year before. The logarithm needs none. Differences are exact, the others have 12 significant digits,
 * half even. Source: https://fredhelp.stlouisfed.org/fred/data/understanding-the-data/formula-calculations/
 */
export function changeOf(units: Code, now: string, before: string, periodsAYear: number): Result {
  if (units === 'chg' || units === 'ch1') return withinBounds(subtract(now, before))
  const [a, b] = alike(now, units === 'log' ? '1' : before)
  const needsPositive = units !== 'pch' && units !== 'pc1'
  // A change in percent of zero or of a negative figure has no meaning, nor has growth to or from one.
  if (b <= 0n || (needsPositive && (units === 'pca' ? a < 0n : a <= 0n))) return missing('not_positive')
  return withinBounds(rateOf(units, a, b, periodsAYear))
}

function rateOf(units: Exclude<Code, 'chg' | 'ch1'>, now: bigint, before: bigint, periodsAYear: number): string {
  switch (units) {
    case 'pch':
    case 'pc1':
      return roundedQuotient(100n * (now - before), before, SIGNIFICANT_DIGITS)
    case 'pca': {
      const [a, b] = [now ** BigInt(periodsAYear), before ** BigInt(periodsAYear)]
      return roundedQuotient(100n * (a - b), b, SIGNIFICANT_DIGITS)
    }
    case 'cch':
      return logarithmOfQuotient(now, before, 100n, SIGNIFICANT_DIGITS)
    case 'cca':
      return logarithmOfQuotient(now, before, 100n * BigInt(periodsAYear), SIGNIFICANT_DIGITS)
    case 'log':
      return logarithmOfQuotient(now, before, 1n, SIGNIFICANT_DIGITS)
  }
}

/** Two decimals in units of the smaller of their last places. */
function alike(first: string, second: string): readonly [bigint, bigint] {
  const [a, b] = [wholeParts(first), wholeParts(second)]
  return [a.units * 10n ** b.places, b.units * 10n ** a.places]
}
