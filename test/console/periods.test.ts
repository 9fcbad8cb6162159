import { expect, it } from 'vitest'
import { isWithin, timeUnderDay } from '../../console/browser/periods.js'

it('says the date of an instant if it is not that of its publisher’s day', () => {
  expect(timeUnderDay('2026-11-10T13:30:00.000Z', '2026-11-10')).toBe('13:30 UTC')
  expect(timeUnderDay('2026-11-26T23:30:00.000Z', '2026-11-27')).toBe('23:30 UTC on 26 Nov 2026')
})

it('a period lies in a range as a whole, whose bounds may be of another frequency', () => {
  const within = (start: string | undefined, end: string | undefined, ...periods: string[]) =>
    periods.filter((period) => isWithin(period, { start, end }))
  expect(within('2020', '2020', '2019-12', '2020-01', '2020-Q4', '2020', '2021-01')).toEqual([
    '2020-01',
    '2020-Q4',
    '2020',
  ])
  expect(within('2020-11', undefined, '2020', '2020-Q4', '2021-Q1', '2021')).toEqual(['2021-Q1', '2021'])
  expect(within(undefined, '2020-05', '2020-Q1', '2020-Q2', '2020-05')).toEqual(['2020-Q1', '2020-05'])
})
