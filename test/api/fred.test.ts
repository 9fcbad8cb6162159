import { beforeAll, describe, expect, it } from 'vitest'
import { testProvenance, testSeries } from '../support/releases.ts'
import { get, growth, growthId, index, json, refusal, worldWithVintages } from './fred-support.ts'
import { bearer, type World } from './support.ts'

/** A series whose texts need escaping in XML, and whose id needs it in addresses. */
const awkward = testSeries({ country: 'FRA', dataset: 'A+B & <"C">', indicator: 'unemployment', unit: 'percent' })

let served: World
beforeAll(async () => {
  served = await worldWithVintages()
  const provenance = { ...testProvenance, publisher: 'Tom & Jerry\n<b>', licence: '\u0001"none"' }
  served.releases.accept(awkward, '2025-09', { rate: '7.5' }, '2026-01-16T09:00:00.000Z', { provenance })
})

const xml = async (address: string, query: Readonly<Record<string, string>>) => {
  const { body, headers, statusCode } = await get(served, address, query)
  return { lines: body.split('\n'), type: headers['content-type'], statusCode }
}

describe('a series', () => {
  it('has the facts of the catalogue, in XML unless JSON is asked for', async () => {
    const { seriess, ...window } = await json<{ seriess: Record<string, string>[] }>(served, 'series', {
      series_id: index.id,
    })
    expect(window).toEqual({ realtime_start: '2026-11-22', realtime_end: '2026-11-22' })
    expect(seriess).toEqual([
      {
        id: index.id,
        ...window,
        title: 'Consumer price index, Germany',
        observation_start: '2025-09-01',
        observation_end: '2025-11-01',
        frequency: 'Monthly',
        frequency_short: 'M',
        units: 'Index 2015=100',
        units_short: 'Index 2015=100',
        seasonal_adjustment: 'Not Seasonally Adjusted',
        seasonal_adjustment_short: 'NSA',
        last_updated: '2026-01-15 09:00:00+00',
        popularity: 0,
        notes: 'Source: TEST, T1. As published.',
      },
    ])
    const { lines, type } = await xml('/fred/series', { series_id: index.id })
    expect(type).toBe('text/xml; charset=utf-8')
    expect(lines[0]).toBe('<?xml version="1.0" encoding="utf-8"?>')
    expect(lines[1]).toBe('<seriess realtime_start="2026-11-22" realtime_end="2026-11-22">')
    expect(lines[2]).toMatch(
      /^<series id="DEU\.cpi\.M\.TEST\.T1\.index\.NSA\.2015=100" .*popularity="0" notes="[^"]*"\/>$/,
    )
    expect(lines.slice(3)).toEqual(['</seriess>', ''])
  })

  it('is found by the id of its publisher, if that names one series', async () => {
    const own = testSeries({ country: 'ITA', dataset: 'UNIQUE1' })
    served.releases.accept(own, '2025-09', { value: '1' }, '2025-10-10T09:00:00.000Z')
    const { seriess } = await json<{ seriess: { id: string }[] }>(served, 'series', { series_id: 'unique1' })
    expect(seriess.map(({ id }) => id)).toEqual([own.id])
    const { status, message } = await refusal(served, 'series', { series_id: 'T1' })
    expect(status).toBe(400)
    expect(message).toMatch(/^The series "T1" has several figures\. Name one of them: .*, and \d+ more\.$/)
  })

  it('names the unit and the adjustment in the words of FRED', async () => {
    const money = testSeries({
      indicator: 'gdp',
      unit: 'EUR',
      frequency: 'Q',
      country: 'ITA',
      seasonal_adjustment: 'seasonally_adjusted',
      annualization: 'annualized',
    })
    served.releases.accept(money, '2025-Q2', { value: '1' }, '2025-08-01T00:00:00.000Z')
    const facts = await json<{ seriess: object[] }>(served, 'series', { series_id: money.id })
    expect(facts.seriess[0]).toMatchObject({
      title: 'Gross domestic product at current prices, Italy',
      units: 'Euro',
      units_short: 'EUR',
      frequency: 'Quarterly',
      seasonal_adjustment_short: 'SAAR',
      notes: 'Source: TEST, T1. As published. Values are in whole EUR, not in thousands or millions.',
    })
  })

  it('has an id for each figure, where its releases have several', async () => {
    const facts = await json<{ seriess: object[] }>(served, 'series', { series_id: growthId })
    expect(facts.seriess[0]).toMatchObject({
      id: growthId,
      title: 'Growth of gross domestic product at constant prices, year over year, Germany',
      units_short: '%',
    })
    const { status, message } = await refusal(served, 'series', { series_id: growth.id })
    expect(status).toBe(400)
    expect(message).toContain(`Name one of them: ${growthId}, ${growth.id}:quarter_over_quarter`)
  })

  it('of a past day has the span that it had then', async () => {
    const query = { series_id: index.id, realtime_start: '2025-11-01', realtime_end: '2025-11-30' }
    const facts = await json<{ seriess: object[] }>(served, 'series', query)
    expect(facts.seriess[0]).toMatchObject({
      realtime_end: '2025-11-30',
      observation_start: '2025-09-01',
      observation_end: '2025-10-01',
      last_updated: '2025-11-10 00:00:00+00',
    })
    const before = await refusal(served, 'series', { series_id: index.id, realtime_end: '2025-10-09' })
    expect(before).toMatchObject({ status: 404, message: expect.stringMatching(/did not exist by 2025-10-09/) })
  })

  it('that does not exist is 404, with the id that was probably meant', async () => {
    const { status, message } = await refusal(served, 'series', { series_id: index.id.replace('DEU.cpi', 'DEU.cpl') })
    expect(status).toBe(404)
    expect(message).toContain(`does not exist. Did you mean ${index.id}?`)
    // Exports of a country whose totals are not public.
    const hidden = testSeries({ country: 'CHN', indicator: 'trade-exports', unit: 'CNY' })
    expect(await refusal(served, 'series', { series_id: hidden.id })).toMatchObject({ status: 404 })
  })
})

describe('XML', () => {
  it('escapes the texts of attributes', async () => {
    const { lines } = await xml('/fred/series', { series_id: awkward.id })
    expect(lines[2]).toContain('id="FRA.unemployment.M.TEST.A+B &amp; &lt;&quot;C&quot;&gt;.percent.NSA"')
    expect(lines[2]).toContain('Publisher: Tom &amp; Jerry&#10;&lt;b&gt;. Terms: \ufffd&quot;none&quot;.')
  })

  it('is also the form of errors, with what was asked', async () => {
    const { lines, type, statusCode } = await xml('/fred/series', { series_id: '<&">' })
    expect([statusCode, type]).toEqual([404, 'text/xml; charset=utf-8'])
    expect(lines[1]).toMatch(
      /^<error code="404" message="The series &quot;&lt;&amp;\\&quot;&gt;&quot; does not exist\./,
    )
  })

  it('is compressed and revalidated as other answers', async () => {
    const path = `/fred/series/observations?series_id=${index.id}`
    const plain = await served.app.inject({ url: path, headers: bearer() })
    const { etag } = plain.headers
    const headers = { ...bearer(), 'if-none-match': String(etag) }
    expect((await served.app.inject({ url: path, headers })).statusCode).toBe(304)
    const long = await served.app.inject({
      url: '/fred/series/search?search_text=t1',
      headers: { ...bearer(), 'accept-encoding': 'gzip' },
    })
    expect(long.headers['content-encoding']).toBe('gzip')
  })
})

describe('vintage dates', () => {
  const ask = (query: Readonly<Record<string, string>>) =>
    json<{ vintage_dates: string[]; count: number }>(served, 'series/vintagedates', { series_id: index.id, ...query })

  it('are the days of every release, revision and withdrawal', async () => {
    const dates = ['2025-10-10', '2025-11-10', '2025-12-05', '2025-12-10', '2026-01-15']
    expect(await ask({})).toEqual({
      realtime_start: '1776-07-04',
      realtime_end: '9999-12-31',
      order_by: 'vintage_date',
      sort_order: 'asc',
      count: 5,
      offset: 0,
      limit: 100_000,
      vintage_dates: dates,
    })
    expect((await ask({ sort_order: 'desc', limit: '2', offset: '1' })).vintage_dates).toEqual(
      dates.slice(2, 4).reverse(),
    )
    const within = await ask({ realtime_start: '2025-11-10', realtime_end: '2025-12-09' })
    expect(within.vintage_dates).toEqual(dates.slice(1, 3))
    const { lines } = await xml('/fred/series/vintagedates', { series_id: index.id })
    expect(lines[2]).toBe('<vintage_date>2025-10-10</vintage_date>')
  })
})

describe('a search', () => {
  const find = async (query: Readonly<Record<string, string>>) =>
    (await json<{ seriess: { id: string }[]; count: number }>(served, 'series/search', query)).seriess.map(
      ({ id }) => id,
    )

  it('finds the series with all words, in any case, those with them in the title first', async () => {
    expect(await find({ search_text: 'CONSUMER germany' })).toEqual([index.id])
    const figures = ['quarter_over_quarter', 'year_over_year'].map((figure) => `${growth.id}:${figure}`)
    expect(await find({ search_text: 'growth germany' })).toEqual(figures)
    expect(await find({ search_text: 'growth atlantis' })).toEqual([])
    // In the other titles it is only a part of "prices".
    const indicatorsFound = (await find({ search_text: 'price' })).map((id) => id.split('.')[1])
    expect(indicatorsFound.slice(0, 2)).toEqual(['cpi', 'cpi'])
    expect(indicatorsFound.slice(2)).toContain('gdp-growth')
  })

  it('is filtered, ordered and read in parts as asked', async () => {
    const quarterly = { filter_variable: 'frequency', filter_value: 'Quarterly', search_text: 'germany' }
    expect(await find(quarterly)).toEqual([growthId, `${growth.id}:quarter_over_quarter`].sort())
    const byId = { search_text: 'deu', search_type: 'series_id', order_by: 'series_id' }
    const ids = await find(byId)
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toContain(index.id)
    expect(await find({ ...byId, sort_order: 'desc', limit: '1', offset: '1' })).toEqual([ids.at(-2)])
  })

  it.each([
    [{}, /search_text is not set/],
    [{ search_text: 'x', order_by: 'name' }, /order_by is not valid/],
    [{ search_text: 'x', filter_variable: 'frequency' }, /filter_value is not set/],
    [{ search_text: 'x', filter_variable: 'id', filter_value: 'x' }, /Use frequency, units, seasonal_adjustment/],
    [{ search_text: 'x', tag_names: 'usa' }, /Unknown variable "tag_names"/],
  ])('with %j is refused', async (query, message) => {
    const { status, message: said } = await refusal(served, 'series/search', query)
    expect(status).toBe(400)
    expect(said).toMatch(message)
  })
})

describe('fredgraph.csv', () => {
  const csv = async (query: Readonly<Record<string, string>>, path = '/graph/fredgraph.csv') => {
    const { body, headers, statusCode } = await get(served, path, query)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    return body.split('\r\n')
  }

  it('has the values of today or of a day, at both addresses', async () => {
    const today = [`observation_date,${index.id}`, '2025-09-01,100.4', '2025-10-01,101.5', '2025-11-01,102', '']
    expect(await csv({ id: index.id })).toEqual(today)
    expect(await csv({ id: index.id }, '/fred/graph/fredgraph.csv')).toEqual(today)
    expect((await csv({ id: index.id, vintage_date: '2025-12-06' })).slice(1)).toEqual([
      '2025-09-01,100.4',
      '2025-10-01,.',
      '',
    ])
    expect((await csv({ id: index.id, cosd: '2025-10-01', coed: '2025-10-31' })).slice(1)).toEqual([
      '2025-10-01,101.5',
      '',
    ])
  })

  it('has a column for each of several series of one frequency', async () => {
    const both = await csv({ id: `${index.id},USA.unemployment.M.TEST.T1.percent.NSA` })
    expect(both.slice(0, 3)).toEqual([
      `observation_date,${index.id},USA.unemployment.M.TEST.T1.percent.NSA`,
      '2025-09-01,100.4,.',
      '2025-10-01,101.5,4.6',
    ])
    const mixed = await get(served, '/graph/fredgraph.csv', { id: `${index.id},${growthId}` })
    expect([mixed.statusCode, mixed.body]).toEqual([400, expect.stringContaining('different frequencies')])
    const many = await get(served, '/graph/fredgraph.csv', { id: [...'abcdefghijk'].join(',') })
    expect([many.statusCode, many.body]).toEqual([400, expect.stringContaining('11 series')])
  })
})

describe('every address', () => {
  it('takes ids and parameters as clients write them, without encoding', async () => {
    const plus = testSeries({ country: 'FRA', dataset: 'A1+A2', indicator: 'trade', unit: 'EUR' })
    served.releases.accept(plus, '2025-09', { exports: '3', imports: '2', balance: '1' })
    const url = `/fred/series?series_id=${plus.id}:balance&&api_key=K&file_type=json`
    const answer = await served.app.inject({ url, headers: bearer() })
    expect(answer.json().seriess[0].id).toBe(`${plus.id}:balance`)
    const twice = await served.app.inject({ url: `${url}&series_id=x`, headers: bearer() })
    expect(twice.json()).toEqual({
      error_code: 400,
      error_message: 'The variable series_id is given twice. Give it once.',
    })
  })

  it('is one call of the quota, whether it finds something or not; what is refused or fails is none', async () => {
    const own = await worldWithVintages()
    const used = async (series_id: string) => {
      const before = own.quota.used
      const { statusCode, headers } = await get(own, '/fred/series/observations', { series_id })
      expect(headers.ratelimit).toBeDefined()
      return [statusCode, own.quota.used - before]
    }
    expect(await used(index.id)).toEqual([200, 1])
    expect(await used('none')).toEqual([404, 1])
    expect(await used('')).toEqual([400, 0])
    own.quota.limit = own.quota.used
    expect(await used(index.id)).toEqual([429, 0])
    own.quota.limit = Number.POSITIVE_INFINITY
    own.ready = 'loading'
    expect(await used(index.id)).toEqual([503, 0])
    own.ready = true
    own.perMinute = 0
    expect(await used(index.id)).toEqual([429, 0])
  })

  it('asks for a key, and says in the form of FRED what is not served', async () => {
    const keyless = await get(served, '/fred/series', { series_id: index.id }, { headers: {} })
    expect(keyless.statusCode).toBe(401)
    expect(keyless.body).toContain('<error code="401" message="There is no Authorization header."/>')
    const unknown = await get(served, '/fred/category/series', { category_id: '1', file_type: 'json' })
    expect(unknown.json()).toEqual({ error_code: 404, error_message: 'Nothing is served at /fred/category/series.' })
    const asOf = await get(served, '/asof/2025-11-01/fred/nothing', {})
    expect(asOf.body).toContain('<error code="404"')
    const post = await get(served, '/fred/series', {}, { method: 'POST' })
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(post.body).toContain('<error code="405"')
  })
})
