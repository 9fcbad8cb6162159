import { describe, expect, it } from 'vitest'
import {
  areCandlesThere,
  changeAgainst,
  changesSince,
  closesOfRates,
  finerQuery,
  hoursQuery,
  linePoints,
  pastOfCandles,
} from '../../console/browser/price-past.js'

const NOW = Date.parse('2026-11-25T01:07:00.000Z')
const candle = (start: string, open: string, close: string) => ({
  start: `2026-11-${start}:00.000Z`,
  open,
  high: close,
  low: open,
  close,
  ticks: 1,
  sources: ['feed'],
})

describe('the past of a price', () => {
  it('is asked for in half hours of the last day, by the same address for half an hour', () => {
    const symbol = ['XAU-USD', 'USD-JPY']
    expect(hoursQuery(symbol, NOW)).toEqual({ symbol, interval: '30m', start: '2026-11-24T01:00:00.000Z' })
    expect(hoursQuery(symbol, NOW + 22 * 60_000)).toEqual(hoursQuery(symbol, NOW))
  })

  it('is against the last close before midnight', () => {
    const candles = [candle('24T23:00', '1', '2'), candle('24T23:30', '2', '3'), candle('25T00:00', '3', '4')]
    const { hours, reference } = pastOfCandles({ candles, interval: '30m', as_of: '2026-11-25T00:14:00.000Z' }, NOW)
    expect(reference).toEqual({ price: '3', at: '2026-11-24T23:59:59.999Z', isClose: true })
    const at = (time: string) => Date.parse(`2026-11-${time}:00.000Z`)
    expect(hours).toEqual({
      points: [
        [at('24T23:00'), 1],
        [at('24T23:30'), 2],
        [at('25T00:00'), 3],
        [at('25T00:14'), 4],
      ],
      last: { price: '4', at: '2026-11-25T00:14:00.000Z' },
    })
  })

  it('is against the oldest price where there was none the day before', () => {
    const candles = [candle('25T00:00', '3.5', '4'), candle('25T00:30', '4', '5')]
    const { reference } = pastOfCandles({ candles, interval: '30m', as_of: '2026-11-25T00:40:00.000Z' }, NOW)
    expect(reference).toEqual({ price: '3.5', at: '2026-11-25T00:00:00.000Z', isClose: false })
    expect(pastOfCandles({ candles: [], interval: '30m', as_of: '' }, NOW)).toEqual({
      hours: { points: [] },
      reference: undefined,
    })
  })

  it('has the rates of the day before, and none from weeks ago', () => {
    const rate = (currency: string, day: string) => ({
      currency,
      rate: '1.5',
      timestamp: `2026-11-${day}T22:00:00.000Z`,
      stale: false,
    })
    const closes = closesOfRates('EUR', [rate('USD', '24'), rate('GBP', '21'), rate('JPY', '03')], NOW)
    expect([...closes]).toEqual([
      ['EUR-USD', { price: '1.5', at: '2026-11-24T22:00:00.000Z', isClose: true }],
      ['EUR-GBP', { price: '1.5', at: '2026-11-21T22:00:00.000Z', isClose: true }],
    ])
  })
})

describe('the candles of a board', () => {
  const board = new Map([
    ['XAU-USD', { timestamp: '2026-11-25T01:06:00.000Z' }],
    ['USD-MYR', { timestamp: '2026-11-20T22:00:00.000Z' }],
  ])
  const pair = (symbol: string, count: number) => ({
    symbol,
    interval: '30m' as const,
    candles: Array.from({ length: count }, () => candle('25T00:00', '1', '2')),
    as_of: '',
  })
  it.each([
    ['no pair has any', [pair('XAG-USD', 0), pair('XAU-USD', 0)], false],
    ['a new price has none', [pair('XAG-USD', 1), pair('XAU-USD', 0)], false],
    [
      'an old price has none, nor a pair without a price',
      [pair('XAU-USD', 1), pair('USD-MYR', 0), pair('XAG-USD', 0)],
      true,
    ],
  ])('where %s', (_, pairs, areThere) => expect(areCandlesThere(pairs, board, NOW)).toBe(areThere))
})

describe('a change', () => {
  const close = { price: '2000', at: '2026-11-24T23:59:59.999Z', isClose: true }
  it('says what it is against', () => {
    const quote = { price: '2010', timestamp: '2026-11-25T01:00:00.000Z' }
    expect(changeAgainst(quote, close)).toEqual({
      change: '+0.50 %',
      against: 'against 2\u202f000, the last price of 24 Nov 2026',
    })
    const first = { price: '2010', at: '2026-11-25T00:10:00.000Z', isClose: false }
    expect(changeAgainst(quote, first)).toEqual({
      change: '0.00 %',
      against: 'against 2\u202f010, the first price since 25 Nov 2026 00:10 UTC',
    })
  })
  it('is none while the price is itself the last close', () => {
    expect(changeAgainst({ price: '2000', timestamp: '2026-11-24T22:00:00.000Z' }, close)).toBeUndefined()
  })
})

describe('changes', () => {
  const close = { price: '1', at: '2026-11-24T23:59:59.999Z', isClose: true }
  const first = (time: string) => ({ price: '1', at: `2026-11-25T${time}:30.000Z`, isClose: false })
  it.each([
    [[], ''],
    [[close, close], 'change since the last price of 24 Nov 2026'],
    [
      [close, { ...close, at: '2026-11-20T22:00:00.000Z' }],
      'change since the last price of 20 Nov 2026 to 24 Nov 2026',
    ],
    [[first('00:40'), first('00:10')], 'change since 25 Nov 2026 00:10 UTC'],
    [[first('00:10'), close], 'change since the last price of 24 Nov 2026, in italics since 25 Nov 2026 00:10 UTC'],
  ])('against %j: %s', (references, text) => expect(changesSince(references)).toBe(text))
})

describe('the line of a price', () => {
  const hours = {
    points: [
      [1000, 1],
      [2000, 2],
    ] as const,
  }
  const since = (ms: number) => ({ price: '7', at: new Date(ms).toISOString(), isClose: false })
  it('goes on with what the page has seen since its hours', () =>
    expect(
      linePoints(hours, since(1000), [
        [1500, 9],
        [3000, 3],
      ]),
    ).toEqual([...hours.points, [3000, 3]]))
  it('begins with an older price that the change is against', () =>
    expect(linePoints(hours, since(10), [])).toEqual([[1000, 7], ...hours.points]))
  it('is what the page has seen while there are no hours', () =>
    expect(linePoints(undefined, since(5000), [[5000, 7]])).toEqual([[5000, 7]]))
  it('is read by minutes while there is no more than an hour, and by five while there are no more than six', () => {
    const pairs = (start: string) => [
      { symbol: 'XAU-USD', interval: '30m' as const, candles: [], as_of: '' },
      { symbol: 'XAG-USD', interval: '30m' as const, candles: [candle(start, '1', '2')], as_of: '' },
    ]
    expect(finerQuery(pairs('25T00:30'), NOW)).toEqual({
      symbol: ['XAU-USD', 'XAG-USD'],
      interval: '1m',
      start: '2026-11-25T00:30:00.000Z',
    })
    expect(finerQuery(pairs('25T00:00'), NOW)).toMatchObject({ interval: '5m', start: '2026-11-25T00:00:00.000Z' })
    expect(finerQuery(pairs('24T19:07'), NOW)).toMatchObject({ interval: '5m' })
    expect(finerQuery(pairs('24T19:00'), NOW)).toBeUndefined()
  })
})
