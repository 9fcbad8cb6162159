import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  endOfPeriod,
  frequencyOf,
  isPeriodOf,
  nearestPeriod,
  periodsEndedSince,
  periodsOfYear,
  positionInYear,
  shiftPeriod,
  startOfPeriod,
  yearBefore,
} from '../../domain/period.ts'

const year = fc.integer({ min: 1900, max: 2100 })
const period = fc.oneof(
  year.map(String),
  fc.tuple(year, fc.integer({ min: 1, max: 4 })).map(([y, q]) => `${y}-Q${q}`),
  fc.tuple(year, fc.integer({ min: 1, max: 12 })).map(([y, m]) => `${y}-${String(m).padStart(2, '0')}`),
)

it('shifts there and back, in text order, one step at a time', () => {
  fc.assert(
    fc.property(period, fc.integer({ min: -60, max: 60 }), (p, by) => {
      expect(shiftPeriod(shiftPeriod(p, by), -by)).toBe(p)
      expect(frequencyOf(shiftPeriod(p, by))).toBe(frequencyOf(p))
      expect(shiftPeriod(p, 1) > p).toBe(true)
      const steps = { A: 1, Q: 4, M: 12 }[frequencyOf(p) ?? 'A']
      expect(shiftPeriod(p, -steps)).toBe(yearBefore(p))
      expect(periodsOfYear(frequencyOf(p) ?? 'A', p.slice(0, 4))[positionInYear(p) - 1]).toBe(p)
    }),
  )
})
it('periods touch and do not overlap', () => {
  fc.assert(
    fc.property(period, (p) => {
      const nextDay = new Date(Date.parse(endOfPeriod(p)) + 86_400_000).toISOString().slice(0, 10)
      expect(nextDay).toBe(startOfPeriod(shiftPeriod(p, 1)))
    }),
  )
})
it.each(['2025-13', '2025-00', '2025-Q5', '2025-Q0', '25', '2025-1', '2025-Q', '', '2025-01-01'])(
  '%j is no period',
  (text) => {
    expect(frequencyOf(text)).toBeUndefined()
  },
)

it('no figure is of the year 0', () => {
  expect(isPeriodOf('M', '0001-01')).toBe(true)
  for (const [frequency, text] of [
    ['A', '0000'],
    ['Q', '0000-Q1'],
    ['M', '0000-12'],
  ] as const)
    expect(isPeriodOf(frequency, text)).toBe(false)
})

it.each([
  ['M', '2024-12', ['2024-01', '2025-01'], '2025-01'],
  ['M', '2024-02', ['2024-01', '2024-03'], '2024-03'],
  ['Q', '1990-Q1', ['2000-Q1', '2020-Q4'], '2000-Q1'],
  ['A', '2030', ['2000', '2020'], '2020'],
  ['A', '2030', [], undefined],
] as const)('the nearest %s to %s of %j is %s', (frequency, asked, known, nearest) => {
  expect(nearestPeriod(frequency, asked, known)).toBe(nearest)
})

it('periods that have ended since one are counted by their last days', () => {
  expect(periodsEndedSince('2026-09', '2026-10-31')).toBe(0)
  expect(periodsEndedSince('2026-09', '2026-11-01')).toBe(1)
  expect(periodsEndedSince('2021-Q2', '2026-11-26')).toBe(21)
  expect(periodsEndedSince('2024', '2026-11-26')).toBe(1)
  expect(periodsEndedSince('2026-12', '2026-11-26')).toBe(0)
})
