import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commodities, currencies } from '../../contracts/instruments.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import type { Pair } from '../../streams/prices/subscription.ts'
import type { Outlet } from '../../streams/stream.ts'
import { clock, quote, streamWith } from './price-quotes.ts'

/** An outlet in memory; says false after `room` frames until it is given more. */
class Sink implements Outlet {
  readonly received: { type: string; [member: string]: unknown }[] = []
  failed = ''
  room = Number.POSITIVE_INFINITY
  send(frame: Uint8Array): boolean {
    this.received.push(JSON.parse(Buffer.from(frame).toString()))
    return --this.room > 0
  }
  cork(write: () => void): void {
    write()
  }
  fail(code: string): void {
    this.failed = code
  }
  take(): unknown[] {
    return this.received.splice(0)
  }
}

describe('the feed of prices', () => {
  const gold = [{ kind: 'commodity', base: 'XAU', quote: 'USD' }] as const

  it('sends each price once, then only what changed, and one that comes later when it comes', () => {
    const stream = streamWith(quote('XAU-USD', '4000'))
    const sink = new Sink()
    stream.attach(sink, [...gold, { kind: 'fx', base: 'EUR', quote: 'USD' }])
    expect(sink.take()).toMatchObject([{ type: 'subscribed' }, { type: 'commodity', spot: { price: '4000' } }])
    stream.check()
    expect(sink.take()).toEqual([])
    stream.apply(quote('XAU-USD', '4000', true))
    stream.check()
    expect(sink.take(), 'a change of staleness is no change of price').toEqual([])
    stream.apply(quote('EUR-USD', '1.08'))
    stream.apply(quote('XAU-USD', '4001'))
    stream.apply(quote('XAU-USD', '4002'))
    stream.check()
    expect(sink.take()).toMatchObject([
      { type: 'commodity', spot: { price: '4002' } },
      { type: 'fx', base: 'EUR', market_session: 'open', rate: { currency: 'USD', rate: '1.08' } },
    ])
  })

  it('compares prices as numbers: another spelling of the same price is not sent', () => {
    const stream = streamWith(quote('XAU-USD', '4000.10'))
    const [current, behind] = [new Sink(), new Sink()]
    stream.attach(current, gold)
    const late = stream.attach(behind, gold)
    behind.room = 1
    stream.apply(quote('XAU-USD', '4001'))
    stream.check()
    stream.apply(quote('XAU-USD', '4002'))
    stream.check()
    for (const sink of [current, behind]) sink.take()
    stream.apply(quote('XAU-USD', '4001.00'))
    stream.check()
    expect(current.take()).toMatchObject([{ spot: { price: '4001.00' } }])
    stream.apply(quote('XAU-USD', '4001.000'))
    stream.check()
    behind.room = 10
    late.resume()
    expect(current.take()).toEqual([])
    expect(behind.take(), 'it was sent 4001 last').toEqual([])
  })

  it('keeps no queue for a client that is behind: it gets the newest of each when it reads again', () => {
    const stream = streamWith(quote('XAU-USD', '1'), quote('XAG-USD', '1'))
    const sink = new Sink()
    sink.room = 2
    const feed = stream.attach(sink, [...gold, { kind: 'commodity', base: 'XAG', quote: 'USD' }])
    expect(sink.take()).toHaveLength(2)
    for (const price of ['2', '3', '4']) {
      stream.apply(quote('XAU-USD', price))
      stream.apply(quote('XAG-USD', price))
      stream.check()
    }
    expect(sink.take()).toEqual([])
    sink.room = 10
    feed.resume()
    expect(sink.take()).toMatchObject([{ spot: { price: '4' } }, { spot: { price: '4' } }])
    feed.detach()
    stream.apply(quote('XAU-USD', '5'))
    stream.check()
    expect(sink.take()).toEqual([])
  })

  it('says field for field what REST says, at the start and at every check, under random quotes', () => {
    const symbols = [
      ...Object.keys(commodities).map((code) => `${code}-USD`),
      ...currencies.filter((code) => code !== 'EUR').map((code) => `EUR-${code}`),
      'USD-JPY',
      'GBP-USD',
      'USD-CHF',
    ]
    const pairsOf = (codes: readonly string[]): Pair[] => [
      ...Object.keys(commodities).flatMap((base) => codes.map((q) => ({ kind: 'commodity' as const, base, quote: q }))),
      ...codes.flatMap((base) => codes.filter((q) => q !== base).map((q) => ({ kind: 'fx' as const, base, quote: q }))),
    ]
    const some = pairsOf(['USD', 'EUR', 'JPY', 'GBP', 'CHF', 'CAD'])
    const wanted = fc.oneof(
      { weight: 9, arbitrary: fc.constant(some) },
      { weight: 1, arbitrary: fc.constant(pairsOf(currencies)) },
    )
    const said = fc.record({
      symbol: fc.oneof(fc.constantFrom(...symbols), fc.constantFrom('XAU-USD', 'EUR-USD', 'EUR-JPY')),
      price: fc.oneof(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 3 })),
      stale: fc.boolean(),
    })
    const rounds = fc.array(fc.array(said, { maxLength: 40 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(wanted, rounds, (asked, all) => {
        const rest = new PriceBoard()
        const stream = streamWith()
        const sink = new Sink()
        const sent = new Map<Pair, string>()
        /** What REST says of each pair whose price is another than the one sent last, as a message. */
        const news = () =>
          asked.flatMap((pair) => {
            const { kind, base, quote: to } = pair
            const spot = kind === 'commodity' ? rest.spot(base, to, clock()) : undefined
            const fx = kind === 'fx' ? rest.fx(base, clock()) : undefined
            const rate = fx?.rates.find(({ currency }) => currency === to)
            const price = spot?.price ?? rate?.rate
            if (price === undefined || price === sent.get(pair)) return []
            sent.set(pair, price)
            return [spot ? { type: 'commodity', spot } : { type: 'fx', base, market_session: fx?.market_session, rate }]
          })
        for (const [round, quotes] of all.entries()) {
          for (const { symbol, price, stale } of quotes) {
            const made = quote(symbol, String(price / 1000), stale)
            const observed_at = new Date(clock().getTime() - 60_000 + made.tick_offset).toISOString()
            const each = { ...made, observed_at }
            rest.apply(each)
            stream.apply(each)
          }
          if (round === 0) stream.attach(sink, asked)
          else stream.check()
          const greeting = round === 0 ? [{ type: 'subscribed' }] : []
          expect(sink.take()).toEqual([...greeting, ...news()])
        }
      }),
      { numRuns: 60 },
    )
  })
})
