import { describe, expect, it } from 'vitest'
import { indicatorCodes } from '../../contracts/indicators.ts'
import { seriesRange } from '../../domain/series.ts'
import { testSeries } from '../support/releases.ts'

describe('the id of a series', () => {
  it('has all members that identify it, and leaves out what does not apply', () => {
    expect(testSeries({ base_period: '', base_value: '' }).id).toBe('USA.cpi.M.TEST.T1.index.NSA')
    expect(testSeries({ base_value: '' }).id).toBe('USA.cpi.M.TEST.T1.index.NSA.2015')
    expect(testSeries({ unit: 'percent', seasonal_adjustment: 'seasonally_adjusted' }).id).toBe(
      'USA.cpi.M.TEST.T1.percent.SA',
    )
    expect(testSeries({ annualization: 'annualized', derivation: 'change-1y' }).id).toBe(
      'USA.cpi.M.TEST.T1.index.NSA.annualized.2015=100.change-1y',
    )
  })

  it.each([
    ['100', '100'],
    ['100.', '100'],
    ['100.00', '100'],
    ['100.50', '100.5'],
    ['100.25', '100.25'],
  ])('has the base %s as %s: another spelling of a number is no other series', (base_value, same) => {
    const series = testSeries({ base_value })
    expect(series.base_value).toBe(same)
    expect(series.id).toBe(`USA.cpi.M.TEST.T1.index.NSA.2015=${same}`)
  })

  it('lies in the range of its country and indicator, and in no other', () => {
    const places = ['USA', 'GBR'].flatMap((country) => indicatorCodes.map((indicator) => ({ country, indicator })))
    for (const { country, indicator } of places) {
      const { from, to } = seriesRange(country, indicator)
      const inside = places.filter((place) => {
        const { id } = testSeries(place)
        return id >= from && id < to
      })
      expect(inside).toEqual([{ country, indicator }])
    }
  })
})
