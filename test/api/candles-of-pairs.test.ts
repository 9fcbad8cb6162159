import { describe, expect, it } from 'vitest'
import type { Candle } from '../../contracts/candles.ts'
import { priceTick } from '../support/ticks.ts'
import { ask, NOW, type World, world } from './support.ts'

const MINUTE = 60_000
const FROM = Date.parse(NOW) - 30 * MINUTE

/** A world with prices of half an hour until now: of gold from two sources, and of the euro. */
async function priced(): Promise<World> {
  const served = await world()
  for (let n = 0; n < 30; n++) {
    const recorded = FROM + n * MINUTE
    served.priceHistory.add(
      priceTick(String(4000 + n), { source: 'feed', recorded }),
      priceTick('1', { source: 'WB', recorded }),
      priceTick(`1.${10 + n}`, { source: 'feed', symbol: 'EUR-USD', recorded }),
    )
  }
  return served
}

type Pair = { readonly symbol: string; readonly derived: boolean; readonly candles: readonly Candle[] }
type Body = { readonly pairs: readonly (Pair & { readonly as_of: string | null })[] }

const path = '/v1/prices/candles'
const get = async ({ app }: World, query: string) => {
  const response = await ask(app, `${path}?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response
}
const pairsOf = async (served: World, query: string) => (await get(served, query)).json<Body>().pairs
const detailOf = async ({ app }: World, query: string) => {
  const { problem } = await ask(app, `${path}?${query}`)
  expect(problem?.code).toBe('invalid_query')
  return problem?.detail
}
/** All queries of candles, and how often each was made. */
function counted({ deps }: World) {
  const made: string[] = []
  const noting = (name: 'extents' | 'quoted' | 'crossed') => ({
    [name]: (...given: never[]) => {
      made.push(name)
      return (deps.candles[name] as (...given: never[]) => unknown)(...given)
    },
  })
  return { made, candles: { ...deps.candles, ...noting('extents'), ...noting('quoted'), ...noting('crossed') } }
}

describe('candles of several pairs', () => {
  const symbols = ['XAU-EUR', 'XAU-USD', 'USD-EUR', 'EUR-USD', 'TIN-USD', 'GBP-JPY']
  const asked = symbols.map((symbol) => `symbol=${symbol}`).join('&')
  const since = new Date(FROM).toISOString()

  it.each([
    ['1m', '2026-11-21'],
    ['5m', '2026-11-20'],
    ['1h', '2026-11-01'],
    ['1d', '2026-01-01'],
    ['1M', '2026-01-01'],
  ])('of %s are those that each pair has by itself', async (interval, from) => {
    const served = await priced()
    const pairs = await pairsOf(served, `${asked}&interval=${interval}&start=${from}`)
    expect(pairs.map(({ symbol }) => symbol)).toEqual(symbols)
    expect(pairs[0]?.candles.length).toBeGreaterThan(0)
    for (const pair of pairs) {
      const single = `/v1/prices/${pair.symbol}/candles?interval=${interval}&start=${from}`
      expect({ ...pair, next_cursor: null }).toEqual((await ask(served.app, single)).json())
    }
  })

  it('begin within the range, both ends included', async () => {
    const served = await priced()
    const at = (n: number) => new Date(FROM + n * MINUTE).toISOString()
    const [gold] = await pairsOf(served, `symbol=XAU-USD&interval=1m&start=${at(3)}&end=${at(5)}`)
    expect(gold?.candles.map(({ start }) => start)).toEqual([at(3), at(4), at(5)])
    expect(gold).toMatchObject({ as_of: at(29) })
  })

  it('are none of a pair without prices since the start', async () => {
    const served = await priced()
    const none = { candles: [], as_of: null }
    expect(await pairsOf(served, `${asked}&start=2026-12-24`)).toEqual(symbols.map(() => expect.objectContaining(none)))
    served.priceHistory.add(priceTick('30000', { source: 'WB', symbol: 'TIN-USD', recorded: FROM - 3_000 * MINUTE }))
    expect(await pairsOf(served, `symbol=TIN-USD&interval=1m&start=${since}`)).toMatchObject([none])
  })

  it('cost one call and three queries, however many they are', async () => {
    const served = await priced()
    const { made, candles } = counted(served)
    const watched = await world({ candles, prices: served.prices })
    await get(watched, `${asked}&interval=1m&start=${since}`)
    expect(made.toSorted()).toEqual(['crossed', 'extents', 'quoted'])
    expect(watched.quota.used).toBe(1)
  })

  it('are refused beyond a number of candles, with a range that fits', async () => {
    const served = await priced()
    const fits = `symbol=XAU-USD&symbol=EUR-USD&interval=1m&start=2026-11-01&end=2026-11-04T11:19:00Z`
    expect((await get(served, fits)).statusCode).toBe(200)
    expect(await detailOf(served, fits.replace('19:00', '20:00'))).toBe(
      'the range may have 10002 candles (2 × 5001 intervals of 1m), and at most 10000 come in one call: ask for a range such as start=2026-11-01T00:00:00.000Z&end=2026-11-04T11:19:00.000Z, for fewer pairs, or for a longer interval',
    )
    expect(served.quota.used).toBe(1)
    // A pair that is named twice counts once.
    expect((await get(served, `${fits}&symbol=XAU-USD`)).statusCode).toBe(200)
  })

  it('are refused if they take too long, with where to cut the range', async () => {
    const served = await priced()
    const slow = await world({
      prices: served.prices,
      candles: {
        ...served.deps.candles,
        quoted: async (_, { to }) => ({ found: [], scannedTo: to - 10 }),
      },
    })
    const cut = new Date(Math.floor(Date.parse(NOW) / MINUTE) * MINUTE - 10 * MINUTE).toISOString()
    expect(await detailOf(slow, `symbol=XAU-USD&interval=1m&start=${since}`)).toContain(`send end=${cut}`)
    expect(slow.quota.used).toBe(0)
  })

  it('name all pairs that are not served, and say why', async () => {
    const served = await priced()
    const detail = await detailOf(
      served,
      'symbol=XAU-USD&symbol=GOLD-USD&symbol=XAU-UDS&symbol=EUR-EUR&start=2026-11-01',
    )
    expect(detail).toContain('query parameter symbol: not served: GOLD-USD, XAU-UDS, EUR-EUR. ')
    expect(detail).toContain('GOLD is not a commodity or currency that is served. Did you mean XAU (Gold)?')
    expect(served.quota.used).toBe(0)
  })

  it.each([
    ['start=2026-11-01', 'symbol'],
    ['symbol=XAU-USD', 'start'],
    ['symbol=xauusd&start=2026-11-01', 'symbol'],
    ['symbol=XAU-USD&start=2026-02-30', 'does not exist in the calendar'],
    ['symbol=XAU-USD&start=2026-11-02&end=2026-11-01', 'is after end'],
    ['symbol=XAU-USD&start=2026-11-02&limit=5', 'limit'],
    [`${Array(101).fill('symbol=XAU-USD').join('&')}&start=2026-11-02`, 'symbol'],
  ])('%s is refused', async (query, detail) => {
    expect(await detailOf(await priced(), query)).toContain(detail)
  })

  it('say that they are simulated', async () => {
    const served = await world()
    served.priceHistory.add(priceTick('60.1', { source: 'simulator', symbol: 'WTI-USD', recorded: FROM }))
    const { headers } = await get(served, `symbol=XAU-USD&symbol=WTI-USD&interval=1m&start=${since}`)
    expect(headers['almanac-source']).toBe('simulator')
  })
})
