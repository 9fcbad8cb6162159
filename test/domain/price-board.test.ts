import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Quote, Tick } from '../../contracts/records.ts'
import { decideQuote, emptyQuoteState, staleAtOf, toQuote } from '../../domain/decide-quote.ts'
import { fxSession } from '../../domain/market-session.ts'
import { PriceBoard } from '../../domain/price-board.ts'

const NOW = new Date('2026-01-14T12:00:00Z')
const quote = (symbol: string, price: string, over: Partial<Quote> = {}): Quote => ({
  symbol,
  price,
  source: 'ECB',
  observed_at: '2026-01-14T10:00:00.000Z',
  stale: false,
  tick_partition: 0,
  tick_offset: 1,
  state: '{}',
  ...over,
})

describe('PriceBoard', () => {
  let board: PriceBoard
  beforeEach(() => {
    board = new PriceBoard()
  })
  const fill = (...quotes: Quote[]) => {
    for (const q of quotes) board.apply(q)
  }

  it('passes a direct quote through as it was printed', () => {
    fill(quote('EUR-USD', '1.1530'), quote('XAU-USD', '2650.10', { source: 'WB' }))
    expect(board.rate('EUR', 'USD')).toMatchObject({ rate: '1.1530' })
    expect(board.spot('XAU', 'USD')).toEqual({
      symbol: 'XAU-USD',
      price: '2650.10',
      currency: 'USD',
      unit: 'troy_ounce',
      timestamp: '2026-01-14T10:00:00.000Z',
      stale: false,
    })
  })
  it('turns a rate round, and crosses two rates of one pivot, rounding once', () => {
    fill(quote('EUR-USD', '1.25'), quote('EUR-JPY', '160.1'))
    expect(board.rate('USD', 'EUR')?.rate).toBe('0.8')
    expect(board.rate('USD', 'JPY')?.rate).toBe('128.08')
    expect(board.rate('JPY', 'USD')?.rate).toBe('0.0078076202')
  })
  it('crosses whichever way round each leg is quoted', () => {
    fill(quote('EUR-USD', '1.25'), quote('USD-JPY', '128'), quote('USD-CAD', '1.6'))
    expect(board.rate('EUR', 'JPY')?.rate).toBe('160')
    expect(board.rate('JPY', 'EUR')?.rate).toBe('0.00625')
    expect(board.rate('CAD', 'JPY')?.rate).toBe('80')
  })
  it('prices a commodity in another currency in one division', () => {
    fill(quote('XAU-USD', '2000'), quote('EUR-USD', '3'), quote('EUR-GBP', '1'))
    expect(board.spot('XAU', 'GBP')?.price).toBe('666.66667')
  })
  it('takes the oldest leg’s time, and is stale if any leg is', () => {
    fill(quote('EUR-USD', '1.2', { observed_at: '2026-01-13T10:00:00.000Z', stale: true }), quote('EUR-JPY', '160'))
    expect(board.rate('USD', 'JPY')).toMatchObject({ timestamp: '2026-01-13T10:00:00.000Z', stale: true })
  })
  it('prefers a route of current legs to a stale direct quote', () => {
    fill(quote('EUR-JPY', '150', { stale: true }), quote('USD-JPY', '110'), quote('USD-EUR', '0.5'))
    expect(board.rate('EUR', 'JPY')).toMatchObject({ rate: '220', stale: false })
  })
  it('leaves the base out of its own rates and has none where nothing is known', () => {
    expect(board.fx('EUR', NOW)).toBeUndefined()
    expect(board.spot('XAU', 'USD')).toBeUndefined()
    fill(quote('EUR-USD', '1.2'))
    expect(board.fx('EUR', NOW)?.rates.map((rate) => rate.currency)).toEqual(['USD'])
  })
  it('ignores a quote made from an older tick', () => {
    fill(quote('EUR-USD', '1.2', { tick_offset: 9 }), quote('EUR-USD', '1.1', { tick_offset: 8 }))
    expect(board.rate('EUR', 'USD')?.rate).toBe('1.2')
  })
})

describe('fxSession', () => {
  it.each([
    // New York is at UTC-5 in January, UTC-4 in July.
    ['2026-01-16T21:59:59Z', 'open'],
    ['2026-01-16T22:00:00Z', 'closed'],
    ['2026-01-17T12:00:00Z', 'closed'],
    ['2026-01-18T21:59:59Z', 'closed'],
    ['2026-01-18T22:00:00Z', 'open'],
    ['2026-07-17T20:59:59Z', 'open'],
    ['2026-07-17T21:00:00Z', 'closed'],
    ['2026-07-19T21:00:00Z', 'open'],
    ['2026-07-21T03:00:00Z', 'open'],
  ])('at %s is %s', (at, session) => expect(fxSession(new Date(at))).toBe(session))
})

describe('decideQuote', () => {
  const tick = (over: Partial<Tick>): Tick => ({
    kind: 'price',
    symbol: 'EUR-USD',
    source: 'ECB',
    price: '1.1',
    observed_at: '2026-01-14T13:15:00.000Z',
    recorded_at: '2026-01-14T15:00:00.000Z',
    url: '',
    ...over,
  })
  it('takes a first price, then only what is newer', () => {
    const first = decideQuote(emptyQuoteState, tick({}))
    expect(first).toMatchObject({ price: '1.1', stale: false })
    const state = first?.state ?? emptyQuoteState
    expect(decideQuote(state, tick({}))).toBeUndefined()
    expect(decideQuote(state, tick({ price: '1.0', observed_at: '2026-01-13T13:15:00.000Z' }))).toBeUndefined()
    expect(decideQuote(state, tick({ price: '1.2', observed_at: '2026-01-15T13:15:00.000Z' }))?.price).toBe('1.2')
  })
  it('goes stale by a timer record at the moment it named, and recovers with the next price', () => {
    const first = decideQuote(emptyQuoteState, tick({}))
    const dueAt = first?.staleAt ?? 0
    expect(dueAt).toBe(staleAtOf({ source: 'ECB', observed_at: '2026-01-14T13:15:00.000Z' }))
    const timer = tick({ kind: 'timer', price: '', source: '', recorded_at: new Date(dueAt).toISOString() })
    const stale = decideQuote(first?.state ?? emptyQuoteState, timer)
    expect(stale).toMatchObject({ price: '1.1', stale: true, staleAt: undefined })
    const early = tick({ kind: 'timer', price: '', source: '', recorded_at: new Date(dueAt - 1).toISOString() })
    expect(decideQuote(first?.state ?? emptyQuoteState, early)).toBeUndefined()
    const late = tick({
      price: '1.3',
      observed_at: '2026-02-01T13:15:00.000Z',
      recorded_at: '2026-02-01T15:00:00.000Z',
    })
    expect(decideQuote(stale?.state ?? emptyQuoteState, late)).toMatchObject({ price: '1.3', stale: false })
  })
  it('prefers the better source while it is current and falls back to another', () => {
    const other = decideQuote(emptyQuoteState, tick({ source: 'SOMEBODY', price: '1.5' }))
    const both = decideQuote(other?.state ?? emptyQuoteState, tick({}))
    expect(both).toMatchObject({ source: 'ECB', price: '1.1' })
  })
  it('does not price what is not served', () => {
    expect(decideQuote(emptyQuoteState, tick({ symbol: 'EUR-XXX' }))).toBeUndefined()
    expect(decideQuote(emptyQuoteState, tick({ symbol: 'EUR-EUR' }))).toBeUndefined()
  })
  it('decides the same after its state went through the quote record', () => {
    const minute = fc.integer({ min: 0, max: 20_000 })
    const ticks = fc.array(
      fc.record({
        at: minute,
        behind: minute,
        source: fc.constantFrom('ECB', 'WB', 'X'),
        price: fc.constantFrom('1', '2', '3'),
        timer: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(ticks, (list) => {
        let kept = emptyQuoteState
        let restored = emptyQuoteState
        let at = Date.parse('2026-01-01T00:00:00Z')
        for (const { at: step, behind, source, price, timer } of list) {
          at += step * 60_000
          const t = tick({
            kind: timer ? 'timer' : 'price',
            source,
            price,
            observed_at: new Date(at - behind * 60_000).toISOString(),
            recorded_at: new Date(at).toISOString(),
          })
          const [one, two] = [decideQuote(kept, t), decideQuote(restored, t)]
          expect(two).toEqual(one)
          if (one) {
            kept = one.state
            restored = JSON.parse(toQuote('EUR-USD', one, { partition: 0, offset: 0 }).state)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
