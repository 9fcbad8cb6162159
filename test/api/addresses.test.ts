import { describe, expect, it } from 'vitest'
import { bearer, world } from './support.ts'

const cpi = '/v1/economics/USA/cpi'

describe('a path whose letters are percent-encoded', () => {
  it('is the same path', async () => {
    const { app } = await world()
    const answers = await Promise.all(
      ['/v1/usage', '/%761/us%61ge'].map((url) => app.inject({ method: 'DELETE', url, headers: bearer() })),
    )
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.allow])).toEqual(
      Array(2).fill([405, 'GET, HEAD, OPTIONS']),
    )
    // A path with a route of its own is no event, however it is written.
    expect((await app.inject({ url: '/v1/events/stream%2Dticket', headers: bearer() })).statusCode).toBe(405)
  })
})

describe('a browser that opens an address', () => {
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const open = async (url: string, accept = html) => {
    const { app } = await world()
    return app.inject({ url, headers: { accept } })
  }

  it.each(['/nothing', '/docs/nothing', '/problems/nothing', '/%zz'])(
    'is shown a page where %s is not served',
    async (url) => {
      const { statusCode, headers, body } = await open(url)
      expect(statusCode).toBe(url === '/%zz' ? 400 : 404)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: expect.stringContaining('accept'),
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
      })
      expect(body).toContain(`<code>${headers['request-id']}</code>`)
      expect((await open(url, '*/*')).headers['content-type']).toContain('application/problem+json')
    },
  )

  it('gets the answer of the API at its addresses, as everyone does', async () => {
    const encoded = ['/%761/nothing', `/%761${cpi.slice(3)}`, '/none%2Ejson']
    for (const url of ['/v1', '/v1/nothing', cpi, '/mcp', '/health?no=1', '/none.json', ...encoded])
      expect((await open(url)).headers['content-type'], url).toContain('application/problem+json')
  })

  it('cannot be shown markup by an address', async () => {
    expect((await open("/nothing'&lt;b")).body).toContain('Nothing is served at /nothing&#39;&amp;lt;b.')
  })
})
