import { expect, it } from 'vitest'
import { candleEnd, candleSlots, intervalLengths } from '../../console/browser/candle-end.js'
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

it('a time of the day without a price is a gap, and a day without trade is not', () => {
  const at = (text: string) => ({ start: `2026-11-${text}:00.000Z` })
  const minutes = candleSlots([at('23T10:00'), at('23T10:03')], '1m')
  expect(minutes.map(({ candle }) => candle?.start.slice(11, 16))).toEqual(['10:00', undefined, undefined, '10:03'])
  expect(new Date(minutes[1]?.at ?? 0).toISOString()).toBe('2026-11-23T10:01:00.000Z')
  expect(candleSlots([at('20T00:00'), at('23T00:00')], '1d')).toHaveLength(2)
  expect(candleSlots([], '1m')).toEqual([])
})
