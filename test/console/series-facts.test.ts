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

it('says the frequency and the id of a series in words, and what it is computed from elsewhere', () => {
  const series = testSeries({ derivation: 'inflation_from_cpi' })
  const facts = seriesFacts(series)
  expect(facts).toContainEqual(['series id', series.id])
  expect(facts).toContainEqual(['frequency', 'monthly'])
  expect(facts.map(([name]) => name)).not.toContain('derivation')
})

it.each([
  ['percent', 'not_annualized', undefined],
  ['index', 'not_annualized', undefined],
  ['percent', 'annualized', 'annualized'],
  ['USD', 'not_annualized', 'not annualized'],
] as const)('says of figures in %s that are %s: %s', (unit, annualization, said) =>
  expect(Object.fromEntries(seriesFacts(testSeries({ unit, annualization }))).annualization).toBe(said),
)
