import { expect, it } from 'vitest'
import { unknownDay } from '../../domain/release-calendar.ts'
import { standardDay } from '../../domain/standard-timeliness.ts'

const day = (indicator: Parameters<typeof standardDay>[0]['indicator'], period: string, derivation = '') =>
  standardDay({ country: 'USA', indicator, derivation }, period).expected_on

it('is the timeliness that the standard prescribes, after the end of the period', () => {
  expect(day('cpi', '2026-10')).toBe('2026-12-01')
  expect(day('unemployment', '2026-10')).toBe('2027-01-31')
  expect(day('unemployment', '2026-Q3')).toBe('2026-12-31')
  expect(day('gdp', '2026-Q3')).toBe('2026-12-31')
  expect(day('trade-exports', '2026-10')).toBe('2026-12-26')
})

it('is that of the last input for what is derived', () => {
  expect(day('inflation', '2026-10', 'inflation_from_cpi')).toBe('2026-12-01')
  expect(day('gdp-growth', '2026-Q3', 'growth_from_volume')).toBe('2026-12-31')
  // A year of months comes with its December.
  expect(day('trade', '2026', 'trade_from_flows:year_from_months')).toBe('2027-02-25')
})

it('is unknown for years, and for countries that are not known to subscribe', () => {
  expect(standardDay({ country: 'USA', indicator: 'unemployment', derivation: '' }, '2026')).toEqual(unknownDay)
  expect(standardDay({ country: 'BRA', indicator: 'cpi', derivation: '' }, '2026-10')).toEqual(unknownDay)
})
