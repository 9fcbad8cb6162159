import { beforeAll, describe, expect, test } from 'vitest'
import { type CandleInterval, intervals } from '../../contracts/candles.ts'
import type { Tick } from '../../contracts/records.ts'
import { intervalNumber } from '../../domain/candle-interval.ts'
import { crossCandle } from '../../domain/cross-price.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import type { PairRoute } from '../../projections/views/candles/crossed.ts'
import { type CandleQueries, candleQueries } from '../../projections/views/candles/query.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { type TickPosition, type TickQueries, tickQueries } from '../../projections/views/ticks/query.ts'
import { PriceHistory } from '../support/price-history.ts'
import { randomFrom } from '../support/random.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { project, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const DAY = 86_400_000
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const SYMBOLS = ['XAU-USD', 'EUR-USD', 'EUR-JPY', 'EUR-GBP']
const now = Date.now()

async function fill({ journal, client }: World, all: readonly Tick[]): Promise<void> {
  await appendTicks(journal, all)
  await project(ticks, { journal, client })
  const stopping = new AbortController()
  const roller = new CandleRoller({ journal, client, intervalMs: 10 })
  const running = roller.run(stopping.signal)
  await roller.caughtUp
  stopping.abort()
  await running
}

/** Prices of some months, now and then none for days, of two sources; few of them before 1970. */
function randomTicks(random: () => number, count: number): Tick[] {
  let at = now - 40 * DAY
  return Array.from({ length: count }, () => {
    at += Math.floor(random() * (random() < 0.02 ? DAY : 20_000))
    const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? ''
    // Few digits, so that prices are often equal, also as 9.5 and 9.50.
    const price = (9 + Math.floor(random() * 20) / 10).toFixed(random() < 0.5 ? 1 : 2)
    const observed = random() < 0.01 ? Date.UTC(1965, Math.floor(random() * 12), 3) : at - Math.floor(random() * 90_000)
    return tick(symbol, price, observed, { source: random() < 0.3 ? 'TEST' : 'feed', recordedAt: at })
  })
}

describe(`candles and ticks as they are served (seed ${SEED})`, () => {
  const memory = new PriceHistory()
  let all: readonly Tick[] = []
  let candles: CandleQueries
  let history: TickQueries
  let filled: World
  const random = randomFrom(SEED)

  beforeAll(async () => {
    filled = await world()
    // One long before the others, so that a search can end early.
    all = [tick('XAU-USD', '9.5', Date.UTC(1965, 0, 2), { recordedAt: now - 40 * DAY }), ...randomTicks(random, 1_000)]
    memory.add(...all)
    await fill(filled, all)
    candles = candleQueries(filled.client)
    history = tickQueries(filled.client)
  })

  const whole = (interval: CandleInterval) => ({
    interval,
    from: intervalNumber(interval, Date.UTC(1960)),
    to: intervalNumber(interval, now + DAY),
    limit: 5_000,
    // On a slow machine a search over sixty years of minutes takes more than a minute.
    budgetMs: Number.POSITIVE_INFINITY,
  })
  const orders = [['feed', 'TEST'], ['TEST']]

  test.each(intervals)('%s: what a fold over the ticks gives', async (interval) => {
    for (const sources of orders) {
      for (const symbol of ['XAU-USD', 'EUR-JPY']) {
        const range = { ...whole(interval), sources }
        const expected = await memory.candles.quoted([symbol], range)
        expect(expected.found.length).toBeGreaterThan(0)
        expect(await candles.quoted([symbol], range)).toEqual(expected)
      }
    }
  })

  test.each(intervals)('%s: computed from legs as a fold over the minutes of all of them gives', async (interval) => {
    const routes: PairRoute[] = [
      { symbol: 'XAU-EUR', over: ['XAU-USD'], under: ['EUR-USD'] },
      { symbol: 'XAU-JPY', over: ['XAU-USD', 'EUR-JPY'], under: ['EUR-USD'] },
      { symbol: 'USD-EUR', over: [], under: ['EUR-USD'] },
    ]
    // The finest interval by all routes, and each of the others by one of them.
    const n = intervals.indexOf(interval)
    for (const route of n === 0 ? routes : routes.slice(n % 3, (n % 3) + 1)) {
      const range = { ...whole(interval), sources: ['feed', 'TEST'] }
      const served = (found: Awaited<ReturnType<CandleQueries['crossed']>>) =>
        found.found.map(({ number, ticks, sources, ...moments }) => {
          return { number, ticks, sources, ...crossCandle(route, moments) }
        })
      const expected = served(await memory.candles.crossed([route], range))
      expect(expected.length).toBeGreaterThan(0)
      expect(served(await candles.crossed([route], range))).toEqual(expected)
    }
  })

  test('of many pairs, in one query what each pair has by itself, of the first of its routes with prices', async () => {
    const routes: PairRoute[] = [
      { symbol: 'XAU-JPY', over: ['XAU-USD', 'EUR-JPY'], under: ['EUR-USD'] },
      // Nothing has the price of this leg, so that the second route counts.
      { symbol: 'XAU-GBP', over: ['XAU-USD'], under: ['GBP-USD'] },
      { symbol: 'XAU-GBP', over: ['XAU-USD', 'EUR-GBP'], under: ['EUR-USD'] },
      // Both routes have prices, mostly not of the same minutes.
      { symbol: 'USD-GBP', over: ['EUR-GBP'], under: ['EUR-USD'] },
      { symbol: 'USD-GBP', over: [], under: ['EUR-USD'] },
      { symbol: 'JPY-EUR', over: [], under: ['EUR-JPY'] },
      { symbol: 'GBP-JPY', over: ['EUR-JPY'], under: ['EUR-GBP'] },
    ]
    const served = ({ found }: Awaited<ReturnType<CandleQueries['crossed']>>) =>
      Map.groupBy(
        found.map(({ route, number, ticks, sources, ...moments }) => {
          return { route, number, ticks, sources, ...crossCandle(route, moments) }
        }),
        ({ route }) => route.symbol,
      )
    for (const interval of ['5m', '1d'] as const) {
      const range = { ...whole(interval), from: intervalNumber(interval, now - 60 * DAY), sources: ['feed', 'TEST'] }
      const expected = served(await memory.candles.crossed(routes, range))
      expect([...expected.keys()].sort()).toEqual([...new Set(routes.map(({ symbol }) => symbol))].sort())
      if (interval === '5m') expect(new Set(expected.get('USD-GBP')?.map(({ route }) => route)).size).toBe(2)
      expect(served(await candles.crossed(routes, range))).toEqual(expected)
      const bySymbol = ({ found }: Awaited<ReturnType<CandleQueries['quoted']>>) =>
        Map.groupBy(found, ({ symbol }) => symbol)
      const quoted = bySymbol(await candles.quoted([...SYMBOLS, 'WTI-USD'], range))
      expect(quoted.size).toBe(SYMBOLS.length)
      expect(quoted).toEqual(bySymbol(await memory.candles.quoted(SYMBOLS, range)))
    }
  })

  test('page by page they are the same, whatever lies between', async () => {
    for (const limit of [1, 7, 100]) {
      const range = { interval: '5m' as const, sources: ['feed'], limit, budgetMs: Number.POSITIVE_INFINITY }
      const [oldest, newest] = [Date.UTC(1965), now + DAY].map((at) => intervalNumber('5m', at))
      const read: unknown[] = []
      for (let from = oldest ?? 0; ; ) {
        const { found: page } = await candles.quoted(['XAU-USD'], { ...range, from, to: newest ?? 0 })
        read.push(...page)
        if (page.length < limit || read.length > 200) break
        from = (page.at(-1)?.number ?? 0) + 1
      }
      const { found: all } = await memory.candles.quoted(['XAU-USD'], { ...whole('5m'), sources: ['feed'] })
      expect(read).toEqual(all.slice(0, read.length))
      expect(read.length).toBeGreaterThanOrEqual(Math.min(all.length, 150))
    }
  })

  test('that take too long end early, and say where to go on', async () => {
    const range = { ...whole('1m'), sources: ['feed', 'TEST'] }
    const all = await candles.quoted(['XAU-USD'], range)
    expect(all.found.length).toBeGreaterThan(100)
    expect(all.scannedTo).toBe(range.to)
    // Without time a search goes on until it has found something, and not further.
    const { found, scannedTo } = await candles.quoted(['XAU-USD'], { ...range, limit: 5_000, budgetMs: -1 })
    expect(scannedTo).toBeLessThan(range.to)
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(all.found.filter(({ number }) => number < scannedTo))
  })

  test('reach as far as each symbol has prices', async () => {
    const symbols = [...SYMBOLS, 'WTI-USD']
    // ClickHouse compiles a query when it has run three times.
    for (let time = 1; time <= 6; time++)
      expect(await candles.extents(symbols), `time ${time}`).toEqual(await memory.candles.extents(symbols))
    const since = now - 38 * DAY
    const recent = await candles.extents(symbols, since)
    expect(recent).toEqual(await memory.candles.extents(symbols, since))
    expect(recent).not.toEqual(await candles.extents(symbols))
    expect((await candles.extents(symbols, Date.UTC(9999, 0))).size).toBe(0)
  })

  test('as of a day they are those of the ticks until its end', async () => {
    const until = Math.floor((now - 36 * DAY) / DAY) * DAY
    const earlier = new PriceHistory()
    const isEarlier = (one: Tick) => one.kind === 'price' && Date.parse(one.observed_at) < until
    earlier.add(...all.filter(isEarlier))
    expect(all.filter((one) => !isEarlier(one)).length).toBeGreaterThan(100)
    const [dated, ofDay] = [candleQueries(filled.client, until), tickQueries(filled.client, until - 1)]
    expect(await dated.extents(SYMBOLS)).toEqual(await earlier.candles.extents(SYMBOLS))
    for (const interval of intervals) {
      const range = { ...whole(interval), sources: ['feed', 'TEST'] }
      const expected = await earlier.candles.quoted(['XAU-USD'], range)
      expect(expected.found.length).toBeGreaterThan(0)
      expect(await dated.quoted(['XAU-USD'], range)).toEqual(expected)
    }
    const everything = { first: -9e15, last: 9e15, after: [-9e15, 0, 0] as const, limit: 10_000 }
    const snapshot = (await ofDay.newest('XAU-USD'))?.offset ?? 0
    const rows = (found: Awaited<ReturnType<TickQueries['page']>>) => found.map(({ position: _, ...row }) => row)
    const expected = rows(await earlier.ticks.page('XAU-USD', { ...everything, snapshot: Number.MAX_SAFE_INTEGER }))
    expect(rows(await ofDay.page('XAU-USD', { ...everything, snapshot }))).toEqual(expected)
    expect((await ofDay.newest('XAU-USD'))?.recordedAt).toBe((await earlier.ticks.newest('XAU-USD'))?.recordedAt)
  })

  test('the ticks of a symbol come once each, in order, and none recorded later than the snapshot', async () => {
    const first = await history.newest('XAU-USD')
    expect(await history.newest('WTI-USD')).toBeUndefined()
    const late = tick('XAU-USD', '77', now - 5 * DAY, { recordedAt: now })
    await appendTicks(filled.journal, [late])
    await project(ticks, filled)
    // Rows that are there twice are shown once.
    await filled.client.command({ query: 'INSERT INTO ticks SELECT * FROM ticks WHERE _offset % 5 = 0' })
    const range = { first: -9e15, last: 9e15, snapshot: first?.offset ?? 0 }
    const read: unknown[] = []
    for (let after: TickPosition = [-9e15, 0, 0]; ; ) {
      const page = await history.page('XAU-USD', { ...range, after, limit: 101 })
      read.push(...page.map(({ position: _, ...row }) => row))
      const last = page.at(-1)
      if (page.length < 101 || !last) break
      after = last.position
    }
    const everything = { ...range, snapshot: Number.MAX_SAFE_INTEGER, after: [-9e15, 0, 0] as const, limit: 10_000 }
    const expected = await memory.ticks.page('XAU-USD', everything)
    expect(read).toEqual(expected.map(({ position: _, ...row }) => row))
    const newer = { ...range, snapshot: (await history.newest('XAU-USD'))?.offset ?? 0, after: [-9e15, 0, 0] as const }
    const within = { first: now - 5 * DAY, last: now - 5 * DAY, limit: 10 }
    expect(await history.page('XAU-USD', { ...newer, ...within })).toMatchObject([{ price: '77' }])
  })

  test('hold prices of any length', async () => {
    const odd = await world()
    const at = Math.floor((now - DAY) / 60_000) * 60_000
    const [large, small] = ['9'.repeat(64), `0.${'0'.repeat(60)}12`]
    const all = [large, small].flatMap((price, i) => [
      tick('XAU-USD', price, at + i),
      tick('EUR-USD', i === 0 ? small : large, at + i),
    ])
    await fill(odd, all)
    const queries = candleQueries(odd.client)
    const range = { ...whole('1d'), sources: ['TEST'] }
    const { found } = await queries.quoted(['XAU-USD'], range)
    expect(found).toMatchObject([{ high: large, low: small, open: large }])
    const route = { symbol: 'XAU-EUR', over: ['XAU-USD'], under: ['EUR-USD'] }
    const [moments] = (await queries.crossed([route], range)).found
    const { high, low } = crossCandle(route, moments ?? { open: [], close: [], extremes: [] })
    expect(Number(high)).toBeGreaterThan(1e120)
    expect(Number(low)).toBeLessThan(1e-120)
  })
})
