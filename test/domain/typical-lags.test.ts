import { expect, it } from 'vitest'
import { servedIndicators } from '../../contracts/indicators.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { typicalDay } from '../../domain/typical-lags.ts'
import { sampleSeries } from '../sample/make/sample-series.ts'

const published = { derivation: '' } as const

it('gives no day on which a figure of the sample was not yet out: a document of that day has it', () => {
  const early: string[] = []
  for (const { series, current, vintages } of [...sampleSeries().values()].flat()) {
    const period = [...current.keys()].at(-1) ?? ''
    const newest = [...vintages].sort().at(-1) ?? ''
    const { expected_on } = typicalDay(series, period)
    if (expected_on !== null && expected_on > newest) early.push(`${series.id} ${period} ${expected_on} ${newest}`)
  }
  // The advance estimate of a fourth quarter comes out in the first days of January, two weeks before those of the others.
  expect(early).toEqual([expect.stringMatching(/^SGP\.gdp-volume\..* 2025-Q4 2026-01-14 2026-01-02$/)])
})

it('knows every figure of the ten countries of the sample at one frequency or more', () => {
  const example = { M: '2026-10', Q: '2026-Q3', A: '2026' }
  const countries = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA']
  const unknown = servedIndicators.flatMap((indicator) =>
    countries.flatMap((country) => {
      const days = Object.values(example).map((period) => typicalDay({ ...published, country, indicator }, period))
      return days.some(({ expected_on }) => expected_on !== null) ? [] : [`${country} ${indicator}`]
    }),
  )
  expect(unknown).toEqual([])
})

it('expects what is derived with the last of its inputs', () => {
  const day = (indicator: 'inflation' | 'gdp-growth' | 'trade', derivation: string, period: string) =>
    typicalDay({ country: 'USA', indicator, derivation }, period).expected_on
  expect(day('inflation', 'inflation_from_cpi', '2026-10')).toBe('2026-11-12')
  expect(day('gdp-growth', 'growth_from_volume', '2026-Q3')).toBe('2026-10-30')
  // A year of months comes with its December.
  expect(day('trade', 'trade_from_flows:year_from_months', '2026')).toBe('2027-02-04')
})

it('gives no day for other countries, and for frequencies at which the office publishes nothing', () => {
  const usa = { ...published, country: 'USA', indicator: 'cpi' } as const
  expect(typicalDay(usa, '2026-10')).toEqual({
    expected_on: '2026-11-12',
    expected_at: null,
    expected_on_basis: 'typical',
  })
  expect(typicalDay(usa, '2026-Q3')).toEqual(unknownDay)
  expect(typicalDay({ ...usa, country: 'BRA' }, shiftPeriod('2026-10', 1))).toEqual(unknownDay)
})
