import { expect, it } from 'vitest'
import { seriesFacts } from '../../console/browser/series-facts.js'
import { testSeries } from '../support/releases.ts'

it('shows the codes of a series as words, and its dataset as the publisher names it', () => {
  const facts = seriesFacts({
    ...testSeries(),
    dataset: 'gdp_qtr_real',
    seasonal_adjustment: 'not_seasonally_adjusted',
  })
  expect(facts).toContainEqual(['dataset', 'gdp_qtr_real'])
  expect(facts).toContainEqual(['seasonal adjustment', 'not seasonally adjusted'])
})
