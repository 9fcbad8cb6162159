import { expect, it } from 'vitest'
import { ChangeCounts } from '../../domain/change-counts.ts'

it('counts the records about an indicator of a country, in all and by the year of their periods', () => {
  const counts = new ChangeCounts()
  for (const period of ['2024', '2024-Q3', '2024-12', '2025-01'])
    counts.note({ country: 'USA', indicator: 'gdp', period })
  counts.note({ country: 'USA', indicator: 'gdp-growth', period: '2024-Q3' })
  expect([counts.of('USA', 'gdp'), counts.of('USA', 'gdp', '2024'), counts.of('USA', 'gdp', '2025')]).toEqual([4, 3, 1])
  expect([counts.of('DEU', 'gdp'), counts.of('USA', 'gdp', '2023')]).toEqual([0, 0])
})
