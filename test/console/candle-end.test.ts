import { expect, it } from 'vitest'
import { candleEnd, intervalLengths } from '../../console/browser/candle-end.js'
import { intervals } from '../../contracts/candles.ts'
import { intervalNumber, intervalStart } from '../../domain/candle-interval.ts'

it.each(intervals)('a candle of %s ends where the next one begins', (interval) => {
  // December ends with the year, and the February of a leap year has 29 days.
  for (const instant of ['2026-12-31T23:59:59Z', '2028-02-29T12:00:00Z', '2026-11-23T00:00:00Z']) {
    const number = intervalNumber(interval, Date.parse(instant))
    const start = new Date(intervalStart(interval, number)).toISOString()
    expect(candleEnd(start, interval), instant).toBe(intervalStart(interval, number + 1))
  }
})

it('every interval can be chosen', () => expect(Object.keys(intervalLengths)).toEqual(intervals))
