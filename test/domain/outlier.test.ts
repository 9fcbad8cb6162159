import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEED, SIMULATOR } from '../../contracts/instruments.ts'
import type { QuoteState } from '../../domain/decide-quote.ts'
import { add, compareDecimals, multiply, subtract } from '../../domain/decimal.ts'
import { isNear } from '../../domain/source-price.ts'
import { Decider, decide, feed } from '../support/decider.ts'
import { iso, NOON, priceTick, timerTick } from '../support/ticks.ts'

const SECOND = 1_000

describe('an outlier', () => {
  const known = feed('100', NOON)
  const suspect = feed('150', NOON + SECOND)
  const held = () => {
    const decider = new Decider()
    decider.take(known)
    expect(decider.take(suspect)?.quote).toMatchObject({ price: '100', observed_at: iso(NOON) })
    return decider
  }
  it('is a price further than the source’s maxJump from the one before; just as far is none', () => {
    expect(decide(known, feed('110', NOON + SECOND))?.quote?.price).toBe('110')
    expect(decide(known, feed('90', NOON + SECOND))?.quote?.price).toBe('90')
    expect(decide(known, feed('110.000000000000000001', NOON + SECOND))?.quote?.price).toBe('100')
    expect(decide(known, feed('89.999999999999999999', NOON + SECOND))?.quote?.price).toBe('100')
  })
  it('is held in the state of a quote that is written at once', () => {
    const state = JSON.parse(held().book?.quoted?.quote.state ?? '') as QuoteState
    expect(state.prices).toEqual({ [FEED]: { price: '100', observed_at: iso(NOON) } })
    expect(state.suspects[FEED]).toMatchObject({ price: '150', offset: 4 })
  })
  it('is believed once the next price is near it, and the newer is the quote', () => {
    const decision = held().take(feed('152', NOON + SECOND + 1))
    expect(decision).toMatchObject({ quote: { price: '152' }, outliers: [] })
    expect(JSON.parse(decision?.quote?.state ?? '').suspects).toEqual({})
  })
  it('is not confirmed by itself, read a second time', () => {
    const decider = held()
    expect(decider.take({ ...suspect, recorded_at: iso(NOON + 2 * SECOND) })).toBeUndefined()
    expect(decider.book?.prices[0]?.suspect?.offset).toBe(4)
  })
  it('is dropped when the next price is near the one before', () => {
    const decider = held()
    expect(decider.take(feed('100.5', NOON + SECOND + 1))).toMatchObject({
      quote: { price: '100.5' },
      outliers: [{ source: FEED, price: '150', observed_at: iso(NOON + SECOND), offset: 4 }],
    })
    expect(decider.take({ ...suspect, observed_at: iso(NOON + SECOND + 1) })?.outliers).toEqual([])
  })
  it('makes room for the next that is near neither', () => {
    const decision = held().take(feed('200', NOON + SECOND + 1))
    expect(decision).toMatchObject({ quote: { price: '100' }, outliers: [{ price: '150' }] })
    expect(decision?.book.prices[0]?.suspect?.price).toBe('200')
  })
  it('is dropped when the price before it grows stale, and not believed when it comes again', () => {
    const decider = held()
    const dueAt = NOON + 60 * SECOND
    expect(decider.dueAt(NOON)).toBe(dueAt)
    expect(decider.take(timerTick('XAU-USD', dueAt))).toMatchObject({
      transition: 'stale',
      quote: { price: '100', stale: true },
      outliers: [{ price: '150' }],
    })
    expect(decider.take({ ...suspect, recorded_at: iso(dueAt + 1) })).toBeUndefined()
    expect(decider.take(feed('150', dueAt + 2))?.quote).toMatchObject({ price: '150', stale: false })
  })
  it('is dropped though the better source is served', () => {
    const decider = new Decider()
    decider.takeAll(priceTick('100', { source: SIMULATOR }), known, suspect)
    for (let second = 20; second < 60; second += 20)
      decider.take(priceTick('100', { source: SIMULATOR, recorded: NOON + second * SECOND }))
    expect(decider.take(timerTick('XAU-USD', NOON + 60 * SECOND))).toMatchObject({
      quote: { source: SIMULATOR },
      outliers: [{ price: '150', source: FEED }],
    })
  })
  it('there is none of a source that may jump as it likes', () => {
    expect(
      decide(priceTick('1', { source: 'WB' }), priceTick('9', { source: 'WB', recorded: NOON + SECOND }))?.quote?.price,
    ).toBe('9')
  })
})

describe('isNear', () => {
  it('is what decimal arithmetic says, at the border too', () => {
    const decimal = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat(12))
      .map(([digits, places]) => multiply(String(digits), `0.${'0'.repeat(places)}1`))
    const nudge = fc
      .tuple(fc.constantFrom('0', '1', '-1'), fc.integer({ min: 1, max: 30 }))
      .map(([sign, places]) => multiply(sign, `0.${'0'.repeat(places)}1`))
    fc.assert(
      fc.property(
        decimal,
        fc.constantFrom('0.1', '0.25', '0.07'),
        fc.constantFrom('1', '-1'),
        nudge,
        (base, jump, way, by) => {
          const price = add(base, multiply(way, multiply(jump, base)), by)
          fc.pre(compareDecimals(price, '0') > 0)
          const distance = multiply(subtract(price, base), compareDecimals(price, base) < 0 ? '-1' : '1')
          expect(isNear(base, price, jump)).toBe(compareDecimals(distance, multiply(jump, base)) <= 0)
        },
      ),
    )
  })
})
