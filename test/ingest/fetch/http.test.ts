import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AskLater, get } from '../../../ingest/fetch/http.ts'
import { type Exchange, serve } from '../../support/http-server.ts'

const answer =
  (status: number, headers: Record<string, string>, body = ''): Exchange =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

describe('a document is got', () => {
  it('with who asks, what is accepted, and the day on which it was modified', async () => {
    const { address } = await serve(({ headers }, response) => {
      response.setHeader('Last-Modified', 'Thu, 29 Feb 2024 23:59:59 GMT')
      response.end(JSON.stringify([headers['user-agent'], headers.accept, headers['x-key']]))
    })
    const { bytes, ...rest } = await get(new URL(address), {
      userAgent: 'Test/1',
      accept: 'text/csv',
      headers: { 'X-Key': 'k' },
    })
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(['Test/1', 'text/csv', 'k'])
    const marks = { address: `${address}/`, lastModified: 'Thu, 29 Feb 2024 23:59:59 GMT' }
    expect(rest).toEqual({ url: `${address}/`, lastModified: '2024-02-29', marks })
  })

  it('by its own name unless another is given', async () => {
    const { address } = await serve(({ headers }, response) => response.end(headers['user-agent']))
    expect(Buffer.from((await get(new URL(address))).bytes).toString()).toMatch(/^Almanac \(/)
  })

  it('from where it has moved, but its key is sent to nobody else', async () => {
    const other = await serve(({ headers, url }, response) => response.end(`${url} ${headers['x-key']}`))
    const { address } = await serve(({ url }, response) => {
      if (url === '/old') response.writeHead(301, { Location: '/new' }).end()
      else response.writeHead(302, { Location: `${other.address}/there` }).end()
    })
    const { bytes, url } = await get(new URL('/old', address), { headers: { 'X-Key': 'k' }, reach: () => 'any' })
    expect(Buffer.from(bytes).toString()).toBe('/there undefined')
    expect(url).toBe(`${other.address}/there`)
  })

  it('unpacked', async () => {
    const { address } = await serve((_, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync('text')),
    )
    expect(Buffer.from((await get(new URL(address))).bytes).toString()).toBe('text')
  })
})

it('an answer that repeats the key of the request has none of it', async () => {
  const { address } = await serve(({ url, headers }, response) => {
    response.write(Buffer.from([0xff, 0x00]))
    response.end(`${url} ${headers['x-key']} sesam e`)
  })
  const request = { headers: { 'X-Key': 'sesame' }, secrets: ['sesame', ''] }
  const { bytes } = await get(new URL('/?api_key=sesame&code=sesam', address), request)
  expect(Buffer.from(bytes).toString('latin1')).toBe('\xff\x00/?api_key=***&code=sesam *** sesam e')
})

it('an answer with a key that was in its address, or in that of its redirect, has neither', async () => {
  const { address } = await serve(({ url }, response) => {
    if (url?.startsWith('/old')) response.writeHead(302, { Location: '/new?X-Amz-Signature=abc123456' }).end()
    else response.end(`${url} sesame9`)
  })
  const { bytes, url } = await get(new URL('/old?token=sesame9', address))
  expect(Buffer.from(bytes).toString()).toBe('/new?X-Amz-Signature=*** ***')
  expect(url).toBe(`${address}/new?X-Amz-Signature=***`)
})

it('an answer that has not changed is known as that also where it names a place', async () => {
  const { address } = await serve(answer(304, { Location: '/elsewhere' }))
  const known = () => ({ etag: '"1"' })
  expect(await get(new URL(address), { known })).toMatchObject({ isUnchanged: true })
})

describe('a publisher that says when to come back', () => {
  const error = async (status: number, header: string) => {
    const { address } = await serve(answer(status, { 'Retry-After': header }))
    return get(new URL(address)).then(
      () => expect.fail('it was got'),
      (thrown: unknown) => thrown,
    )
  }

  it.each([429, 503])('with a %s is heard', async (status) => {
    const from = Date.now()
    const later = await error(status, '3600')
    expect(later).toMatchObject({ reason: `http_${status}`, message: expect.stringContaining('Retry after: 3600.') })
    expect((later as AskLater).notBefore - 3_600_000).toBeGreaterThanOrEqual(from)
    expect((later as AskLater).notBefore - 3_600_000).toBeLessThanOrEqual(Date.now())
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000)
    expect(await error(status, date.toUTCString())).toMatchObject({ notBefore: date.getTime() })
    expect(await error(status, 'soon')).not.toBeInstanceOf(AskLater)
  })

  it('isn’t where it answers otherwise', async () => {
    expect(await error(404, '3600')).not.toBeInstanceOf(AskLater)
    expect(await error(500, '3600')).not.toBeInstanceOf(AskLater)
  })
})

describe('a document that can’t be had is an error that says why', () => {
  const cases: [string, Exchange, string, RegExp][] = [
    ['not found', answer(404, {}, 'no such series'), 'http_404', /answered 404: no such series\./],
    ['a fault', answer(500, {}), 'http_500', /answered 500: nothing\./],
    [
      'too many requests',
      answer(429, { 'Retry-After': '30' }, 'slow down'),
      'http_429',
      /slow down\. Retry after: 30\./,
    ],
    ['nothing new', answer(204, {}), 'http_204', /answered 204/],
    ['a redirect to nowhere', answer(302, {}), 'http_302', /answered 302/],
    ['a redirect to a file', answer(302, { Location: 'file:///etc/hosts' }), 'bad_redirect', /redirects to "file:/],
    ['a redirect to itself', answer(302, { Location: '/' }), 'too_many_redirects', /more than 5 times/],
    [
      'too large, as it says',
      (_, r) => r.setHeader('Content-Length', 2000).end('x'.repeat(2000)),
      'too_large',
      /more than 1000 bytes/,
    ],
    [
      'too large, as it turns out',
      (_, r) => {
        r.write('x'.repeat(600))
        r.end('x'.repeat(600))
      },
      'too_large',
      /more than 1000 bytes/,
    ],
    [
      'a bomb',
      (_, r) => r.setHeader('Content-Encoding', 'gzip').end(gzipSync('x'.repeat(100_000))),
      'too_large',
      /more than 1000 bytes/,
    ],
    [
      'shorter than it says',
      (_, r) => {
        r.setHeader('Content-Length', 100).write('x')
        setImmediate(() => r.destroy())
      },
      'truncated',
      /broke off its answer/,
    ],
    [
      'broken off between chunks',
      (_, r) => {
        r.write('x')
        setImmediate(() => r.destroy())
      },
      'truncated',
      /broke off its answer/,
    ],
    [
      'broken off before it began',
      (_, r) => {
        r.destroy()
      },
      'unreachable',
      /could not be reached/,
    ],
    [
      'another protocol, though nobody asked for one',
      ({ socket }) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'unreachable',
      /closed without an answer/,
    ],
    ['never answered', () => {}, 'timed_out', /within 300 ms/],
    [
      'never finished',
      (_, r) => {
        r.write('x')
      },
      'timed_out',
      /within 300 ms/,
    ],
  ]
  it.each(cases)('%s', async (_, exchange, reason, message) => {
    const { address } = await serve(exchange)
    const got = get(new URL(address), { maxBytes: 1000, timeoutMs: 300 })
    await expect(got).rejects.toMatchObject({ name: 'DocumentError', reason, message: expect.stringMatching(message) })
  })

  it('nobody there', async () => {
    await expect(get(new URL('http://127.0.0.1:1/'))).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('without the key that was in its address', async () => {
    const { address } = await serve(({ url }, response) => response.writeHead(400).end(`bad request: ${url}`))
    const got = get(new URL('/?api_key=sesame', address), { secrets: ['sesame', ''] })
    await expect(got).rejects.toMatchObject({ reason: 'http_400', message: expect.not.stringContaining('sesame') })
  })

  it.each([
    ['a password', 'reader:se%73ame9@', ''],
    ['a user name that no client can read', 'sesame9%zz@', ''],
    ['a parameter for a key', '', '?series=A&token=sesame9'],
  ])('without %s in its address, which nobody named', async (_, login, query) => {
    const { address } = await serve(({ url, headers }, response) =>
      response.writeHead(400).end(`bad request: ${url} ${headers.authorization} sesame9`),
    )
    const url = new URL(`/y${query}`, address.replace('//', `//${login}`))
    await expect(get(url)).rejects.toThrow(/^http:\/\/(?!.*(?:sesame9|se%73ame9|c2VzYW1lOQ))/)
  })

  it('without the beginning of a key where the text of the answer is cut', async () => {
    const { address } = await serve((_, response) => response.writeHead(400).end(`${'x'.repeat(1_996)}sesame`))
    const got = get(new URL(address), { secrets: ['sesame'] })
    await expect(got).rejects.toMatchObject({ message: expect.stringMatching(/x\*\*\*\.$/) })
  })

  it.each(['a+b c', 'sesame\n', 'ключ'])('without the key %j, however it is written there', async (key) => {
    const { address } = await serve(({ url }, response) => response.writeHead(400).end(`bad request: ${url} ${key}`))
    const url = new URL(address)
    url.search = new URLSearchParams({ api_key: key }).toString()
    await expect(get(url, { secrets: [key] })).rejects.toThrow(
      /api_key=\*\*\* answered 400: bad request: \S+=\*\*\* \*\*\*/,
    )
    url.search = `api_key=${encodeURIComponent(key)}`
    await expect(get(url, { secrets: [key] })).rejects.toThrow(/api_key=\*\*\* answered 400/)
  })
})

it('a request that is called off ends with the reason it was called off for', async () => {
  const reason = new Error('shutting down')
  const controller = new AbortController()
  const { address } = await serve(() => controller.abort(reason))
  await expect(get(new URL(address), { signal: controller.signal })).rejects.toBe(reason)
})
