import { expect, it } from 'vitest'
import { periodFrequency } from '../../console/browser/periods.js'
import { seriesOfPrints } from '../../console/browser/vintages.js'

const entry = (country: string, frequency: 'M' | 'Q' | 'A', publisher: string) => ({
  country,
  indicator: 'unemployment' as const,
  frequency,
  publisher,
})

/** As the catalogue lists them: years and quarters of the OECD stand before the months of the office. */
const series = [
  entry('AUS', 'A', 'OECD'),
  entry('AUS', 'Q', 'OECD'),
  entry('AUS', 'M', 'ABS'),
  entry('NLD', 'M', 'CBS'),
]
const chosen = { country: 'AUS', indicator: 'unemployment' }

it.each([
  ['2026-02', 'M', 'ABS'],
  ['2022-Q4', 'Q', 'OECD'],
  ['2022', 'A', 'OECD'],
])('the line above a plot describes the series of its periods: %s', (period, frequency, publisher) => {
  expect(periodFrequency(period)).toBe(frequency)
  expect(seriesOfPrints(series, chosen, [{ period }])).toMatchObject({ country: 'AUS', frequency, publisher })
})

it('nothing is described without prints, or if the catalogue lacks the series', () => {
  expect(seriesOfPrints(series, chosen, [])).toBeUndefined()
  expect(seriesOfPrints(series, { country: 'NLD', indicator: 'unemployment' }, [{ period: '2022' }])).toBeUndefined()
})
