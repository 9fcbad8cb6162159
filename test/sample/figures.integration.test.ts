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

  it.each([
    ['CAN', '2026-04', '2.815177'],
    ['DEU', '2026-04', '2.875924'],
    ['FRA', '2026-04', '2.158058'],
    ['GBR', '2026-04', '2.821997'],
    ['JPN', '2026-04', '1.345291'],
    ['MYS', '2026-04', '1.935964'],
    ['NLD', '2026-03', '2.684481'],
    ['SGP', '2026-03', '1.795246'],
  ])('give by derivation the yearly rate that the BIS prints itself: %s %s', (country, month, printed) => {
    expect(servedAt(`${country} inflation`, month)?.year_over_year).toBe(Number(printed).toFixed(1))
  })

  it('are derived: inflation, the balance of trade, a year out of its months', () => {
    // 142.044058 over 138.073122 (April 2025) and 141.249882 (March 2026).
    expect(servedAt('DEU inflation', '2026-04')).toMatchObject({ year_over_year: '2.9', month_over_month: '0.6' })
    expect(servedAt('JPN trade', '2025-07')?.balance).toBe('-887730000')
    // Exhibit 1 of the release prints the same total of 2025.
    expect(servedAt('USA trade-exports', '2025')?.value).toBe('2197515000000')
    expect(servedAt('FRA trade', '2024')?.balance).toBe('-109983014000')
  })

  it.each([
    ['CAN', 'exports', 567981.969],
    ['CAN', 'imports', 573294.006],
    ['DEU', 'exports', 1682888.2],
    ['DEU', 'imports', 1424544.6],
    ['JPN', 'exports', 707028.163],
    ['JPN', 'imports', 742607.566],
    ['SGP', 'exports', 505657.696],
    ['SGP', 'imports', 458686.116],
  ])('add up to what UNCTAD prints for the year: %s %s, 2024', (country, flow, millions) => {
    const value = Number(servedAt(`${country} trade-${flow}`, '2024')?.value)
    expect(Math.abs(value / millions / 1e6 - 1)).toBeLessThan(0.008)
  })

  it('are derived: growth of Malaysia’s volumes, which are not adjusted', () => {
    // 437719.404 over 415440.954 (2025-Q1) and 457858.602 (2025-Q4); the document prints 5.4 and -4.4 itself.
    expect(servedAt('MYS gdp-growth', '2026-Q1')).toMatchObject({ year_over_year: '5.4', quarter_over_quarter: '-4.4' })
    expect(servedAt('MYS gdp-growth', '2020-Q2')).toMatchObject({ year_over_year: '-16.9' })
    expect(board.servedSeries('MYS', 'gdp-growth', 'Q')?.seasonal_adjustment).toBe('not_seasonally_adjusted')
  })

  it('are derived: growth of adjusted volumes, as the offices announced it', () => {
    // 151646.5 over 143438.2 (2024-Q4) and 148829.8 (2025-Q3).
    expect(servedAt('SGP gdp-growth', '2025-Q4')).toMatchObject({ year_over_year: '5.7', quarter_over_quarter: '1.9' })
    // The same release prints 1.0 (IHYR) and 0.1 (IHYQ) itself.
    expect(servedAt('GBR gdp-growth', '2024-Q3')).toMatchObject({ year_over_year: '1.0', quarter_over_quarter: '0.1' })
    // The workbook prints 0.1 itself.
    expect(servedAt('AUS gdp-growth', '2024-Q1')).toMatchObject({ quarter_over_quarter: '0.1' })
  })

  it('are derived on the newest base: German volumes of 2010 only until those of 2020 have a year before', () => {
    // 902902.4 over 910386.2 (2022-Q4) and 905404.2 (2023-Q3), at prices of 2020.
    expect(servedAt('DEU gdp-growth', '2023-Q4')).toMatchObject({
      year_over_year: '-0.8',
      quarter_over_quarter: '-0.3',
    })
    const baseAt = (period: string) => board.at('DEU', 'gdp-growth', period)?.series.base_period
    expect(['2022-Q4', '2023-Q1', '2025-Q4'].map(baseAt)).toEqual(['', '2020', '2020'])
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
