import { describe, expect, it } from 'vitest'
import { exportsCountries } from '../../contracts/indicators.ts'
import { checks, checksElsewhere, type Expected } from './published.ts'
import { board, figures, servedAt } from './support.ts'

describe('figures of the sample', () => {
  it.each<Expected>([
    ...checks.map(([cell, period, figures]): Expected => [cell, period, figures]),
    ...checksElsewhere,
  ])('%s %s is what was published', (cell, period, expected) => {
    expect(servedAt(cell, period)).toEqual(expected)
  })

  it('are levels of a year where they are annualized, of a quarter elsewhere', () => {
    const annualized = exportsCountries.filter(
      (country) => board.servedSeries(country, 'gdp', 'Q')?.annualization === 'annualized',
    )
    expect(annualized).toEqual(['CAN', 'JPN', 'USA'])
  })

  it('of workbooks are what another reader of .xls finds in them', () => {
    expect(servedAt('AUS gdp', '2017-Q1')).toEqual({ value: '445831000000' })
    expect(servedAt('AUS labour-force-participation', '2017-05')).toEqual({ rate: '64.8766196' })
  })

  it('are derived: inflation, the balance of trade, a year out of its months', () => {
    // 123.657163 over 115.291874 (March 2021), 120.654214 (February) and 118.725869 (December 2021).
    expect(servedAt('DEU inflation', '2022-03')).toMatchObject({ year_over_year: '7.3', month_over_month: '2.5' })
    expect(servedAt('SGP trade', '2017')?.balance).toBe('45544841259')
    expect(servedAt('JPN trade', '2026-06')?.balance).toBe('-5488590000')
    expect(servedAt('USA trade-exports', '2025')?.value).toBe('2179890000000')
    expect(servedAt('FRA trade', '2024')?.balance).toBe('-109983000000')
  })

  it('are derived: growth of Malaysia’s volumes, which are not adjusted', () => {
    // 445896.454 over 420534.085 (2025-Q2) and 437670.264 (2026-Q1).
    expect(servedAt('MYS gdp-growth', '2026-Q2')).toMatchObject({ year_over_year: '6.0', quarter_over_quarter: '1.9' })
    expect(servedAt('MYS gdp-growth', '2020-Q2')).toMatchObject({ year_over_year: '-16.9' })
    expect(board.servedSeries('MYS', 'gdp-growth', 'Q')?.seasonal_adjustment).toBe('not_seasonally_adjusted')
  })

  it('keep the prints that were revised', () => {
    const prints = figures
      .filter(({ series, period }) => series.country === 'USA' && series.indicator === 'gdp' && period === '2024-Q3')
      .map(({ figures, released }) => [released?.on, released?.basis, figures.value?.printed])
    expect(prints).toEqual([
      ['2024-10-30', 'publisher', '29349.924'],
      ['2024-11-27', 'copy', '29354.321'],
      ['2024-12-19', 'copy', '29374.914'],
      ['2026-07-30', 'copy', '29511.664'],
    ])
  })
})
