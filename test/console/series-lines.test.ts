import { expect, it } from 'vitest'
import { otherFrequencies, seriesLines } from '../../console/browser/series-lines.js'
import type { CatalogEntry } from '../../contracts/catalog.ts'

const entry = (source: string, over: Partial<CatalogEntry>): CatalogEntry => ({
  series: `FRA.gdp-growth.Q.${source}`,
  country: 'FRA',
  country_name: 'France',
  indicator: 'gdp-growth',
  indicator_name: 'Growth',
  frequency: 'Q',
  unit: 'percent',
  multiplier: '1',
  source,
  dataset: 'D',
  publisher: source,
  licence: '',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'not_annualized',
  base_period: '',
  base_value: '',
  derivation: '',
  is_served: true,
  first_period: '2001-Q1',
  last_period: '2022-Q4',
  latest_period: '2025-Q4',
  periods_ended_since: 3,
  observations: 88,
  vintages: 90,
  last_released_on: '2026-03-05',
  last_released_on_basis: 'dataset',
  last_recorded_at: '2026-07-01T00:00:00.000Z',
  next_period: '2026-Q1',
  next_expected_on: '2026-05-30',
  next_expected_on_basis: 'lag',
  days_late: 180,
  link: null,
  last_fetched_at: null,
  ...over,
})
const served = entry('ONE', {})
const alternative = entry('TWO', { is_served: false, latest_period: null, periods_ended_since: 9, days_late: 286 })
const years = entry('ONE', { series: 'FRA.gdp-growth.A.ONE', frequency: 'A', latest_period: '2025' })
const catalogue = [served, alternative, years]

it('of a series that is alone its line says how many prints there are, and how old the newest figure is', () => {
  const age = entry('ONE', { periods_ended_since: 5 })
  expect(seriesLines([age], [{ id: age.series, first: '2001-Q1', last: '2025-Q4' }])).toEqual([
    'ONE · D · quarterly · seasonally adjusted · percent · 88 periods, 90 prints · newest print 5 Mar 2026 (dataset) · nothing newer for 5 quarters · Q1 2026 expected about 30 May 2026, and not on record',
  ])
})

it('of several series no line says what is true of one alone, and the last one says how old all are', () => {
  const shown = [
    { id: served.series, first: '2001-Q1', last: '2022-Q4' },
    { id: alternative.series, first: '2023-Q1', last: '2025-Q4' },
  ]
  const facts = 'D · quarterly · seasonally adjusted · percent · newest print 5 Mar 2026 (dataset)'
  expect(seriesLines(catalogue, shown)).toEqual([
    `Q1 2001 to Q4 2022 · ONE · ${facts}`,
    `Q1 2023 to Q4 2025 · TWO · ${facts}`,
    'Q1 2026 expected about 30 May 2026, and not on record',
  ])
  const one = [shown[0], { id: alternative.series, first: '2023-Q1', last: '2023-Q1' }].flatMap((each) => each ?? [])
  expect(seriesLines(catalogue, one)[1]).toBe(`Q1 2023 · TWO · ${facts}`)
})

it('figures of another frequency are named with their latest period', () => {
  expect(otherFrequencies(catalogue, { country: 'FRA', indicator: 'gdp-growth', frequency: 'Q' })).toEqual([
    { frequency: 'A', text: 'annual figures, to 2025' },
  ])
  expect(otherFrequencies(catalogue, { country: 'DEU', indicator: 'gdp-growth', frequency: 'Q' })).toEqual([])
})
