import { expect, test } from 'vitest'
import { Standstill } from '../../projections/standstill.ts'

const at = (watermark: number, lag: number) => ({ lag, watermarks: new Map([[0, watermark]]) })

test('behind and nothing written for a minute: it stands still, until something is', () => {
  const standstill = new Standstill()
  expect(standstill.judge('events', at(7, 3), 0)).toBe(false)
  expect(standstill.judge('events', at(7, 5), 59_999)).toBe(false)
  expect(standstill.judge('events', at(7, 9), 60_000)).toBe(true)
  expect(standstill.judge('events', at(8, 8), 60_001)).toBe(false)
  expect(standstill.judge('events', at(8, 8), 120_000)).toBe(false)
  expect(standstill.judge('events', at(8, 8), 120_001)).toBe(true)
})

test('up with the journal for an hour is no standstill, nor is the first record after it', () => {
  const standstill = new Standstill()
  expect(standstill.judge('events', at(7, 0), 0)).toBe(false)
  expect(standstill.judge('events', at(7, 0), 3_600_000)).toBe(false)
  expect(standstill.judge('events', at(7, 1), 3_600_100)).toBe(false)
})

test('what gives no answer is not judged, and each read model has its own clock', () => {
  const standstill = new Standstill()
  standstill.judge('events', at(7, 1), 0)
  expect(standstill.judge('vintages', at(7, 1), 50_000)).toBe(false)
  expect(standstill.judge('events', at(7, 1), 60_000)).toBe(true)
  expect(standstill.judge('vintages', at(7, 1), 60_000)).toBe(false)
  expect(standstill.judge('events', undefined, 70_000)).toBe(false)
  expect(standstill.judge('events', at(7, 1), 80_000)).toBe(false)
  expect(standstill.judge('vintages', at(7, 1), 110_000)).toBe(true)
})

test('one partition of several that progresses is progress', () => {
  const standstill = new Standstill()
  const both = (first: number, second: number) => ({
    lag: 3,
    watermarks: new Map([
      [1, second],
      [0, first],
    ]),
  })
  expect(standstill.judge('ticks', both(7, 1), 0)).toBe(false)
  expect(standstill.judge('ticks', both(7, 2), 60_000)).toBe(false)
  expect(standstill.judge('ticks', both(8, 2), 120_000)).toBe(false)
  expect(standstill.judge('ticks', both(8, 2), 180_000)).toBe(true)
})
