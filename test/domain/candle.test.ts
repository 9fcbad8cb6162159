import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervals } from '../../contracts/candles.ts'
import { firstIntervalFrom, intervalNumber, intervalStart, intervalsWithin } from '../../domain/candle-interval.ts'
import { crossCandle, crossPrice } from '../../domain/cross-price.ts'
import { compareDecimals } from '../../domain/decimal.ts'

const times = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2299) })
const price = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => (places === 0 ? String(digits) : (digits / 10 ** places).toFixed(places)))
  .filter((text) => Number(text) > 0)

describe('intervals', () => {
  it('follow one another without gap or overlap', () => {
    fc.assert(
      fc.property(fc.constantFrom(...intervals), times, (interval, at) => {
        const number = intervalNumber(interval, at)
        const start = intervalStart(interval, number)
        const next = intervalStart(interval, number + 1)
        expect(start <= at && at < next).toBe(true)
        expect(intervalNumber(interval, start)).toBe(number)
        expect(intervalNumber(interval, next - 1)).toBe(number)
        expect(firstIntervalFrom(interval, at)).toBe(at === start ? number : number + 1)
      }),
    )
  })

  it('within a range are those that begin in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...intervals), times, fc.nat(10 ** 10), (interval, first, width) => {
        const last = first + width
        const { from, to } = intervalsWithin(interval, first, last)
        expect(intervalStart(interval, from)).toBeGreaterThanOrEqual(first)
        expect(intervalStart(interval, from - 1)).toBeLessThan(first)
        expect(intervalStart(interval, to)).toBeGreaterThan(last)
        expect(intervalStart(interval, to - 1)).toBeLessThanOrEqual(last)
        const begun = intervalStart(interval, from)
        expect(intervalsWithin(interval, begun, begun)).toEqual({ from, to: from + 1 })
      }),
    )
  })

  it.each([
    ['1d', '2026-11-23T02:10:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['4h', '2026-11-23T07:59:59.999Z', '2026-11-23T04:00:00.000Z'],
    ['1w', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
    ['1w', '1969-12-31T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
    ['1M', '2024-02-29T12:00:00.000Z', '2024-02-01T00:00:00.000Z'],
    ['1M', '1960-01-31T23:59:59.999Z', '1960-01-01T00:00:00.000Z'],
  ] as const)('of %s: %s is in that of %s', (interval, at, start) => {
    expect(new Date(intervalStart(interval, intervalNumber(interval, Date.parse(at)))).toISOString()).toBe(start)
  })
})

describe('a candle of several legs', () => {
  const routes = fc.record({ over: fc.array(price, { maxLength: 2 }), under: fc.array(price, { maxLength: 2 }) })
  const cases = routes
    .filter(({ over, under }) => over.length + under.length > 0)
    .chain((route) => {
      const count = route.over.length + route.under.length
      const moment = fc.array(price, { minLength: count, maxLength: count })
      const moments = fc.record({ open: moment, close: moment, extremes: fc.array(moment, { maxLength: 8 }) })
      return moments.map((known) => ({ route, known }))
    })

  it('has its open and close between its low and high, and no price beyond them', () => {
    fc.assert(
      fc.property(cases, ({ route, known }) => {
        const { open, high, low, close } = crossCandle(route, known)
        const split = route.over.length
        const priceAt = (legs: readonly string[]) =>
          crossPrice({ over: legs.slice(0, split), under: legs.slice(split) })
        expect([open, close]).toEqual([priceAt(known.open), priceAt(known.close)])
        const all = [known.open, known.close, ...known.extremes].map(priceAt)
        for (const each of all) {
          expect(compareDecimals(low, each)).toBeLessThanOrEqual(0)
          expect(compareDecimals(high, each)).toBeGreaterThanOrEqual(0)
        }
        expect(all).toContain(high)
        expect(all).toContain(low)
      }),
    )
  })

  it('is computed as a price is: one division, rounded once', () => {
    const route = { over: ['XAU-USD'], under: ['EUR-USD'] }
    const known = { open: ['2000', '3'], close: ['2000', '1.25'], extremes: [['2001', '1.25']] }
    expect(crossCandle(route, known)).toEqual({ open: '666.66667', high: '1600.8', low: '666.66667', close: '1600' })
  })
})
