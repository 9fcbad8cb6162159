import { beforeEach, describe, expect, it } from 'vitest'
import type { Quote } from '../../contracts/records.ts'
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
  const rate = (base: string, currency: string) => board.fxRate(base, currency, NOW)?.rate
  const fill = (...quotes: Quote[]) => {
    for (const q of quotes) board.apply(q)
  }

  it('passes a direct quote through as it was printed', () => {
    fill(quote('EUR-USD', '1.1530'), quote('XAU-USD', '2650.10', { source: 'WB' }))
    expect(rate('EUR', 'USD')).toMatchObject({ rate: '1.1530' })
    expect(board.spot('XAU', 'USD', NOW)).toEqual({
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
    expect(rate('USD', 'EUR')?.rate).toBe('0.8')
    expect(rate('USD', 'JPY')?.rate).toBe('128.08')
    expect(rate('JPY', 'USD')?.rate).toBe('0.0078076202')
  })
  it('crosses whichever way round each leg is quoted', () => {
    fill(quote('EUR-USD', '1.25'), quote('USD-JPY', '128'), quote('USD-CAD', '1.6'))
    expect(rate('EUR', 'JPY')?.rate).toBe('160')
    expect(rate('JPY', 'EUR')?.rate).toBe('0.00625')
    expect(rate('CAD', 'JPY')?.rate).toBe('80')
  })
  it('prices a commodity in another currency in one division', () => {
    fill(quote('XAU-USD', '2000'), quote('EUR-USD', '3'), quote('EUR-GBP', '1'))
    expect(board.spot('XAU', 'GBP', NOW)?.price).toBe('666.66667')
  })
  it('is stale if one leg of a route is, and another current', () => {
    fill(quote('EUR-USD', '1.2'), quote('EUR-JPY', '160', { stale: true }))
    expect(rate('USD', 'JPY')).toMatchObject({ stale: true })
  })
  it('names the quotes of each route, in the order in which they are tried', () => {
    fill(quote('XAU-USD', '2000'), quote('EUR-USD', '3'), quote('EUR-GBP', '1'), quote('GBP-USD', '3'))
    expect(board.routes('XAU', 'USD')).toEqual([{ over: ['XAU-USD'], under: [] }])
    expect(board.routes('XAU', 'EUR')).toEqual([
      { over: ['XAU-USD'], under: ['EUR-USD'] },
      ...board
        .routes('USD', 'EUR')
        .slice(1)
        .map(({ over, under }) => ({ over: ['XAU-USD', ...over], under })),
    ])
    expect(board.routes('USD', 'GBP')).toEqual([
      { over: [], under: ['GBP-USD'] },
      { over: ['EUR-GBP'], under: ['EUR-USD'] },
    ])
    expect(board.routes('XAG', 'USD')).toEqual([])
    expect([board.quote('XAU-USD')?.price, board.quote('XAG-USD')]).toEqual(['2000', undefined])
    expect([board.isSimulated('XAU', 'USD', NOW), board.isSimulated('XAG', 'USD', NOW)]).toEqual([false, false])
  })
  it('takes the oldest leg’s time, and is stale if any leg is', () => {
    fill(quote('EUR-USD', '1.2', { observed_at: '2026-01-13T10:00:00.000Z', stale: true }), quote('EUR-JPY', '160'))
    expect(rate('USD', 'JPY')).toMatchObject({ timestamp: '2026-01-13T10:00:00.000Z', stale: true })
  })
  it('prefers a route of current legs to a stale direct quote', () => {
    fill(quote('EUR-JPY', '150', { stale: true }), quote('USD-JPY', '110'), quote('USD-EUR', '0.5'))
    expect(rate('EUR', 'JPY')).toMatchObject({ rate: '220', stale: false })
  })
  it('is stale though no quote says so, once that is a minute late: its processor may be down', () => {
    // ECB rates are current for four open days, and that Monday to Friday is open throughout.
    const observed = Date.parse('2026-01-12T10:00:00.000Z')
    const unsaidAt = observed + 4 * 86_400_000 + 60_000
    fill(quote('EUR-USD', '1.2', { observed_at: new Date(observed).toISOString() }))
    const at = (now: number) => board.fxRate('EUR', 'USD', new Date(now))?.rate.stale
    expect([at(unsaidAt - 1), at(unsaidAt)]).toEqual([false, true])
    fill(quote('XAU-USD', '2000', { source: 'feed' }))
    const spot = (seconds: number) =>
      board.spot('XAU', 'USD', new Date(Date.parse('2026-01-14T10:00:00Z') + seconds * 1_000))
    expect([spot(119)?.stale, spot(120)]).toEqual([false, expect.objectContaining({ price: '2000', stale: true })])
  })
  it('leaves the base out of its own rates and has none where nothing is known', () => {
    expect(board.fx('EUR', NOW)).toBeUndefined()
    expect(board.spot('XAU', 'USD', NOW)).toBeUndefined()
    fill(quote('EUR-USD', '1.2'))
    expect(board.fx('EUR', NOW)?.rates.map((rate) => rate.currency)).toEqual(['USD'])
  })
  it('ignores a quote made from an older tick', () => {
    fill(quote('EUR-USD', '1.2', { tick_offset: 9 }), quote('EUR-USD', '1.1', { tick_offset: 8 }))
    expect(rate('EUR', 'USD')?.rate).toBe('1.2')
  })
  it('says of rates built on a simulated price that they are simulated, whatever the market’s hours', () => {
    const saturday = new Date('2026-01-17T12:00:00.000Z')
    const session = (base: string, currency: string, at = saturday) => board.fxRate(base, currency, at)?.market_session
    fill(quote('EUR-USD', '1.2', { source: 'simulator' }), quote('EUR-JPY', '150'), quote('EUR-GBP', '0.8'))
    expect([session('EUR', 'USD'), session('USD', 'JPY'), session('EUR', 'USD', NOW)]).toEqual(
      Array(3).fill('simulated'),
    )
    expect([session('EUR', 'JPY'), session('EUR', 'JPY', NOW)]).toEqual(['closed', 'open'])
    expect(board.fx('EUR', saturday)?.market_session).toBe('simulated')
    expect([board.hasSimulated, board.isDemonstration]).toEqual([true, true])
    // The demo has stopped: its last price has grown old. It is still no real one, but the service is no demonstration now.
    fill(quote('EUR-USD', '1.2', { source: 'simulator', stale: true, tick_offset: 9 }))
    expect([session('EUR', 'USD'), board.fx('EUR', saturday)?.market_session]).toEqual(Array(2).fill('simulated'))
    expect([board.hasSimulated, board.isDemonstration]).toEqual([true, false])
    fill(quote('EUR-USD', '1.2', { tick_offset: 10 }))
    expect(session('EUR', 'USD')).toBe('closed')
    expect([board.hasSimulated, board.isDemonstration]).toEqual([false, false])
  })
  it('says that prices are simulated before the first of them, where the simulator feeds it', () => {
    const fed = new PriceBoard({ isSimulatorFed: true })
    expect([fed.hasSimulated, fed.isDemonstration]).toEqual([true, true])
    fed.apply(quote('EUR-USD', '1.2'))
    expect([fed.hasSimulated, fed.isDemonstration]).toEqual([true, true])
  })
})
