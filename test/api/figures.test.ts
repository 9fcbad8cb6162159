import { describe, expect, it } from 'vitest'
import { newerIn } from '../../api/newer-figures.ts'
import type { EventPage } from '../../contracts/events.ts'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import type { Operation } from '../../contracts/operation.ts'
import { operations } from '../../contracts/operations.ts'
import { releaseIdIn } from '../../contracts/release-detail.ts'
import type { FxRates, SpotPrice } from '../../contracts/resources.ts'
import { flowSeries, testSeries } from '../support/releases.ts'
import { ask, bearer, quote, world } from './support.ts'

const indicators = operations.filter(({ id }) => servedIndicators.some((code) => servingOf(code).operationId === id))
const urlOf = ({ path }: Operation) => path.replace('{country}', 'USA')

describe('indicators', () => {
  it.each(indicators.map((operation) => [operation.id, operation] as const))(
    '%s: latest and exact',
    async (_, operation) => {
      const { app } = await world()
      const latest = await ask(app, urlOf(operation))
      expect(latest.statusCode).toBe(200)
      const { period } = latest.json<{ period: string }>()
      const exact = await ask(app, `${urlOf(operation)}?period=${period}`)
      expect(exact.json()).toEqual(latest.json())
      expect(exact.headers.etag).toBe(latest.headers.etag)
      expect(latest.headers['cache-control']).toBe('private, max-age=60')
      expect(exact.headers['cache-control']).toBe('private, max-age=300')
    },
  )

  it('are the greatest period, and change with a revision', async () => {
    const { app, releases } = await world()
    const before = await ask(app, '/v1/economics/USA/cpi')
    expect(before.json()).toMatchObject({ period: '2025-11', value: '325.4' })
    releases.accept(testSeries(), '2025-10', { value: '325.0' })
    expect((await ask(app, '/v1/economics/USA/cpi')).body).toBe(before.body)
    releases.accept(testSeries(), '2025-11', { value: '325.50' })
    const after = await ask(app, '/v1/economics/USA/cpi')
    expect(after.json()).toMatchObject({ period: '2025-11', value: '325.50' })
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('say that unfiltered totals are of all partners and products', async () => {
    const { app } = await world()
    const body = (await ask(app, '/v1/economics/USA/trade/exports')).json()
    expect(body).toMatchObject({ flow: 'export', value: '312000000000', partner: null, product: null })
  })
})

describe('exports of a country outside the ten of specification 4.2 rule 3', () => {
  it.each(['CHN', 'USA'])('%s: are public everywhere or nowhere', async (country) => {
    const { app, releases } = await world()
    const flows = { exports: '302000000000', imports: '348900000000', balance: '-46900000000' }
    const money = { country, unit: 'USD' }
    releases.accept(flowSeries('trade-exports', { country }), '2025-12', { value: '302000000000' })
    releases.accept(flowSeries('trade-imports', { country }), '2025-12', { value: '348900000000' })
    releases.accept(testSeries({ ...money, indicator: 'trade' }), '2025-12', flows)

    const statusOf = async (path: string) => (await ask(app, `/v1/economics/${country}/${path}`)).statusCode
    const shown = country === 'USA' ? 200 : 404
    for (const path of ['trade', 'trade/exports']) {
      expect([path, await statusOf(path), await statusOf(`${path}?period=2025-12`)]).toEqual([path, shown, shown])
    }
    for (const path of ['trade', 'trade/exports']) {
      for (const list of ['observations', 'observations?format=csv', 'vintages', 'vintages?period=2025-12']) {
        expect(await statusOf(`${path}/${list}`), `${path}/${list}`).toBe(shown)
      }
    }
    expect(await statusOf('trade/imports')).toBe(200)

    const page = (await ask(app, `/v1/events?family=trade&country=${country}&limit=1000`)).json<EventPage>()
    const subjects = new Set(page.events.map(({ subject }) => subject.replace(/\/[^/]*$/, '')))
    expect(subjects).toContain(`${country}/trade-imports`)
    expect([subjects.has(`${country}/trade-exports`), subjects.has(`${country}/trade`)]).toEqual(
      shown === 200 ? [true, true] : [false, false],
    )
  })
})

it('a figure says in headers what its day rests on, and the latest one how old it is', async () => {
  const { app, releases } = await world()
  const released = { on: '2025-11-13', basis: 'copy' } as const
  releases.accept(testSeries({ country: 'DEU' }), '2025-09', { value: '120.1' }, undefined, {
    released: { on: '2025-10-14', basis: 'publisher' },
  })
  releases.accept(testSeries({ country: 'DEU' }), '2025-10', { value: '120.3' }, undefined, { released })
  const latest = await ask(app, '/v1/economics/DEU/cpi')
  expect(latest.headers['almanac-released-on-basis']).toBe('copy')
  expect(latest.headers['almanac-periods-ended-since']).toBe('12')
  const exact = await ask(app, '/v1/economics/DEU/cpi?period=2025-09')
  expect(exact.headers['almanac-released-on-basis']).toBe('publisher')
  expect(exact.headers).not.toHaveProperty('almanac-periods-ended-since')
})

it('a latest figure links to newer ones that it can’t give: of another frequency, and without a figure of its body', async () => {
  const { app, releases } = await world()
  const linkOf = async (path: string) => String((await ask(app, `/v1/economics/${path}`)).headers.link)
  const rate = { indicator: 'unemployment', unit: 'percent', country: 'JPN' } as const
  const old = releases.accept(testSeries(rate), '2024-12', { rate: '2.4' })
  const before = await linkOf('JPN/unemployment')
  expect(releaseIdIn(before)).toBe(old.release_id)
  expect(newerIn(before)).toEqual([])
  releases.accept(testSeries({ ...rate, frequency: 'Q' }), '2025-Q4', { rate: '2.5' })
  releases.accept(testSeries({ ...rate, frequency: 'A' }), '2024', { rate: '2.5' })
  const address = '/v1/economics/JPN/unemployment/observations?frequency=Q&start=2025-Q4'
  expect(newerIn(await linkOf('JPN/unemployment'))).toEqual([{ period: '2025-Q4', address }])
  // A history of months that nobody asked for by name ends as early.
  expect(newerIn(await linkOf('JPN/unemployment/observations'))).toEqual([{ period: '2025-Q4', address }])
  expect(newerIn(await linkOf('JPN/unemployment/observations?frequency=M'))).toEqual([])
  expect((await ask(app, address)).json().observations).toMatchObject([{ period: '2025-Q4', value: '2.5' }])

  const growth = testSeries({ indicator: 'gdp-growth', unit: 'percent', country: 'DEU', frequency: 'Q' })
  releases.accept(growth, '2025-Q3', { quarter_over_quarter: '0.1', year_over_year: '0.4' })
  releases.accept(growth, '2025-Q4', { year_over_year: '0.5' })
  const [partial] = newerIn(await linkOf('DEU/gdp-growth'))
  expect(partial?.period).toBe('2025-Q4')
  expect((await ask(app, partial?.address ?? '')).json().observations).toMatchObject([{ value: '0.5' }])
  expect(newerIn(await linkOf('DEU/gdp-growth/observations'))).toEqual([])
})

describe('prices', () => {
  it('are priced through a rate, and say when they are made up', async () => {
    const { app } = await world()
    const gold = await ask(app, '/v1/commodities/spot/XAU/EUR')
    expect(gold.json<SpotPrice>()).toMatchObject({ symbol: 'XAU-EUR', price: '3534.9138', unit: 'troy_ounce' })
    expect(gold.headers).not.toHaveProperty('almanac-source')
    const oil = await ask(app, '/v1/commodities/spot/WTI/EUR')
    expect(oil.headers['almanac-source']).toBe('simulator')
  })

  it('list the rates of a base without itself', async () => {
    const { app, prices } = await world()
    const rates = await ask(app, '/v1/fx/rates/EUR')
    const { base, rates: list } = rates.json<FxRates>()
    expect(base).toBe('EUR')
    expect(list.map(({ currency }) => currency)).toEqual(['JPY', 'USD'])
    expect(rates.headers).not.toHaveProperty('almanac-source')
    prices.apply(quote('EUR-CHF', '0.93', { source: 'simulator' }))
    expect((await ask(app, '/v1/fx/rates/EUR')).headers['almanac-source']).toBe('simulator')
    expect((await ask(app, '/v1/fx/rates/USD')).headers['almanac-source']).toBe('simulator')
  })

  it('never carry what their schema does not name, nor go out without what it requires', async () => {
    const { deps } = await world()
    const spot = (change: object) => () => ({ ...deps.prices.spot('XAU', 'USD', deps.clock()), ...change }) as SpotPrice
    const over = await world({ prices: { ...fixed, spot: spot({ margin: '0.3' }) } })
    expect((await ask(over.app, '/v1/commodities/spot/XAU/USD')).body).not.toContain('margin')
    const short = await world({ prices: { ...fixed, spot: spot({ price: undefined }) } })
    expect((await ask(short.app, '/v1/commodities/spot/XAU/USD')).problem.code).toBe('internal')
    expect(short.quota.used).toBe(0)
  })
  const fixed = {
    fx: () => undefined,
    routes: () => [],
    isSimulated: () => false,
    hasSimulated: false,
    isDemonstration: false,
  }

  it('change with the next quote', async () => {
    const { app, prices } = await world()
    const known = {
      ...bearer(),
      'if-none-match': String((await ask(app, '/v1/commodities/spot/XAU/USD')).headers.etag),
    }
    expect((await ask(app, { url: '/v1/commodities/spot/XAU/USD', headers: known })).statusCode).toBe(304)
    prices.apply(quote('XAU-USD', '4101', { tick_offset: 2, stale: true }))
    const next = await ask(app, { url: '/v1/commodities/spot/XAU/USD', headers: known })
    expect(next.json()).toMatchObject({ price: '4101', stale: true })
  })
})
