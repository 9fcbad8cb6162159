import { describe, expect, it } from 'vitest'
import type { Candle, CandleInterval, ServedTick } from '../../contracts/candles.ts'
import { encodeCandleCursor, encodeTickCursor } from '../../domain/price-cursor.ts'
import { priceTick } from '../support/ticks.ts'
import { ask, bearer, JOURNAL, NOW, type World, world } from './support.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const FROM = Date.parse('2026-11-02T08:00:00.000Z')

/** A world with a price of gold and of the euro each minute of `minutes`, from a feed and, before it, from an office. */
async function priced(minutes = 10): Promise<World> {
  const served = await world()
  const history = served.priceHistory
  history.add(priceTick('4000', { source: 'WB', recorded: FROM - 60 * DAY }))
  for (let n = 0; n < minutes; n++) {
    const recorded = FROM + n * MINUTE
    history.add(
      priceTick(String(4000 + n), { source: 'feed', recorded }),
      priceTick(String(4010 + n), { source: 'feed', recorded: recorded + 1_000 }),
      priceTick(`1.${10 + n}`, { source: 'feed', symbol: 'EUR-USD', recorded }),
    )
  }
  return served
}

type Page = {
  readonly candles: readonly Candle[]
  readonly ticks: readonly ServedTick[]
  readonly next_cursor: string | null
  readonly as_of: string
}

const get = async ({ app }: World, path: string) => {
  const response = await ask(app, `/v1/prices/${path}`)
  expect(response.statusCode, response.body).toBe(200)
  return response
}
const candlesOf = async (served: World, path: string): Promise<Candle[]> => (await get(served, path)).json().candles
const problemOf = async ({ app }: World, path: string) => (await ask(app, `/v1/prices/${path}`)).problem

describe('candles', () => {
  it('are of days in UTC unless an interval is given', async () => {
    const served = await priced()
    const response = await get(served, 'XAU-USD/candles?start=2026-11-01')
    expect(response.json()).toEqual({
      symbol: 'XAU-USD',
      interval: '1d',
      derived: false,
      candles: [
        {
          start: '2026-11-02T00:00:00.000Z',
          open: '4000',
          high: '4019',
          low: '4000',
          close: '4019',
          ticks: 20,
          sources: ['feed'],
        },
      ],
      next_cursor: null,
      as_of: '2026-11-02T08:09:01.000Z',
    })
    const days = (await get(served, 'XAU-USD/candles')).json()
    expect(days.candles.map(({ sources }: Candle) => sources)).toEqual([['WB'], ['feed']])
    expect(response.headers['almanac-source']).toBeUndefined()
  })

  it('begin within the range, both ends included; a date is its whole day', async () => {
    const served = await priced()
    const minutes = async (query: string) => {
      const candles = await candlesOf(served, `XAU-USD/candles?interval=1m&${query}`)
      return candles.map(({ start }) => Number(start.slice(14, 16)))
    }
    expect(await minutes('start=2026-11-02T08:03:00Z&end=2026-11-02T08:05:00Z')).toEqual([3, 4, 5])
    expect(await minutes('start=2026-11-02T08:02:59.999Z&end=2026-11-02T08:05:59.999Z')).toEqual([3, 4, 5])
    expect(await minutes('start=2026-11-02T09:07:00%2B01:00&end=2026-11-02')).toEqual([7, 8, 9])
    expect(await minutes('start=2026-11-02T08:09:00.0001Z')).toEqual([])
    expect(await minutes('end=2026-01-01')).toEqual([])
  })

  it('of a pair that no source quotes are computed, minute by minute', async () => {
    const served = await priced(3)
    const { candles, derived } = (await get(served, 'XAU-EUR/candles?interval=1m')).json()
    expect(derived).toBe(true)
    // Minute 0: 4000 / 1.10 and 4010 / 1.10.
    expect(candles[0]).toEqual({
      start: '2026-11-02T08:00:00.000Z',
      open: '3636.3636',
      high: '3645.4545',
      low: '3636.3636',
      close: '3645.4545',
      ticks: 3,
      sources: ['feed'],
    })
    // The price fell from minute to minute, as the euro rose.
    const [day] = await candlesOf(served, 'XAU-EUR/candles')
    expect(day).toMatchObject({ open: '3636.3636', high: '3645.4545', low: '3573.2143', close: '3582.1429', ticks: 9 })
    // The other way round, the highest rate is the inverse of the lowest.
    const [inverse] = await candlesOf(served, 'USD-EUR/candles')
    expect(inverse).toMatchObject({ open: '0.90909091', high: '0.90909091', low: '0.89285714', close: '0.89285714' })
  })

  it('go on page by page from one snapshot, with a cursor that is bound to them', async () => {
    const served = await priced(25)
    const starts: string[] = []
    let path: string | undefined = 'XAU-USD/candles?interval=1m&start=2026-11-02&limit=10'
    for (let page = 0; path; page++) {
      const { candles, next_cursor, as_of }: Page = (await get(served, path)).json()
      expect(as_of).toBe('2026-11-02T08:24:01.000Z')
      starts.push(...candles.map(({ start }) => start))
      // News after the first page belongs to no page.
      served.priceHistory.add(priceTick('1', { source: 'feed', recorded: FROM + (60 + page) * MINUTE }))
      const same = page === 0 ? '&interval=1m&start=2026-11-02T00:00:00Z' : ''
      path = next_cursor ? `XAU-USD/candles?cursor=${next_cursor}&limit=10${same}` : undefined
    }
    expect(starts).toHaveLength(25)
    expect(new Set(starts).size).toBe(25)
  })

  it('refuse a cursor that is foreign, old, of another list or sent with other filters', async () => {
    const served = await priced()
    const made = {
      journal: JOURNAL,
      symbol: 'XAU-USD',
      interval: '1m' as CandleInterval,
      first: FROM,
      last: null,
      after: FROM / MINUTE,
      newest: FROM + 9 * MINUTE,
      issuedAt: Date.parse(NOW),
    }
    const cursor = encodeCandleCursor(made)
    expect((await candlesOf(served, `XAU-USD/candles?cursor=${cursor}`)).length).toBe(9)
    const refused: Readonly<Record<string, string>> = {
      [`XAU-USD/candles?cursor=${cursor}&interval=5m`]: 'cursor_mismatch',
      [`XAU-USD/candles?cursor=${cursor}&end=2026-11-05`]: 'cursor_mismatch',
      [`XAG-USD/candles?cursor=${cursor}`]: 'cursor_mismatch',
      [`XAU-USD/ticks?cursor=${cursor}`]: 'cursor_invalid',
      'XAU-USD/candles?cursor=garbled': 'cursor_invalid',
      [`XAU-USD/candles?cursor=${encodeCandleCursor({ ...made, journal: 'another' })}`]: 'cursor_foreign',
      [`XAU-USD/candles?cursor=${encodeCandleCursor({ ...made, issuedAt: made.issuedAt - 2 * DAY })}`]:
        'cursor_expired',
      [`XAU-USD/candles?cursor=${encodeCandleCursor({ ...made, issuedAt: made.issuedAt + 2 * DAY })}`]:
        'cursor_invalid',
      [`XAU-USD/candles?cursor=${encodeCandleCursor({ ...made, newest: made.newest + DAY })}`]: 'unavailable',
    }
    for (const [path, code] of Object.entries(refused)) expect((await problemOf(served, path)).code, path).toBe(code)
    expect((await problemOf(served, `XAU-USD/candles?cursor=${cursor}&interval=5m`)).detail).toBe(
      `The cursor was made for interval 1m and start ${new Date(FROM).toISOString()}: send it with exactly these, or alone.`,
    )
  })

  it('say that they are simulated, which they are first of all only while the simulator runs', async () => {
    const served = await world()
    served.priceHistory.add(
      priceTick('10', { source: 'simulator', symbol: 'WTI-USD', recorded: FROM }),
      priceTick('60', { source: 'feed', symbol: 'WTI-USD', recorded: FROM }),
    )
    const simulated = await get(served, 'WTI-USD/candles')
    expect(simulated.json().candles).toMatchObject([{ close: '10', sources: ['simulator'] }])
    expect(simulated.headers['almanac-source']).toBe('simulator')
    const quote = served.prices.quote('WTI-USD')
    if (quote) served.prices.apply({ ...quote, source: 'feed', tick_offset: quote.tick_offset + 1 })
    const real = await get(served, 'WTI-USD/candles')
    expect(real.json().candles).toMatchObject([{ close: '60', sources: ['feed'] }])
    expect(real.headers['almanac-source']).toBeUndefined()
  })

  it('of a served pair without prices are an empty page, and so are its ticks', async () => {
    const served = await world()
    const empty = { next_cursor: null, as_of: null }
    for (const symbol of ['TIN-USD', 'TIN-EUR', 'XAU-USD']) {
      expect((await get(served, `${symbol}/candles`)).json()).toMatchObject({ symbol, candles: [], ...empty })
    }
    expect((await get(served, 'TIN-USD/ticks')).json()).toEqual({ symbol: 'TIN-USD', ticks: [], ...empty })
  })

  it.each([
    ['GOLD-USD/candles', 'commodity_not_supported', 'Did you mean XAU (Gold)?'],
    ['XAU-UDS/ticks', 'currency_not_supported', 'Did you mean USD (US Dollar)?'],
    ['USD-XAU/candles', 'currency_not_supported', 'A commodity comes first: XAU-USD.'],
    ['EUR-EUR/candles', 'currency_not_supported', 'two different currencies'],
    ['xauusd/candles', 'invalid_path', 'with a hyphen between'],
    ['XAU-USD/candles?interval=2h', 'invalid_query', 'is not one of 1m, 5m'],
    [
      'XAU-USD/candles?start=1764154800',
      'invalid_query',
      'start: "1764154800" is not an instant (RFC 3339) or a date; write + as %2B in an address; it looks like Unix seconds: write 2025-11-26T11:00:00Z',
    ],
    ['XAU-USD/candles?start=2026-02-30', 'invalid_query', 'start: "2026-02-30" does not exist in the calendar'],
    [
      'XAU-USD/candles?start=2026-03-02&end=2026-03-01',
      'invalid_query',
      'start: "2026-03-02" is after end "2026-03-01"',
    ],
    ['XAU-EUR/ticks', 'pair_not_quoted', 'computed from XAU-USD and EUR-USD'],
    ['USD-EUR/ticks', 'pair_not_quoted', 'computed from EUR-USD'],
  ])('%s is %s: %s', async (path, code, detail) => {
    const served = await priced()
    expect(await problemOf(served, path)).toMatchObject({ code, detail: expect.stringContaining(detail) })
    // An unserved name is found out by looking, so the request counts; a request that is refused before does not.
    expect(served.quota.used).toBe(/not_(?:supported|quoted)$/.test(code) ? 1 : 0)
  })

  it('are open to every plan', async () => {
    const { app } = await priced()
    for (const plan of ['free', 'basic', 'pro'] as const) {
      const response = await ask(app, { url: '/v1/prices/XAU-EUR/candles', headers: bearer(plan) })
      expect(response.statusCode).toBe(200)
    }
  })

  it('come whole as CSV, up to a bound that says where to cut the range', async () => {
    const served = await priced(200)
    const { body, headers } = await get(served, 'XAU-USD/candles?interval=1m&start=2026-11-02&format=csv')
    const lines = body.trim().split('\r\n')
    expect(lines[0]).toBe('start,open,high,low,close,ticks,sources')
    expect(lines[1]).toBe('2026-11-02T08:00:00.000Z,4000,4010,4000,4010,2,feed')
    expect(lines).toHaveLength(201)
    expect(headers.link).toBeUndefined()
    const page = await get(served, 'XAU-USD/candles?interval=1m&start=2026-11-02&format=csv&limit=10')
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    // The address keeps the limit. Without one it would ask for all the rest, which may be refused as too long.
    expect((await ask(served.app, next)).body.trim().split('\r\n')).toHaveLength(11)

    const row = { symbol: 'XAU-USD', source: 'feed', open: '1', high: '1', low: '1', close: '1', ticks: 1 }
    const rows = Array.from({ length: 100_001 }, (_, n) => ({ number: FROM / MINUTE + n, ...row }))
    const many = await world({
      candles: { ...served.deps.candles, quoted: async (_, { to }) => ({ found: rows, scannedTo: to }) },
    })
    const refused = await ask(many.app, '/v1/prices/XAU-USD/candles?interval=1m&format=csv')
    expect(refused.problem).toMatchObject({
      code: 'invalid_query',
      detail: expect.stringContaining('2027-01-10T18:39'),
    })
    expect(many.quota.used).toBe(0)
  })
})

describe('ticks', () => {
  it('are what each source gave, and when', async () => {
    const served = await priced(2)
    served.priceHistory.add(priceTick('4001.5', { source: 'ECB', recorded: FROM + DAY, observed: FROM + 500 }))
    const { body } = await get(served, 'XAU-USD/ticks?start=2026-11-02&limit=2')
    expect(JSON.parse(body)).toEqual({
      symbol: 'XAU-USD',
      ticks: [
        {
          observed_at: '2026-11-02T08:00:00.000Z',
          price: '4000',
          source: 'feed',
          recorded_at: '2026-11-02T08:00:00.000Z',
        },
        {
          observed_at: '2026-11-02T08:00:00.500Z',
          price: '4001.5',
          source: 'ECB',
          recorded_at: '2026-11-03T08:00:00.000Z',
        },
      ],
      next_cursor: expect.any(String),
      as_of: '2026-11-03T08:00:00.000Z',
    })
  })

  it('go on page by page from the snapshot of the first, late ones left out', async () => {
    const served = await priced(10)
    const prices: string[] = []
    let path: string | undefined = 'XAU-USD/ticks?start=2026-11-02&limit=7'
    while (path) {
      const { ticks, next_cursor }: Page = (await get(served, path)).json()
      prices.push(...ticks.map(({ price }) => price))
      served.priceHistory.add(priceTick('1', { recorded: FROM + DAY, observed: FROM + 9 * MINUTE }))
      path = next_cursor ? `XAU-USD/ticks?limit=7&cursor=${next_cursor}` : undefined
    }
    expect(prices).toHaveLength(20)
    expect(prices).not.toContain('1')
  })

  it('come as CSV, and say that they are simulated', async () => {
    const served = await world()
    served.priceHistory.add(priceTick('60.1', { source: 'simulator', symbol: 'WTI-USD', recorded: FROM }))
    const { body, headers } = await get(served, 'WTI-USD/ticks?format=csv')
    const at = '2026-11-02T08:00:00.000Z'
    expect(body).toBe(`observed_at,price,source,recorded_at\r\n${at},60.1,simulator,${at}\r\n`)
    expect(headers['almanac-source']).toBe('simulator')
  })

  it('refuse a cursor beyond what this node has', async () => {
    const served = await priced(2)
    const made = { journal: JOURNAL, symbol: 'XAU-USD', first: null, last: null, issuedAt: Date.parse(NOW) }
    const cursor = encodeTickCursor({ ...made, snapshot: 999, recordedAt: FROM, after: [0, 0, 0] })
    expect((await problemOf(served, `XAU-USD/ticks?cursor=${cursor}`)).code).toBe('unavailable')
    expect((await problemOf(served, `XAU-USD/candles?cursor=${cursor}`)).code).toBe('cursor_invalid')
  })
})
