import { expect, it } from 'vitest'
import { releaseTitle } from '../../domain/release-title.ts'

it.each([
  ['cpi', 'DEU', '2026-10', 'Consumer prices, Germany, October 2026'],
  ['gdp', 'USA', '2026-Q3', 'GDP, United States, Q3 2026'],
  ['labour-force-participation', 'JPN', '2025', 'Labour force participation, Japan, 2025'],
])('the %s of %s and %s is titled as a person would write it', (indicator, country, period, title) => {
  expect(releaseTitle(indicator, country, period)).toBe(title)
})
