import { describe, expect, it } from 'vitest'
import { FEED, SIMULATOR } from '../../contracts/instruments.ts'
import type { Tick } from '../../contracts/records.ts'
import { bookOf, decideQuote, type QuoteBook, type QuoteState } from '../../domain/decide-quote.ts'
import { staleAtOf } from '../../domain/source-price.ts'
import { Decider, decide, feed } from '../support/decider.ts'
import { at, iso, NOON, priceTick, timerTick } from '../support/ticks.ts'

const SECOND = 1_000
const HOUR = 3_600_000

describe('which source', () => {
  it('is not a simulator that was stopped at a weekend, when only open hours make a real price older', () => {
    const saturday = Date.parse('2026-01-17T12:00:00.000Z')
    const staleAt = (source: string) => staleAtOf('XAU-USD', source, new Date(saturday).toISOString())
    expect(staleAt(SIMULATOR) - saturday).toBeLessThanOrEqual(60_000)
    expect(staleAt(FEED) - saturday).toBeGreaterThan(24 * HOUR)
  })
  it('is the best that has a current price, whichever came last', () => {
    const quote = decide(
      priceTick('10', { source: SIMULATOR }),
      priceTick('20', { source: FEED, recorded: NOON + SECOND }),
      priceTick('30', { source: 'WB', recorded: NOON + 2 * SECOND }),
    )?.quote
    expect(quote).toMatchObject({ price: '10', source: SIMULATOR, stale: false })
  })
  it('is the next one as soon as its price is no longer current', () => {
    const decider = new Decider()
    decider.takeAll(feed('10', NOON), priceTick('20', { source: 'WB', recorded: NOON + SECOND }))
    const dueAt = NOON + 60 * SECOND
    expect(decider.dueAt(NOON)).toBe(dueAt)
    expect(decider.take(timerTick('XAU-USD', dueAt, dueAt - 1))).toBeUndefined()
    const decision = decider.take(timerTick('XAU-USD', dueAt))
    expect(decision?.quote).toMatchObject({ price: '20', source: 'WB', stale: false })
    expect(decision?.transition).toBeUndefined()
  })
  it('is not one with an older price than the late one has, until that gives a newer price', () => {
    const decider = new Decider()
    decider.takeAll(priceTick('20', { source: 'WB' }), feed('10', NOON + SECOND))
    const dueAt = NOON + 61 * SECOND
    expect(decider.take(timerTick('XAU-USD', dueAt))).toMatchObject({
      quote: { price: '10', source: FEED, stale: true },
      transition: 'stale',
    })
    expect(decider.take(priceTick('21', { source: 'WB', recorded: dueAt + SECOND }))).toMatchObject({
      quote: { price: '21', source: 'WB', stale: false },
      transition: 'recovered',
    })
  })
  it('is that of the newest price, stale, where none is current', () => {
    const day = 24 * HOUR
    const decision = decide(
      priceTick('20', { source: 'WB', observed: NOON - 90 * day }),
      priceTick('10', { source: 'TEST', observed: NOON - 80 * day }),
    )
    expect(decision?.quote).toMatchObject({ price: '10', source: 'TEST', stale: true })
  })
  it('is not the stopped simulator while any other has a price, however old', () => {
    const old = NOON - 900 * 24 * HOUR
    const decider = new Decider()
    decider.take(priceTick('10', { source: SIMULATOR }))
    expect(decider.take(timerTick('XAU-USD', NOON + 30 * SECOND))?.quote).toMatchObject({
      source: SIMULATOR,
      stale: true,
    })
    expect(
      decider.take(priceTick('20', { source: 'WB', recorded: NOON + 31 * SECOND, observed: old }))?.quote,
    ).toMatchObject({
      price: '20',
      source: 'WB',
      stale: true,
    })
  })
})

describe('what is newer', () => {
  it('is taken; a repeat, an older price and a tick taken in already are not', () => {
    const decider = new Decider()
    const first = decider.take(feed('10', NOON))
    expect(first?.quote).toMatchObject({ price: '10', observed_at: iso(NOON), tick_offset: 2 })
    expect(first?.transition).toBeUndefined()
    expect(decider.take(feed('10', NOON + SECOND, NOON))).toBeUndefined()
    expect(decider.take(feed('10.1', NOON + SECOND, NOON - 1))).toBeUndefined()
    const book = decider.book as QuoteBook
    expect(decideQuote(book, feed('10.1', NOON + SECOND), { partition: 0, offset: 2 })).toBeUndefined()
    expect(decider.take(feed('10.1', NOON + SECOND))?.quote?.price).toBe('10.1')
  })
  it.each([
    ['of a symbol that is not served', { symbol: 'EUR-XXX' }],
    ['of a symbol priced in itself', { symbol: 'EUR-EUR' }],
    ['without a price', { price: '' }],
    ['that costs nothing', { price: '0' }],
    ['longer than a price may be', { price: `1.${'0'.repeat(63)}` }],
    ['of no decimal', { price: '1e3' }],
    ['of no source', { source: '' }],
    ['of an unknown kind', { kind: 'trade' as Tick['kind'] }],
    ['observed at no instant', { observed_at: 'noon' }],
    ['observed before there were time zones', { observed_at: '0001-01-01T00:00:00.000Z' }],
    ['observed in two days', { observed_at: iso(NOON + 48 * HOUR) }],
    ['recorded at no instant', { recorded_at: '' }],
    ['recorded in the year 275760', { recorded_at: '+275760-09-13T00:00:00.000Z' }],
  ])('is not a tick %s', (_, wrong: Partial<Tick>) => {
    const tick = { ...priceTick('10'), ...wrong }
    expect(decide(tick)).toBeUndefined()
    expect(() => decide(feed('10', NOON), tick)).not.toThrow()
  })
  it('is told by instants, not by how they are written', () => {
    const decider = new Decider()
    decider.take(feed('10', NOON))
    const later = { ...feed('10.1', NOON + SECOND), observed_at: '2026-01-14T12:00:01-05:00' }
    expect(decider.take(later)?.quote).toMatchObject({ price: '10.1', observed_at: iso(NOON + SECOND) })
  })
})

describe('staleness', () => {
  const friday = at('2026-01-16T21:59:30Z')
  it('comes when its source’s time of open hours is over, by a timer, once; the next price ends it', () => {
    const decider = new Decider()
    decider.take(feed('10', friday))
    const monday = at('2026-01-18T23:00:30Z')
    expect(decider.dueAt(NOON)).toBe(monday)
    expect(decider.take(timerTick('XAU-USD', monday, monday - 1))).toBeUndefined()
    expect(decider.take(timerTick('XAU-USD', monday))).toMatchObject({
      transition: 'stale',
      quote: { price: '10', stale: true, observed_at: iso(friday) },
    })
    expect(decider.dueAt(NOON)).toBeUndefined()
    expect(decider.take(timerTick('XAU-USD', monday))).toBeUndefined()
    expect(decider.take(feed('99', monday + HOUR))).toMatchObject({
      transition: 'recovered',
      quote: { price: '99', stale: false },
    })
  })
  it('is no transition for a first price that is old', () => {
    const decision = decide(feed('10', NOON, NOON - 24 * HOUR))
    expect(decision?.quote?.stale).toBe(true)
    expect(decision?.transition).toBeUndefined()
  })
  it('does not flap where two writers’ clocks differ a little', () => {
    const decider = new Decider()
    decider.takeAll(feed('10', NOON), timerTick('XAU-USD', NOON + 60 * SECOND))
    expect(
      decider.take(priceTick('9', { recorded: NOON + 59_990, observed: NOON - 90 * 24 * HOUR }))?.transition,
    ).toBeUndefined()
  })
  it('goes on after a clock that was far ahead is set right', () => {
    const decider = new Decider()
    decider.take({ ...feed('10', NOON), recorded_at: '2030-01-01T00:00:00.000Z' })
    expect(decider.take(feed('10.1', NOON + SECOND))).toMatchObject({
      transition: 'recovered',
      quote: { price: '10.1' },
    })
  })
})

describe('how often', () => {
  it('a price alone is quoted every 200 ms of record time, with what came between', () => {
    const decider = new Decider()
    decider.take(feed('100', NOON))
    const first = decider.take(feed('101', NOON + 50))
    expect(first).toMatchObject({ outliers: [] })
    expect(first?.quote).toBeUndefined()
    expect(decider.take(feed('102', NOON + 199))?.quote).toBeUndefined()
    expect(decider.book).toMatchObject({ pendingSince: 4 })
    expect(decider.dueAt(NOON)).toBe(NOON + 200)
    expect(decider.take(timerTick('XAU-USD', NOON + 200, NOON + 199))).toBeUndefined()
    const decision = decider.take(timerTick('XAU-USD', NOON + 200))
    expect(decision?.quote).toMatchObject({ price: '102', observed_at: iso(NOON + 199), tick_offset: 10 })
    expect(decider.book?.pendingSince).toBeUndefined()
    expect(decider.take(feed('103', NOON + 300))?.quote).toBeUndefined()
    expect(decider.take(feed('104', NOON + 400))?.quote?.price).toBe('104')
  })
  it.each([50 * SECOND, HOUR])('a price is quoted as often after a clock was set back by %i ms', (ahead) => {
    const decider = new Decider()
    const recorded = (price: string, now: number, clock: number) => ({ ...feed(price, now), recorded_at: iso(clock) })
    decider.takeAll(recorded('100', NOON, NOON + ahead), recorded('101', NOON + 50, NOON + 50 + ahead))
    expect(decider.dueAt(NOON + 50)).toBe(NOON + 50)
    expect(decider.take(recorded('102', NOON + 100, NOON + 100))?.quote?.price).toBe('102')
    expect(decider.take(recorded('103', NOON + 200, NOON + 200))?.quote).toBeUndefined()
    expect(decider.dueAt(NOON + 250)).toBe(NOON + 300)
    expect(decider.take(timerTick('XAU-USD', NOON + 300))?.quote?.price).toBe('103')
  })
  it('a pending price does not wait for the time of a clock that was ahead', () => {
    const decider = new Decider()
    decider.takeAll(feed('100', NOON + 50 * SECOND, NOON), feed('101', NOON + 50 * SECOND + 50, NOON + 50))
    const dueAt = NOON + SECOND
    expect(decider.dueAt(dueAt)).toBe(dueAt)
    expect(decider.take(timerTick('XAU-USD', dueAt))?.quote?.price).toBe('101')
  })
  it('a price of a source that is not served is kept in the same way', () => {
    const decider = new Decider()
    decider.take(feed('100', NOON))
    expect(decider.take(priceTick('50', { recorded: NOON + 1 }))?.quote).toBeUndefined()
    const decision = decider.take(timerTick('XAU-USD', NOON + 200))
    expect(decision?.quote).toMatchObject({ price: '100', source: FEED })
    expect(JSON.parse(decision?.quote?.state ?? '').prices.TEST).toMatchObject({ price: '50' })
  })
  it('a better source, a suspect and its end are quoted at once', () => {
    const decider = new Decider()
    decider.take(feed('100', NOON))
    expect(decider.take(priceTick('101', { source: SIMULATOR, recorded: NOON + 1 }))?.quote?.source).toBe(SIMULATOR)
    expect(decider.take(feed('150', NOON + 2))?.quote).toBeDefined()
    expect(decider.take(feed('100', NOON + 3))?.quote).toBeDefined()
  })
})

describe('bookOf', () => {
  it('restores what the quote carries, whatever its sources are called', () => {
    const decider = new Decider()
    const named = ['__proto__', 'constructor', FEED]
    for (const [i, source] of named.entries()) decider.take(priceTick('10', { source, recorded: NOON + i * SECOND }))
    decider.take(feed('20', NOON + 4 * SECOND))
    const { quote } = decider.take(feed('10', NOON + 5 * SECOND)) ?? {}
    expect(quote && bookOf(quote)).toEqual(decider.book)
    expect(decider.book?.prices).toHaveLength(3)
    expect(decider.book?.prices[0]?.refused?.price).toBe('20')
  })
  it('goes on from a quote that carries prices alone', () => {
    const { quote } = decide(feed('10', NOON)) ?? {}
    const { prices } = JSON.parse(quote?.state ?? '') as QuoteState
    const book = quote && bookOf({ ...quote, state: JSON.stringify({ prices }) })
    const decision = book && decideQuote(book, feed('10.1', NOON + 1), { partition: 0, offset: 9 })
    expect(decision?.quote).toMatchObject({ price: '10.1', stale: false })
  })
  it('takes a quote that does not say when its tick was recorded as decided then', () => {
    const { quote } = decide(feed('10', NOON)) ?? {}
    const { recordedAt: _, ...state } = JSON.parse(quote?.state ?? '') as QuoteState
    expect(quote && bookOf({ ...quote, state: JSON.stringify(state) })?.quoted).toMatchObject({ recordedAt: NOON })
  })
})
