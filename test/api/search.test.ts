import { describe, expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { MAX_SEARCH_LENGTH, type SearchHit, type SearchResult, searchAddress } from '../../contracts/search.ts'
import { type PublishersId, PublishersIds } from '../../domain/publishers-ids.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

const jobless = testSeries({ indicator: 'unemployment', unit: 'percent', country: 'DEU' })
const other = testSeries({ indicator: 'unemployment', unit: 'percent', country: 'DEU', dataset: 'T2' })
const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'EUR', country: 'DEU', dataset: 'VOL' })

const listed = (id: string, over: Partial<PublishersId> = {}): PublishersId => ({
  id,
  source: 'TEST',
  dataset: id,
  title: '',
  countries: new Set(['DEU']),
  indicator: 'unemployment',
  frequency: 'M',
  names: () => false,
  ...over,
})
const publishersIds = new PublishersIds([
  listed('TESTUNRATE', { dataset: 'T2', names: ({ country, dataset }) => country === 'DEU' && dataset === 'T2' }),
  listed('TESTPRICES', { indicator: 'cpi', title: 'Prices of the test office' }),
])

async function filled(change: Partial<ApiDeps> = {}): Promise<World> {
  const served = await world({ publishersIds, ...change })
  served.releases.accept(jobless, '2025-10', { rate: '3.9' })
  served.releases.accept(jobless, '2025-11', { rate: '4.0' })
  served.releases.accept(other, '2025-09', { rate: '3.7' })
  served.releases.accept(volume, '2025-Q3', { value: '900' })
  const growth = testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent', country: 'DEU' })
  served.releases.accept(growth, '2025-Q2', { year_over_year: '0.3' })
  return served
}
const find = async ({ app }: World, q: string, limit = 100) =>
  (await ask(app, `${searchAddress(q)}&limit=${limit}`)).json<SearchResult>()
const best = async (served: World, q: string): Promise<SearchHit> =>
  (await find(served, q)).hits[0] ?? expect.fail(`nothing is found for ${q}`)

describe('a search', () => {
  it('says with what a hit is served, over all series that answer', async () => {
    expect(await best(await filled(), 'jobless rate Germany')).toEqual({
      kind: 'figures',
      name: 'Unemployment rate (Germany)',
      country: 'DEU',
      indicator: 'unemployment',
      instrument: null,
      publishers_id: null,
      series: null,
      is_served: true,
      frequencies: [{ frequency: 'M', first_period: '2025-09', last_period: '2025-11' }],
      operation: 'economics_get_unemployment',
      link: '/v1/economics/DEU/unemployment',
      matched: 'name',
      note: null,
    })
  })

  it('finds every served cell by its own name, at an address that answers', async () => {
    const served = await filled()
    for (const indicator of servedIndicators) {
      for (const country of served.releases.board.countries(indicator).filter((one) => one !== 'CHN')) {
        const { hits } = await find(served, `${country} ${indicator}`)
        const [hit] = hits
        expect(hit, `${country} ${indicator}`).toMatchObject({ kind: 'figures', country, indicator, is_served: true })
        const { name, link } = hit ?? expect.fail()
        expect(await best(served, name), name).toMatchObject({ kind: 'figures', country, indicator })
        expect(link).toContain(`/v1/economics/${country}/${servingOf(indicator).path}`)
        if (!link?.includes('/observations'))
          expect((await ask(served.app, link ?? '')).statusCode, link ?? '').toBe(200)
      }
    }
  })

  it('finds what is known and not served, and says what is', async () => {
    const served = await filled()
    expect(await best(served, 'CPI Turkey')).toMatchObject({
      kind: 'figures',
      country: 'TUR',
      indicator: 'cpi',
      is_served: false,
      operation: null,
      link: null,
      frequencies: [],
      note: 'No figures of it are on record for TUR (Türkiye). cpi is published for USA.',
    })
    expect(await best(served, 'Turkey')).toMatchObject({ kind: 'country', is_served: false })
    expect(await best(served, 'exports China')).toMatchObject({
      is_served: false,
      frequencies: [],
      note: 'Export totals are not public for CHN (China).',
    })
    expect(await best(served, 'China')).toMatchObject({ kind: 'country', country: 'CHN', is_served: false })
    expect(await best(served, 'house prices')).toMatchObject({
      kind: 'topic',
      is_served: false,
      note: 'Not served here.',
    })
    expect(await best(served, 'real GDP Germany')).toMatchObject({
      indicator: 'gdp-volume',
      is_served: false,
      operation: 'catalog_list',
      link: '/v1/catalog?country=DEU&indicator=gdp-volume',
    })
  })

  it('says that figures without some members are in the history alone', async () => {
    const served = await filled()
    const hit = await best(served, 'GDP growth Germany')
    expect(hit).toMatchObject({
      is_served: true,
      operation: 'economics_list_gdp_growth_observations',
      link: '/v1/economics/DEU/gdp-growth/observations?frequency=Q',
      note: expect.stringContaining('in its history alone'),
    })
    expect((await ask(served.app, hit.link ?? '')).statusCode).toBe(200)
  })

  it('finds series by their ids, here and at the publisher', async () => {
    const served = await filled()
    const own = { kind: 'series', matched: 'code', country: 'DEU', indicator: 'unemployment' }
    expect(await best(served, jobless.id)).toMatchObject({
      ...own,
      series: jobless.id,
      publishers_id: 'T1',
      is_served: true,
      frequencies: [{ frequency: 'M', first_period: '2025-10', last_period: '2025-11' }],
      link: '/v1/economics/DEU/unemployment/observations?frequency=M',
    })
    expect(await best(served, 'testunrate')).toMatchObject({
      ...own,
      series: other.id,
      publishers_id: 'TESTUNRATE',
      is_served: false,
      link: '/v1/catalog?country=DEU&indicator=unemployment',
      note: expect.stringContaining(`are answered from ${jobless.id}`),
    })
    const { hits } = await find(served, 'TESTPRICES')
    expect(hits).toMatchObject([
      {
        ...own,
        indicator: 'cpi',
        series: null,
        publishers_id: 'TESTPRICES',
        is_served: false,
        link: null,
        name: 'Prices of the test office: TEST TESTPRICES',
        note: 'TEST lists it under this id. Nothing of it is on record here.',
      },
      { kind: 'figures', country: 'DEU', indicator: 'cpi', is_served: false },
    ])
    expect(await best(served, volume.id)).toMatchObject({
      series: volume.id,
      is_served: false,
      operation: 'catalog_list',
    })
  })

  it('finds prices, and says which there are none of yet', async () => {
    const served = await filled()
    const found = async (q: string) => {
      const { kind, instrument, is_served, operation, link } = await best(served, q)
      return [kind, instrument, is_served, operation, link]
    }
    const spot = 'commodities_get_spot'
    expect(await found('gold')).toEqual(['commodity', 'XAU', true, spot, '/v1/commodities/spot/XAU/USD'])
    expect(await found('gold in euro')).toEqual(['pair', 'XAU-EUR', true, spot, '/v1/commodities/spot/XAU/EUR'])
    expect(await found('euro dollar')).toEqual(['pair', 'EUR-USD', true, 'fx_get_rates', '/v1/fx/rates/EUR'])
    expect(await found('yen')).toEqual(['currency', 'JPY', true, 'fx_get_rates', '/v1/fx/rates/JPY'])
    expect(await found('silver')).toEqual(['commodity', 'XAG', false, null, null])
    expect(await found('euro lira')).toEqual(['pair', 'EUR-TRY', false, null, null])
  })

  it('has at most the hits that were asked for, says how many there are, and what it does not know', async () => {
    const served = await filled()
    const all = await find(served, 'Germany xyzzy')
    expect(all).toMatchObject({ query: 'Germany xyzzy', hits_found: all.hits.length, unknown_words: ['xyzzy'] })
    expect(await find(served, 'Germany xyzzy', 1)).toEqual({ ...all, hits: all.hits.slice(0, 1) })
    expect(await find(served, '?!')).toEqual({ query: '?!', hits: [], hits_found: 0, unknown_words: [] })
    expect((await ask(served.app, '/v1/search?q=USA')).json<SearchResult>().hits).toHaveLength(10)
  })

  it('knows what was recorded since the last one', async () => {
    const served = await filled()
    const spans = async () => (await best(served, 'jobless rate Germany')).frequencies.map((one) => one.last_period)
    expect(await spans()).toEqual(['2025-11'])
    served.releases.accept(jobless, '2025-12', { rate: '4.1' })
    expect(await spans()).toEqual(['2025-12'])
    expect((await best(served, 'GDP France')).is_served).toBe(false)
    const french = testSeries({ indicator: 'gdp', frequency: 'Q', unit: 'EUR', country: 'FRA' })
    served.releases.accept(french, '2025-Q3', { value: '700' })
    expect((await best(served, 'GDP France')).is_served).toBe(true)
  })

  it('costs a call', async () => {
    const served = await filled()
    await find(served, 'Germany')
    expect(served.quota.used).toBe(1)
  })

  it('tells nothing that the figures of its ports do not have', async () => {
    const before = await world({ publishersIds })
    const { figures, releaseIndex } = before.deps
    const served = await filled({ figures, releaseIndex })
    expect(await best(served, 'jobless rate Germany')).toMatchObject({ is_served: false, frequencies: [] })
    expect((await find(served, jobless.id)).hits.filter(({ kind }) => kind === 'series')).toEqual([])
  })

  it.each([
    ['', 'query parameter q is missing'],
    ['?q=', 'query parameter q is empty'],
    [`?q=${'a'.repeat(MAX_SEARCH_LENGTH + 1)}`, 'query parameter q is longer than 200 characters'],
    ['?q=cpi&limit=0', 'query parameter limit: 0 is less than 1'],
    ['?q=cpi&limit=101', 'query parameter limit: 101 is more than 100'],
    ['?q=cpi&country=DEU', 'Unknown query parameter "country". Known: q, limit.'],
  ])('refuses %s', async (query, detail) => {
    const { app, quota } = await filled()
    const { problem } = await ask(app, `/v1/search${query}`)
    expect(problem).toMatchObject({ code: 'invalid_query', detail: expect.stringContaining(detail) })
    expect(quota.used).toBe(0)
  })
})

it('a country or indicator without figures is answered with what it has, and the search', async () => {
  const { app } = await filled()
  const detail = async (path: string) => (await ask(app, path)).problem.detail
  expect(await detail('/v1/economics/DEU/cpi')).toBe(
    'cpi is not published for DEU (Germany). cpi is published for USA. Published for DEU (Germany): unemployment, gdp-growth. Search: /v1/search?q=Consumer+price+index+Germany.',
  )
  expect(await detail('/v1/economics/GER/unemployment')).toMatch(
    /Did you mean DEU \(Germany\)\? .* Search: \/v1\/search\?q=Unemployment\+rate\+GER\.$/,
  )
  expect(await detail('/v1/economics/CHN/trade')).toMatch(/Search: \/v1\/search\?q=Merchandise\+trade\+China\.$/)
  expect(await detail('/v1/commodities/spot/SILVR/USD')).toMatch(/ Search: \/v1\/search\?q=SILVR\.$/)
  expect(await detail('/v1/fx/rates/ABC')).toMatch(/ Search: \/v1\/search\?q=ABC\.$/)
  expect(await detail('/v1/verify?country=USA&indicator=jobless+rate&period=2025&value=1')).toContain(
    'Did you mean unemployment (Unemployment rate)?',
  )
})
