import type { Series } from '../contracts/records.ts'

/**
 * What two values must have in common to stand in one series of numbers: adjustment, annualization, unit and base. A rate in
 * percent does not depend on the base of its levels.
 */
export function kindOfSeries({ seasonal_adjustment, annualization, unit, base_period, base_value }: Series) {
  const base = unit === 'percent' ? { base_period: '', base_value: '' } : { base_period, base_value }
  return { seasonal_adjustment, annualization, unit, ...base }
}
