import { describe, expect, it } from 'vitest'
import { faultOfResource, toResource } from '../../domain/resource.ts'
import { testSeries } from '../support/releases.ts'

const release = {
  release_id: 'r1',
  series: testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' }),
  period: '2024-Q1',
  figures: { year_over_year: '2.9', quarter_over_quarter: '0.4', year_to_date: '2.9' },
  released_on: '2024-04-25',
}
const { year_to_date: _, ...withoutYearToDate } = release.figures
const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'USD' })

type Over = Parameters<typeof testSeries>[0]
const usd = { unit: 'USD' }

describe('the body of a release', () => {
  it.each<[Over, Record<string, string>, object]>([
    [{}, { value: '104.2' }, { value: '104.2', base_period: '2015', base_value: '100' }],
    [
      { indicator: 'inflation' },
      { year_over_year: '2.1', month_over_month: '0.3', year_to_date: '1.5' },
      { year_over_year: '2.1', month_over_month: '0.3', year_to_date: '1.5', unit: 'percent' },
    ],
    [{ indicator: 'unemployment' }, { rate: '4.1' }, { rate: '4.1', unit: 'percent' }],
    [{ indicator: 'labour-force-participation' }, { rate: '62.5' }, { rate: '62.5', unit: 'percent' }],
    [
      { indicator: 'gdp', annualization: 'annualized', ...usd },
      { value: '28000' },
      {
        value: '28000',
        currency: 'USD',
        price_basis: 'current',
        seasonal_adjustment: 'not_seasonally_adjusted',
        annualization: 'annualized',
      },
    ],
    [
      { indicator: 'gdp-growth', seasonal_adjustment: 'seasonally_adjusted', annualization: 'not_annualized' },
      { year_over_year: '2.9', quarter_over_quarter: '0.4', year_to_date: '2.8' },
      {
        year_over_year: '2.9',
        quarter_over_quarter: '0.4',
        year_to_date: '2.8',
        unit: 'percent',
        price_basis: 'constant',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'not_annualized',
      },
    ],
    [
      { indicator: 'trade', ...usd },
      { exports: '5', imports: '7', balance: '-2' },
      { exports: '5', imports: '7', balance: '-2', currency: 'USD', coverage: 'merchandise' },
    ],
    ...(['export', 'import'] as const).map((flow): [Over, Record<string, string>, object] => [
      { indicator: `trade-${flow}s`, ...usd },
      { value: '5' },
      { flow, value: '5', currency: 'USD', coverage: 'merchandise', partner: null, product: null },
    ]),
  ])('of %j has its figures, and what they mean', (over, figures, body) => {
    const { period, released_on } = release
    expect(toResource({ ...release, series: testSeries(over), figures })).toEqual({
      country: 'USA',
      period,
      released_on,
      ...body,
    })
  })

  it('has null for a figure that it may lack, and is not made without one that it needs', () => {
    expect(toResource(release)).toMatchObject({ year_over_year: '2.9', year_to_date: '2.9' })
    expect(toResource({ ...release, figures: withoutYearToDate })).toMatchObject({ year_to_date: null })
    expect(() => toResource({ ...release, figures: { year_over_year: '2.9' } })).toThrow('lacks quarter_over_quarter')
  })

  it('is not made of what is not served', () => {
    expect(() => toResource({ ...release, series: volume })).toThrow('gdp-volume is not served')
  })
})

describe('the fault of a release', () => {
  it('names the member and what is wrong with it', () => {
    expect(faultOfResource({ ...release, released_on: '2024-02-30' })).toBe('/released_on must match format "date"')
  })

  it('is none for figures that it may lack, or that stand alone, and for what is not served', () => {
    for (const figures of [release.figures, withoutYearToDate, { year_over_year: '2.9' }])
      expect(faultOfResource({ ...release, figures })).toBeUndefined()
    expect(faultOfResource({ ...release, series: volume, figures: {} })).toBeUndefined()
  })
})
