import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trustedProxies } from '../../access/proxies.ts'
import type { Embed } from '../../api/embed/embed.ts'
import { testSeries } from '../support/releases.ts'
import { type World, world } from './support.ts'

const open: Embed = {
  figures: ['DEU.cpi', 'USA.inflation.month_over_month', 'FRA.cpi', 'NLD.cpi'],
  ancestors: ['https://news.example.com'],
  proxies: trustedProxies([]),
}

describe('a plot in a page of others', () => {
  let served: World
  beforeAll(async () => {
    served = await world({ embed: open })
    const cpi = testSeries({ country: 'DEU' })
    served.releases.accept(cpi, '2024-12', { value: '121.0' }, '2025-04-15T09:00:00.000Z')
    served.releases.accept(cpi, '2025-01', { value: '120.3' }, '2025-04-15T09:00:00.000Z')
    served.releases.accept(cpi, '2025-01', { value: '125.0' }, '2025-05-15T09:00:00.000Z')
  })
  // A minute later each time, so that no test uses up the calls of another.
  let minute = 0
  beforeEach(() => {
    served.now = new Date(Date.UTC(2026, 10, 21, 12, minute++)).toISOString()
  })
  const get = (path: string, headers = {}) => served.app.inject({ url: `/embed/${path}`, headers })

  it('is a sheet without a program, which the named pages alone may frame', async () => {
    const { statusCode, headers, body } = await get('DEU.cpi')
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1>Consumer price index: Germany</h1>')
    expect(body).toMatch(/<svg [^>]*role="img"/)
    expect(body).not.toContain('<script')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('frame-ancestors https://news.example.com')
    expect(policy).not.toContain('script-src')
    expect(headers['cache-control']).toBe('public, max-age=300')
    const again = await get('DEU.cpi', { 'if-none-match': headers.etag })
    expect(again.statusCode).toBe(304)
    expect(body).toContain('>Dec 2024</text>')
    expect(body).toContain('<p>As known now: DEU 125.0, Jan 2025.</p>')
    // The place that shows more, which needs a key.
    expect(body).toContain('href="/?view=compare&amp;series=DEU.cpi"')
  })

  it('marks where another series goes on, and says so', async () => {
    const bis = testSeries({ country: 'NLD', source: 'BIS' })
    const own = testSeries({ country: 'NLD', source: 'CBS' })
    served.releases.accept(bis, '2024-12', { value: '121.0' }, '2025-04-15T09:00:00.000Z')
    served.releases.accept(own, '2025-01', { value: '121.5' }, '2025-04-15T09:00:00.000Z')
    const { body } = await get('NLD.cpi')
    expect(body).toContain('Dotted: another series from Jan 2025 (CBS) on.')
    expect(body).toMatch(/stroke-dasharray="2 4"[^>]*><text [^>]*>CBS</)
  })

  it('costs nobody a call', async () => {
    const before = served.quota.used
    await get('DEU.cpi')
    expect(served.quota.used).toBe(before)
  })

  it('draws figures as they were known on a day, and names that day', async () => {
    const [now, then] = await Promise.all([get('DEU.cpi'), get('DEU.cpi?as_of=2025-05-14')])
    expect(now.body).toContain('As known now: DEU 125.0, Jan 2025.')
    expect(then.body).toContain('As known on 14 May 2025: DEU 120.3, Jan 2025.')
    const drawing = (body: string) => /<svg[\s\S]*?<\/svg>/.exec(body)?.[0]
    expect(drawing(then.body)).not.toBe(drawing(now.body))
  })

  it('draws a figure that is open beside another, and an index of both', async () => {
    const { statusCode, body } = await get('DEU.cpi,FRA.cpi?units=index&base=2024-12')
    expect({ statusCode, body: body.includes('FRA.cpi is not on record') }).toEqual({ statusCode: 404, body: true })
    const index = await get('DEU.cpi?units=index&base=2024-12')
    expect(index.body).toContain('index, Dec 2024 = 100')
    // From a base before what is drawn.
    const since = await get('DEU.cpi?units=index&base=2024-12&start=2025-01')
    expect(since.body).toContain('As known now: DEU 103.306, Jan 2025.')
  })

  it.each([
    ['USA.cpi', 404, 'USA.cpi may not be embedded'],
    ['DEU.cpi,USA.inflation', 404, 'USA.inflation.year_over_year may not be embedded'],
    ['DEU.cpi?as_of=yesterday', 400, 'as_of'],
    ['DEU.cpi?as_of=2099-01-01', 400, '2099-01-01'],
    ['DEU.cpi?unit=pc1', 400, 'unit'],
    ['DEU.cpi?start=2025-01&end=2024-12', 400, 'is after end'],
    ['DEU.cpi?base=2024-12', 400, 'base: it is for units=index'],
    ['DEU.cpi?method=avg', 400, 'method: it makes the periods of frequency'],
    [
      'DEU.cpi?units=index&base=2019',
      404,
      'Germany: Consumer price index: it has no figure above zero for all of 2019',
    ],
    ['DEU.cpi.value.more', 404, 'DEU.cpi.value.more may not be embedded'],
    [',', 404, 'Name a figure'],
    ['%3Cscript%3E', 404, '&lt;script&gt;'],
  ])('says on a page why it does not draw %s', async (path, status, said) => {
    const { statusCode, headers, body } = await get(path)
    expect(statusCode).toBe(status)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain('frame-ancestors https://news.example.com')
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain(said)
    expect(body).not.toContain('<script')
    // No figure of a closed series is read.
    expect(body).not.toContain('<svg')
  })

  it('waits for the start of the service', async () => {
    served.ready = 'the journal is read'
    const { statusCode, headers, body } = await get('DEU.cpi')
    served.ready = true
    expect({ statusCode, retry: headers['retry-after'] }).toEqual({ statusCode: 503, retry: '5' })
    expect(body).toContain('the journal is read')
  })

  it('has a limit for each address, which a client cannot avoid by naming another', async () => {
    for (let i = 0; i < 60; i++)
      expect((await get('USA.cpi', { 'x-forwarded-for': `203.0.113.${i}` })).statusCode).toBe(404)
    const { statusCode, headers, body } = await get('DEU.cpi')
    expect({ statusCode, retry: headers['retry-after'] }).toEqual({ statusCode: 429, retry: '1' })
    expect(body).toContain('60 plots a minute')
  })

  it('counts the clients behind a trusted proxy apart', async () => {
    const behind = await world({ embed: { ...open, proxies: trustedProxies(['127.0.0.1']) } })
    for (let i = 0; i < 61; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` }
      expect((await behind.app.inject({ url: '/embed/USA.cpi', headers })).statusCode).toBe(404)
    }
  })

  it('is not served unless figures are open', async () => {
    const closed = await world()
    const { statusCode, body } = await closed.app.inject('/embed/DEU.cpi')
    expect({ statusCode, code: JSON.parse(body).code }).toEqual({ statusCode: 404, code: 'route_not_found' })
  })
})
