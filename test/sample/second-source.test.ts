import { expect, it } from 'vitest'
import { seriesOf } from '../../domain/series.ts'
import type { SampleSeries } from './make/sample-series.ts'
import { compareSources } from './make/second-source.ts'

const known = (frequency: 'M' | 'Q', unit: string, current: Readonly<Record<string, string>>): SampleSeries => ({
  series: seriesOf({
    indicator: 'unemployment',
    country: 'AUS',
    frequency,
    source: 'ABS',
    dataset: 'X',
    unit,
    seasonal_adjustment: 'seasonally_adjusted',
    annualization: 'not_annualized',
    base_period: unit === 'index' ? '2015' : '',
    base_value: unit === 'index' ? '100' : '',
    derivation: '',
  }),
  publisher: 'Australian Bureau of Statistics',
  origin: { retrievedAt: null, sha256: null, copy: null },
  current: new Map(Object.entries(current)),
  vintages: new Set(),
  bases: new Set(),
})

it('compares rates in points', () => {
  const own = known('M', 'percent', { '2024-01': '4.1', '2024-02': '4.2', '2024-03': '4.3' })
  const other = known('M', 'percent', { '2024-01': '4.1', '2024-02': '3.9' })
  expect(compareSources(own, other)).toEqual({ compared: 2, equal: 1, largest: '0.30 points (2024-02)' })
})

it('compares the mean of three months with a quarter, and leaves out a quarter that misses a month', () => {
  const own = known('M', 'percent', { '2024-01': '4', '2024-02': '5', '2024-03': '6', '2024-04': '7', '2024-06': '7' })
  const other = known('Q', 'percent', { '2024-Q1': '5.5', '2024-Q2': '7' })
  expect(compareSources(own, other)).toEqual({ compared: 1, equal: 0, largest: '0.50 points (2024-Q1)' })
})

it('compares amounts in percent of the second', () => {
  const own = known('Q', 'AUD', { '2024-Q1': '102000000' })
  const other = known('Q', 'AUD', { '2024-Q1': '100000000' })
  expect(compareSources(own, other)).toEqual({ compared: 1, equal: 0, largest: '2.00 % (2024-Q1)' })
})

it('compares indices on different bases by their change from the year before', () => {
  const own = known('M', 'index', { '2023-01': '100', '2024-01': '110' })
  const other = known('M', 'index', { '2023-01': '250', '2024-01': '275' })
  expect(compareSources(own, other)).toEqual({ compared: 1, equal: 1, largest: '0.00 points (2024-01)' })
})

it('has nothing to say of series without a period in common', () => {
  expect(compareSources(known('Q', 'AUD', { '2024-Q1': '1' }), known('Q', 'AUD', { '2024-Q2': '1' }))).toBeUndefined()
})
