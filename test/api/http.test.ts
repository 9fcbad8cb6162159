import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { preferredType } from '../../api/accept.ts'
import { codingFor, compression } from '../../api/coding.ts'
import { matchesTag } from '../../api/conditional.ts'
import { queryTypes } from '../../api/query-types.ts'
import { operationById } from '../../contracts/operations.ts'
import { ask, bearer, listen, world } from './support.ts'

const cpi = '/v1/economics/USA/cpi'
const history = '/v1/economics/USA/trade/exports/observations'

describe('request ids', () => {
  it('are the client’s own where they can be echoed, else new and different', async () => {
    const { app } = await world()
    const idFor = async (given: string) =>
      (await ask(app, { url: cpi, headers: { ...bearer(), 'request-id': given } })).headers['request-id']
    expect(await idFor('trace_1234-abcd')).toBe('trace_1234-abcd')
    for (const bad of ['short', 'x'.repeat(65), 'has space in it', 'quo"ted-quoted']) {
      expect(await idFor(bad)).not.toBe(bad)
    }
    expect(await idFor('short')).not.toBe(await idFor('short'))
    const refused = await ask(app, { url: '/nowhere', headers: { 'request-id': 'trace_1234-abcd' } })
    expect(refused.problem.request_id).toBe('trace_1234-abcd')
    const unreadable = await ask(app, { url: '/%zz', headers: { 'request-id': 'trace_1234-abcd' } })
    expect(unreadable.problem.request_id).toBe('trace_1234-abcd')
  })
})

describe('methods', () => {
  it('HEAD answers as GET does, without the body', async () => {
    const { app } = await world()
    for (const url of [cpi, history, '/health', '/docs']) {
      const get = await ask(app, { url, headers: bearer() })
      const head = await ask(app, { url, method: 'HEAD', headers: bearer() })
      expect(head.statusCode).toBe(200)
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        expect(head.headers[name], `${url} ${name}`).toBe(get.headers[name])
      }
    }
    const refused = await ask(app, { url: `${cpi}?x=1`, method: 'HEAD', headers: bearer() })
    expect(refused.statusCode).toBe(400)
  })

  it('OPTIONS says which methods there are, to anyone', async () => {
    const { app } = await world()
    const options = async (url: string) => (await ask(app, { url, method: 'OPTIONS' })).headers.allow
    expect(await options(cpi)).toBe('GET, HEAD, OPTIONS')
    expect(await options('/mcp')).toBe('POST, OPTIONS')
    expect((await ask(app, { url: '/nowhere', method: 'OPTIONS' })).statusCode).toBe(404)
  })
})

describe('compression', () => {
  it('gives each coding of a body a tag of its own, and knows it again', async () => {
    const { app } = await world()
    const url = '/v1/events'
    const plain = await ask(app, url)
    const etag = String(plain.headers.etag)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    for (const [coding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const headers = { ...bearer(), 'accept-encoding': coding }
      const coded = await ask(app, { url, headers })
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(coded.headers.vary).toBe('accept-encoding')
      expect(decode(coded.rawPayload).toString()).toBe(plain.body)
      expect(coded.headers.etag).toBe(`${etag.slice(0, -1)}-${coding}"`)
      const known = { ...headers, 'if-none-match': String(coded.headers.etag) }
      const unchanged = await ask(app, { url, headers: known })
      expect(unchanged.statusCode).toBe(304)
      // A cache freshens what it holds by the 304's tag, and by that alone (RFC 9111, 4.3.4).
      for (const name of ['etag', 'vary', 'cache-control']) {
        expect(unchanged.headers[name], name).toBe(coded.headers[name])
      }
      expect(unchanged.headers).not.toHaveProperty('content-encoding')
      // Whoever holds another form only couldn't use that tag: it gets the body.
      const other = await ask(app, { url, headers: { ...headers, 'if-none-match': etag } })
      expect(other.statusCode).toBe(200)
      const any = await ask(app, { url, headers: { ...headers, 'if-none-match': `${etag}, W/${coded.headers.etag}` } })
      expect([any.statusCode, any.headers.etag]).toEqual([304, coded.headers.etag])
    }
    // Others are not offered, whatever the platform could do.
    const zstd = await ask(app, { url, headers: { ...bearer(), 'accept-encoding': 'zstd' } })
    expect(zstd.headers).not.toHaveProperty('content-encoding')
    expect(plain.headers.vary).toBe('accept-encoding')
  })

  it.each([cpi, '/v1/events', '/v1/events?limit=1', '/docs', '/openapi.json'])(
    'HEAD %s says what GET says',
    async (url) => {
      const { app } = await world()
      for (const coding of ['gzip', 'br', 'identity']) {
        const headers = { ...bearer(), 'accept-encoding': coding }
        const get = await ask(app, { url, headers })
        const head = await ask(app, { url, method: 'HEAD', headers })
        for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary', 'cache-control']) {
          expect(head.headers[name], `${coding} ${name}`).toBe(get.headers[name])
        }
        const known = { ...headers, 'if-none-match': String(get.headers.etag) }
        for (const method of ['GET', 'HEAD'] as const) {
          const unchanged = await ask(app, { url, method, headers: known })
          expect([unchanged.statusCode, unchanged.headers.etag]).toEqual([304, get.headers.etag])
          expect(unchanged.headers).not.toHaveProperty('content-length')
        }
      }
    },
  )

  it('tags a body as coded only where it is', async () => {
    const { app } = await world()
    // Less than 1 KiB; and a switch of the compressing plugin's that isn't ours.
    for (const [url, more, tag] of [
      ['/v1/events?limit=1&family=labour', {}, /^"[\w-]{22}"$/],
      ['/v1/events', { 'x-no-compression': '1' }, /-br"$/],
    ] as const) {
      const { headers } = await ask(app, { url, headers: { ...bearer(), 'accept-encoding': 'br', ...more } })
      expect(headers.etag).toMatch(tag)
      expect(headers['content-encoding'] === 'br').toBe(String(headers.etag).endsWith('-br"'))
    }
  })

  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=1, br;q=0.5', 'gzip'],
    ['br; q=0.5, gzip; q=0.5', 'br'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', undefined],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity', undefined],
    ['zstd, deflate', undefined],
    ['gzip;q=oops', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s', (header, coding) => expect(codingFor(header, compression.encodings)).toBe(coding))

  it('also of the pages and the description', async () => {
    const { app } = await world()
    for (const url of ['/docs', '/openapi.json', '/problems/invalid_query']) {
      const { headers } = await ask(app, { url, headers: { 'accept-encoding': 'gzip, br' } })
      expect(headers['content-encoding'], url).toBe('br')
    }
  })
})

describe('conditional requests', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    ['"a-br"', false],
    ['*', true],
    [' * ', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('%s', (header, expected) => expect(matchesTag(header, '"a"')).toBe(expected))
})

describe('Accept', () => {
  it.each([
    [undefined, true],
    ['', true],
    ['application/json', true],
    ['text/html, */*;q=0.1', true],
    ['application/*', true],
    ['APPLICATION/JSON; charset=utf-8', true],
    ['application/problem+json', false],
    ['text/html', false],
    ['*/*;q=0', false],
    ['application/json;q=0, */*', false],
    ['*/*, application/*;q=0', false],
    ['__proto__, text/html', false],
  ])('%s', (header, expected) => expect(preferredType(header, ['application/json']) !== undefined).toBe(expected))
})

describe('query strings', () => {
  it('get whole numbers and lists, and nothing else', () => {
    const types = queryTypes(operationById('events_list').query)
    const typed = (query: Record<string, unknown>) => {
      types?.(query)
      return query
    }
    expect(typed({ limit: '10', country: 'USA', cursor: '12' })).toEqual({ limit: 10, country: ['USA'], cursor: '12' })
    expect(typed({ limit: '-5' })).toEqual({ limit: -5 })
    for (const limit of ['007', '1.0', '1e1', ' 1', '0x1', '', '1'.repeat(30)])
      expect(typed({ limit })).toEqual({ limit })
    expect(typed({ country: ['USA', 'CAN'] })).toEqual({ country: ['USA', 'CAN'] })
    expect(queryTypes(operationById('economics_get_cpi').query)).toBeUndefined()
  })
})

describe('other origins', () => {
  const origin = 'https://app.example.com'

  const preflight = { 'access-control-request-headers': 'authorization' }

  it('may read with a key in a header, and what needs none, but never with what a browser keeps', async () => {
    const { app } = await world({ corsOrigins: [origin] })
    const urls = [
      '/health',
      '/openapi.json',
      '/docs',
      '/problems',
      cpi,
      '/v1/events',
      '/v1/usage',
      '/asof/2025-12-01/v1/catalog',
    ]
    for (const url of urls)
      for (const from of [origin, 'https://other.example', 'null']) {
        const { headers } = await ask(app, { url, headers: { ...bearer(), origin: from } })
        expect(headers, url).toMatchObject({ 'access-control-allow-origin': '*' })
        expect(headers, url).not.toHaveProperty('access-control-allow-credentials')
        expect(headers['access-control-expose-headers'], url).toContain('RateLimit')
      }
    // A refusal can be read as well: without its problem a page would only know that something failed.
    const refused = await ask(app, { url: cpi, headers: { origin } })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*'])
  })

  it('may send the key of a read, after a preflight that allows nothing else', async () => {
    const { app } = await world()
    for (const method of ['GET', 'HEAD']) {
      const asked = { origin, 'access-control-request-method': method, ...preflight }
      const { headers, statusCode } = await ask(app, { url: cpi, method: 'OPTIONS', headers: asked })
      expect(statusCode).toBe(204)
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD' })
      expect(headers['access-control-allow-headers']).toContain('Authorization')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  it('may not read where the key stands in the address', async () => {
    const { app } = await world()
    for (const url of [`${cpi}?api_key=x`, `${cpi}?period=2025-10&api%5Fkey=`]) {
      const { headers } = await ask(app, { url, headers: { ...bearer(), origin } })
      expect(headers, url).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('may call MCP and request tickets only where they are configured', async () => {
    const { app } = await world({ corsOrigins: [origin] })
    const closed = await world()
    for (const url of ['/mcp', '/v1/events/stream-ticket']) {
      const asked = { 'access-control-request-method': 'POST', ...preflight }
      const from = (served: typeof app, origin: string) =>
        ask(served, { url, method: 'OPTIONS', headers: { ...asked, origin } })
      const { headers } = await from(app, origin)
      expect(headers, url).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' })
      expect(headers['access-control-allow-methods'], url).toContain('POST')
      expect(headers['access-control-allow-headers'], url).toContain('Authorization')
      for (const other of [await from(app, 'https://other.example'), await from(closed.app, origin)])
        expect(other.headers, url).not.toHaveProperty('access-control-allow-origin')
      const read = { ...asked, origin, 'access-control-request-method': 'GET' }
      const ofARead = await ask(closed.app, { url, method: 'OPTIONS', headers: read })
      expect(ofARead.headers['access-control-allow-methods'], url).toBe('GET, HEAD')
    }
  })
})

describe('over a socket', () => {
  const say = (port: number, bytes: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })

  it('answers what is no HTTP with a problem, and closes', async () => {
    const { app } = await world()
    const port = await listen(app)
    for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const answer = await say(port, bytes)
      expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
      expect(answer).toContain('Content-Type: application/problem+json')
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 400, code: 'invalid_query' })
    }
  })

  it('takes no notice of an expectation it does not know', async () => {
    const { app } = await world()
    const answer = await say(
      await listen(app),
      'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: tea\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it('finishes what is under way when it closes', async () => {
    const { deps } = await world()
    const { promise: reading, resolve: read } = Promise.withResolvers<void>()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const slow = await world({
      history: {
        ...deps.history,
        watermark: async () => {
          read()
          await gate
          return deps.history.watermark()
        },
      },
    })
    const port = await listen(slow.app)
    const answer = fetch(`http://127.0.0.1:${port}${history}`, { headers: bearer() })
    await reading
    const closed = slow.app.close()
    open()
    expect((await answer).status).toBe(200)
    await closed
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
  })
})
