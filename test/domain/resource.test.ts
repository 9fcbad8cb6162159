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

describe('the body of a release', () => {
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
