import { beforeAll, describe, expect, it } from 'vitest'
import { HeldSpans } from '../../api/held-spans.ts'
import type { ObservationList } from '../../contracts/histories.ts'
import { operations } from '../../contracts/operations.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { priceTick } from '../support/ticks.ts'
import { ask, bearer, listen, type World, world } from './support.ts'

/** What the real read models answer as of a day is in as-of.integration.test.ts. */

const cpi = '/v1/economics/DEU/cpi'

describe('an address as of a day', () => {
  let served: World
  beforeAll(async () => {
    served = await world()
    const at = (day: string) => `${day}T09:00:00.000Z`
    const series = testSeries({ country: 'DEU' })
    served.releases.accept(series, '2025-01', { value: '120.3' }, at('2025-02-13'))
    served.releases.accept(series, '2025-02', { value: '120.8' }, at('2025-03-14'))
    served.releases.accept(series, '2025-01', { value: '120.4' }, at('2025-03-14'))
    served.releases.accept(series, '2025-03', { value: '121.0' }, at('2025-04-15'))
  })
  const get = (path: string) => ask(served.app, path)

  it('has what was known then, and links and addresses of the same day only', async () => {
    const latest = await get(`/asof/2025-03-13${cpi}`)
    expect(latest.json()).toMatchObject({ period: '2025-01', value: '120.3' })
    expect(latest.headers.link).toMatch(/^<\/asof\/2025-03-13\/v1\/releases\/rel_\w+>; rel="describedby", <\/asof\//)
    expect(String(latest.headers.link).replaceAll('/asof/2025-03-13/v1', '')).not.toContain('/v1/')
    // Ages are those of the day.
    expect(latest.headers['almanac-periods-ended-since']).toBe('1')
    const { body } = await get('/asof/2025-03-13/v1/catalog/indicators')
    expect(body).toContain('"/asof/2025-03-13/v1/economics/{country}/cpi"')
    expect(body.replaceAll('/asof/2025-03-13/v1', '')).not.toContain('/v1/')
    expect((await get(`/asof/2025-03-14${cpi}`)).json()).toMatchObject({ period: '2025-02', value: '120.8' })
  })

  it('keeps the figures of all countries of one day alone, beside those of a country', async () => {
    const reads: string[] = []
    const { deps } = served
    const own = await world({
      ...deps,
      asOf: (day, isEstimated) => {
        const dated = deps.asOf(day, isEstimated)
        const releases = (country: string) => {
          reads.push(`${day} ${country}`)
          return dated.published.releases(country)
        }
        return { ...dated, published: { ...dated.published, releases } }
      },
    })
    const all = (day: string) => ask(own.app, `/asof/${day}/v1/catalog/indicators`)
    for (const day of ['2025-04-15', '2025-04-15', '2025-03-14', '2025-03-14', '2025-04-15']) await all(day)
    expect(reads).toEqual(['2025-04-15 DEU', '2025-03-14 DEU', '2025-04-15 DEU'])
    await ask(own.app, `/asof/2025-03-13${cpi}`)
    await all('2025-04-15')
    await ask(own.app, `/asof/2025-03-13${cpi}`)
    expect(reads.slice(3)).toEqual(['2025-03-13 DEU'])
  })

  it('with estimated dates, leads to addresses of the same kind only', async () => {
    const prefix = '/asof/2025-03-13/estimated'
    const latest = await get(prefix + cpi)
    expect(latest.json()).toMatchObject({ period: '2025-01', value: '120.3' })
    expect(String(latest.headers.link)).toContain(`<${prefix}/v1/releases/`)
    expect(String(latest.headers.link).replaceAll(`${prefix}/v1`, '')).not.toContain('/v1/')
    const first = await get(`/asof/2025-04-01/estimated${cpi}/observations?limit=1`)
    const { next_cursor } = first.json<ObservationList>()
    const next = (of: string) => get(`${of}${cpi}/observations?cursor=${next_cursor}`)
    expect((await next('/asof/2025-04-01/estimated')).json()).toMatchObject({ observations: [{ value: '120.8' }] })
    expect((await next('/asof/2025-04-01')).problem.code).toBe('cursor_foreign')
    const missing = await get(`${prefix}${cpi}/`)
    expect(missing.problem).toMatchObject({ code: 'route_not_found', instance: `${prefix}${cpi}/` })
    expect(missing.problem.detail).toContain(`Did you mean ${prefix}${cpi}?`)
    expect((await get(`${prefix}/v1/events/export`)).problem.detail).toContain(`Leave ${prefix} out.`)
    expect((await get('/asof/2025-02-30/estimated/v1/events')).problem.code).toBe('invalid_path')
  })

  it('has the prices at the end of the day', async () => {
    const own = await world()
    own.priceHistory.add(
      ...['2025-03-13T10:00:00.000Z', '2025-03-13T22:00:00.000Z', '2025-03-14T00:00:00.000Z'].map((at, i) =>
        priceTick(String(2900 + i), { observed: Date.parse(at) }),
      ),
    )
    const spot = await ask(own.app, '/asof/2025-03-13/v1/commodities/spot/XAU/USD')
    expect(spot.json()).toMatchObject({ price: '2901', timestamp: '2025-03-13T22:00:00.000Z', stale: false })
    const before = await ask(own.app, '/asof/2025-03-12/v1/commodities/spot/XAU/USD')
    expect(before.problem.code).toBe('price_unavailable')
    const path = '/asof/2025-03-13/v1/prices/candles?symbol=XAU-USD&interval=1h&start=2025-03-13'
    const [gold] = (await ask(own.app, path)).json<{ pairs: { candles: { start: string }[] }[] }>().pairs
    expect(gold?.candles.map(({ start }) => start)).toEqual(['2025-03-13T10:00:00.000Z', '2025-03-13T22:00:00.000Z'])
  })

  it.each(['/v1/fx/rates/EUR', '/v1/commodities/spot/XAU/USD', '/v1/commodities/spot/WTI/USD'])(
    'has the prices of now on a day that is not over: %s',
    async (path) => {
      const now = await get(path)
      for (const day of ['2026-11-21', '2026-11-22']) {
        const then = await get(`/asof/${day}${path}`)
        expect([then.statusCode, then.json()]).toEqual([200, now.json()])
        expect(then.headers['almanac-source']).toBe(now.headers['almanac-source'])
      }
    },
  )

  it('says nothing of what waits for review now', async () => {
    const index = testSeries({ country: 'DEU' })
    const held = new HeldSpans(async () => [`${index.id}, 2025-03 (line 3)`])
    const own = await world({ held })
    own.releases.accept(index, '2025-02', { value: '101' }, '2025-03-14T09:00:00.000Z')
    const detailOf = async (prefix: string) => (await ask(own.app, `${prefix}${cpi}?period=2025-03`)).problem.detail
    expect(await detailOf('')).toContain('waits for review')
    expect(await detailOf('/asof/2025-05-01')).not.toContain('review')
  })

  it('knows what an operator said from the day of the statement on', async () => {
    const own = await world()
    const series = testSeries({ country: 'DEU' })
    own.releases.accept(series, '2025-03', { value: '121.0' }, '2025-04-15T09:00:00.000Z')
    own.releases.statements.apply({
      change: 'cancelled',
      country: 'DEU',
      indicator: 'cpi',
      period: '2025-04',
      series: series.id,
      ...unknownDay,
      reason: 'There was no survey.',
      recorded_at: '2025-05-10T08:00:00.000Z',
    })
    const reasonOn = async (day: string) => {
      const { problem } = await ask(own.app, `/asof/${day}${cpi}?period=2025-04`)
      return problem.detail.includes('There was no survey.')
    }
    expect([await reasonOn('2025-05-09'), await reasonOn('2025-05-10')]).toEqual([false, true])
  })

  it('suggests addresses of the same day only', async () => {
    const { problem } = await get(`/asof/2025-03-13${cpi}/`)
    const own = `/asof/2025-03-13${cpi}`
    expect(problem.detail).toContain(`Nothing is served at ${own}/. Did you mean ${own}?`)
  })

  it('says of a panel, and of a frequency, since when there is evidence', async () => {
    const { problem } = await get('/asof/2025-02-12/v1/panel?country=DEU&country=FRA&indicator=cpi&frequency=M')
    expect(problem).toMatchObject({ code: 'no_dated_evidence', detail: expect.stringContaining('2025-02-13') })
    const rate = testSeries({ country: 'NLD', indicator: 'unemployment', unit: 'percent' })
    served.releases.accept(
      { ...rate, id: `${rate.id}.A`, frequency: 'A' },
      '2023',
      { rate: '4' },
      '2024-02-01T09:00:00.000Z',
    )
    served.releases.accept(rate, '2025-01', { rate: '3.8' }, '2025-02-20T09:00:00.000Z')
    const monthly = await get('/asof/2025-02-12/v1/economics/NLD/unemployment/observations?frequency=M')
    expect(monthly.problem).toMatchObject({ code: 'no_dated_evidence', detail: expect.stringContaining('2025-02-20') })
    expect((await get('/asof/2025-02-12/v1/economics/NLD/unemployment')).json()).toMatchObject({ period: '2023' })
  })

  it('says of a key of SDMX since when there is evidence in its frequency', async () => {
    const detail = async (path: string) =>
      (await served.app.inject({ url: `/asof/2025-02-12/sdmx${path}`, headers: bearer() })).body
    for (const path of [
      '/2.1/data/CPI/M.DEU',
      '/2.1/availableconstraint/CPI/M.DEU/all/FREQ',
      '/3.0/data/dataflow/ALMANAC/CPI/1.0?c[REF_AREA]=DEU',
    ])
      expect(await detail(path)).toContain('The earliest day that can be asked for is 2025-02-13')
    expect(await detail('/2.1/data/CPI/A.DEU')).not.toContain('earliest')
    expect(await detail('/2.1/availableconstraint/CPI/A.DEU')).not.toContain('earliest')
  })

  it('revalidates by an ETag of its own', async () => {
    const url = `/asof/2025-03-13${cpi}`
    const { etag } = (await get(url)).headers
    const again = await ask(served.app, { url, headers: { ...bearer(), 'if-none-match': String(etag) } })
    expect(again.statusCode).toBe(304)
  })

  it('says of a cell without evidence since when there is some, and nothing else of later days', async () => {
    const { problem, statusCode } = await get(`/asof/2025-02-12${cpi}`)
    expect(statusCode).toBe(404)
    expect(problem.code).toBe('no_dated_evidence')
    expect(problem.detail).toMatch(/^No figure of cpi of DEU \(Germany\) is dated 2025-02-12 or before\. .*2025-02-13/)
    const missing = await get(`/asof/2025-03-13${cpi}?period=2025-02`)
    expect(missing.problem.detail).toContain('Published: months 2025-01 to 2025-01')
    expect((await get('/asof/2025-03-13/v1/economics/XYZ/cpi')).problem.detail).toContain('published for DEU.')
  })

  it.each([
    ['2025-02-30', 'path parameter day: "2025-02-30" is no day, which is written YYYY-MM-DD'],
    ['yesterday', 'path parameter day: "yesterday" is no day, which is written YYYY-MM-DD'],
    ['2026-11-23', 'path parameter day: "2026-11-23" is in the future; the latest day is 2026-11-22'],
  ])('refuses the day %s', async (day, detail) => {
    expect((await get(`/asof/${day}${cpi}`)).problem).toMatchObject({ code: 'invalid_path', detail })
  })

  it('refuses an as_of after its day', async () => {
    expect((await get(`/asof/2025-03-13${cpi}/observations?as_of=2025-03-14`)).problem).toMatchObject({
      code: 'invalid_query',
      detail: 'query parameter as_of: 2025-03-14 is in the future; the latest day is 2025-03-13',
    })
  })

  it('hands out cursors of its day, which no other day takes', async () => {
    const first = await get(`/asof/2025-04-01${cpi}/observations?limit=1`)
    const { next_cursor } = first.json<ObservationList>()
    const next = (prefix: string) => get(`${prefix}${cpi}/observations?cursor=${next_cursor}`)
    expect((await next('/asof/2025-04-01')).json()).toMatchObject({ observations: [{ value: '120.8' }] })
    for (const other of ['', '/asof/2025-04-02']) expect((await next(other)).problem.code, other).toBe('cursor_foreign')
  })

  it('does not have what can only be of now', async () => {
    const ofNow = operations.filter(({ isOfNow }) => isOfNow).map(({ path }) => path.replace(/\{\w+\}/g, 'USD'))
    expect(ofNow.length).toBeGreaterThan(3)
    for (const path of [...ofNow, '/docs', '/openapi.json', '/', '/ready'])
      expect((await get(`/asof/2025-03-13${path}`)).problem, path).toMatchObject({
        code: 'route_not_found',
        instance: `/asof/2025-03-13${path}`,
      })
    const ticket = { method: 'POST' as const, url: '/asof/2025-03-13/v1/events/stream-ticket', headers: bearer() }
    expect((await ask(served.app, { ...ticket, payload: { origin: 'https://a.example' } })).statusCode).toBe(404)
  })

  it('needs a key, and costs a call, as without the day', async () => {
    expect((await ask(served.app, { url: `/asof/2025-03-13${cpi}` })).statusCode).toBe(401)
    const before = served.quota.used
    await get(`/asof/2025-03-13${cpi}`)
    expect(served.quota.used).toBe(before + 1)
    // Nothing was asked that can be answered.
    await get(`/asof/2025-03-13${cpi}?period=2025`)
    expect(served.quota.used).toBe(before + 1)
  })
})

describe('an assistant as of a day', () => {
  it('sees the figures of the day, and no tool whose answers are of now', async () => {
    const served = await world()
    served.releases.accept(testSeries({ country: 'DEU' }), '2025-01', { value: '120.3' }, '2025-02-13T09:00:00.000Z')
    served.releases.accept(testSeries({ country: 'FRA' }), '2025-01', { value: '99' }, '2025-02-20T09:00:00.000Z')
    const url = `http://127.0.0.1:${await listen(served.app)}/asof/2025-02-14/mcp`
    const send = async (method: string, params: object) => {
      const headers = { ...bearer(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(url, { method: 'POST', headers, body })
      return ((await response.json()) as { readonly result: Result }).result
    }
    const client = { name: 'test', version: '1' }
    const hello = await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client })
    expect(hello.instructions).toContain('2025-02-14')
    const { tools } = await send('tools/list', {})
    const names = tools?.map(({ name }) => name)
    expect(names).toContain('economics_get_cpi')
    for (const ofNow of ['health_health_get', 'account_get_usage', 'events_export']) expect(names).not.toContain(ofNow)
    expect(JSON.stringify(tools?.find(({ name }) => name === 'economics_get_cpi'))).not.toContain('FRA (France)')
    const call = async (name: string, given: object) => send('tools/call', { name, arguments: given })
    const answered = await call('economics_get_cpi', { country: 'DEU' })
    expect(answered.content?.[0]?.text).toContain('"120.3"')
    expect(answered.content?.[1]?.text).toContain('releases_get with release_id rel_')
    const missing = await call('economics_get_cpi', { country: 'FRA' })
    expect(JSON.parse(missing.content?.[0]?.text ?? '')).toMatchObject({
      code: 'no_dated_evidence',
      instance: '/asof/2025-02-14/mcp',
    })
  })
})

type Result = {
  readonly instructions?: string
  readonly tools?: readonly { readonly name: string }[]
  readonly content?: readonly { readonly text: string }[]
}
