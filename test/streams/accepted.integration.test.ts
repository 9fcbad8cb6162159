import { describe, expect, it } from 'vitest'
import { ConnectionTable } from '../../access/connection-table.ts'
import { trustedProxies } from '../../access/proxies.ts'
import { LINGER_MS } from '../../streams/connection.ts'
import { distinguishTests, onTestFinished } from '../support/concurrent.ts'
import { until } from '../support/journal.ts'
import { closeFrame, handshake, RawSocket } from '../support/raw-socket.ts'
import { path, startStubServer } from './stub-server.ts'

// At once, because uWebSockets.js closes only after 10 s what sends no request.
distinguishTests()

const key = { Authorization: 'Bearer TEST' }

describe.concurrent('what is no WebSocket handshake', () => {
  it.each([
    ['two Host headers', handshake(path, { Host: ['a.test', 'b.test'] }), '400', 'Host'],
    ['two Host headers elsewhere', handshake('/', { Host: ['a.test', 'b.test'] }), '400', 'Host'],
    ['no Connection: Upgrade', handshake(path, { Connection: 'keep-alive' }), '400', 'Connection: Upgrade'],
    ['no Connection', handshake(path, { Connection: null }), '400', 'Connection: Upgrade'],
    ['no Upgrade', handshake(path, { Upgrade: null }), '426', 'WebSocket only'],
    ['version 8', handshake(path, { 'Sec-WebSocket-Version': '8' }), '426', 'it must be 13'],
    ['no version', handshake(path, { 'Sec-WebSocket-Version': null }), '426', 'it must be 13'],
    ['two versions', handshake(path, { 'Sec-WebSocket-Version': ['13', '8'] }), '426', 'it must be 13'],
    ['no key', handshake(path, { 'Sec-WebSocket-Key': null }), '400', 'Sec-WebSocket-Key'],
    ['a key of 24 other bytes', handshake(path, { 'Sec-WebSocket-Key': '!'.repeat(24) }), '400', 'Sec-WebSocket-Key'],
    ['a plain GET', `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`, '426', 'WebSocket only'],
    ['a POST', handshake(path, {}, `POST ${path} HTTP/1.1`), '426', 'GET'],
    ['two keys', handshake(path, { Authorization: ['Bearer TEST', 'Bearer x'] }), '400', 'one Authorization header'],
    [
      'two origins',
      handshake(path, { ...key, Origin: ['http://a.test', 'http://b.test'] }),
      '400',
      'one Origin header',
    ],
    ['two tickets', handshake(`${path}?ticket=a&ticket=b`), '400', 'Query parameter ticket is given more than once'],
    ['a ticket twice in other letters', handshake(`${path}?ticket=a&%74icket=a`), '400', 'given more than once'],
  ])('%s is refused with a problem, and the connection closed', async (_, request, status, detail) => {
    const { port } = await startStubServer()
    const raw = await new RawSocket(port).write(request).ended()
    expect(raw.statusLine).toContain(` ${status} `)
    expect(raw.body).toMatchObject({ status: Number(status), detail: expect.stringContaining(detail) })
    const isUpgrade = status === '426'
    expect(/^sec-websocket-version: 13\r$/im.test(raw.received)).toBe(isUpgrade)
    expect(/^content-type: application\/problem\+json\r$/im.test(raw.received)).toBe(true)
  })

  it.each([
    ['HTTP/1.0', handshake(path, {}, `GET ${path} HTTP/1.0`)],
    ['HTTP/0.9 by name', handshake(path, {}, `GET ${path} HTTP/0.9`)],
    ['the begin of TLS', Buffer.from('16030100f1010000ed0303', 'hex').toString('latin1')],
    ['garbage', 'not http at all\r\n\r\n'],
  ])('%s gets no stream', async (_, bytes) => {
    const { port } = await startStubServer()
    const raw = await new RawSocket(port).write(Buffer.from(bytes, 'latin1')).ended()
    expect(raw.received).not.toContain('101 Switching')
  })

  it('takes tokens in any case, among others', async () => {
    const { port } = await startStubServer()
    const change = { ...key, Upgrade: 'WebSocket', Connection: 'keep-alive, UPGRADE' }
    await new RawSocket(port).write(handshake(path, change)).seen('"ready"')
  })
})

describe.concurrent('an unknown query parameter', () => {
  it.each(['?key=x', '?__proto__=x', '?utm=a&utm=b', '?%', '?='])('is ignored: %s', async (query) => {
    const { port } = await startStubServer()
    const raw = await new RawSocket(port).write(handshake(path + query, key)).seen('"ready"')
    expect(raw.statusLine).toContain(' 101 ')
  })

  it('is ignored beside a ticket, by the WebSocket of Node and browsers', async () => {
    const { url } = await startStubServer()
    const socket = new WebSocket(`${url}?ticket=t&page=1`)
    onTestFinished(() => socket.close())
    const first = await new Promise((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(data)
      socket.onerror = () => reject(new Error('the handshake failed'))
    })
    expect(first).toBe('{"type":"ready"}')
  })
})

describe.concurrent('a path that is no stream', () => {
  const detailOf = async (target: string, options = {}) => {
    const { port } = await startStubServer(options)
    const raw = await new RawSocket(port).write(handshake(target, key)).ended()
    expect(raw.statusLine).toContain(' 404 ')
    expect(raw.body).toMatchObject({ code: 'route_not_found', status: 404 })
    return (raw.body as { readonly detail: string }).detail
  }
  const addresses = { streamBase: 'wss://data.example.com', restBase: 'http://127.0.0.1:8080' }

  it.each([`${path}/`, '/v1/prediction/stream', '/predictions/stream', '/v1/prediction/stream?ticket=x'])(
    'is answered with the stream that was meant: %s',
    async (target) => {
      expect(await detailOf(target, addresses)).toBe(
        `No stream is served at ${target.split('?')[0]}. Did you mean wss://data.example.com${path}?`,
      )
    },
  )

  it('is answered with the addresses of the streams, and of REST where it is known', async () => {
    const streams = `No stream is served at /v1/economics/USA/cpi. Streams: wss://data.example.com${path}.`
    expect(await detailOf('/v1/economics/USA/cpi', addresses)).toBe(`${streams} REST: http://127.0.0.1:8080.`)
    expect(await detailOf('/v1/economics/USA/cpi', { ...addresses, restBase: undefined })).toBe(streams)
  })

  it('is cut if it is long', async () => {
    expect(await detailOf(`/${'a'.repeat(3_000)}`)).toMatch(/^No stream is served at \/a{199}\. Streams: ws:/)
  })
})

describe.concurrent('the sockets of the stream port', () => {
  const tableOf = (perAddress: number, proxies = trustedProxies([])) =>
    new ConnectionTable({ limits: { total: 1_000, perAddress }, isShared: proxies.has })

  it('are refused at their accept beyond what one address may have, and others are served', async () => {
    const connections = tableOf(3)
    const { port } = await startStubServer({ connections })
    const silent = Array.from({ length: 3 }, () => new RawSocket(port))
    await until('three are counted', () => connections.open === 3)
    const refused = await new RawSocket(port).ended()
    expect(refused.received).toBe('')
    const other = await new RawSocket(port, { from: '127.0.0.2' }).write(handshake(path, key)).seen('"ready"')
    silent[0]?.socket.destroy()
    await until('one has left', () => connections.open === 3)
    await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
    expect(other.isOver).toBe(false)
  })

  it('are counted until they are closed if they were no WebSocket', async () => {
    const connections = tableOf(100)
    const { port } = await startStubServer({ connections })
    const answered = new RawSocket(port).write(`GET / HTTP/1.1\r\nHost: a.test\r\n\r\n`)
    const garbage = new RawSocket(port).write('garbage\r\n\r\n')
    await Promise.all([answered.ended(), garbage.ended()])
    await until('both have left', () => connections.open === 0)
  })

  it('are counted until they are closed, however their WebSocket ends', async () => {
    const connections = tableOf(100)
    const { port } = await startStubServer({ connections })
    const lost = await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
    expect(connections.open).toBe(1)
    lost.socket.destroy()
    await until('it has left', () => connections.open === 0)

    const left = await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
    left.write(closeFrame)
    const refused = new RawSocket(port).write(handshake(path))
    const cut = new RawSocket(port)
    await Promise.all([left.ended(), refused.ended()])
    expect(connections.open).toBeGreaterThanOrEqual(2)
    cut.socket.destroy()
    const endedAt = performance.now()
    await until('all have left', () => connections.open === 0)
    expect(performance.now() - endedAt).toBeGreaterThan(LINGER_MS / 2)
  })

  it('cost a descriptor no longer than a place, though the client never closes its side', async () => {
    const { port } = await startStubServer()
    const raw = new RawSocket(port).write(handshake(path))
    await raw.seen('unauthorized')
    await raw.ended()
    const endedAt = performance.now()
    // Our side stays open until a byte meets a socket that the server has closed, which answers with a reset.
    const probing = setInterval(() => raw.isGone || raw.socket.write('x'), 100)
    await until('the server lets go', () => raw.isGone)
    clearInterval(probing)
    expect(performance.now() - endedAt).toBeLessThan(LINGER_MS + 2_000)
  })

  it('free one place each, however many requests they send at once', async () => {
    const connections = tableOf(100)
    const { port } = await startStubServer({ connections })
    const idle = Array.from({ length: 5 }, () => new RawSocket(port))
    await until('the idle ones are counted', () => connections.open === 5)
    const get = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n'
    const post = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc'
    for (const requests of [
      get.repeat(4),
      post + get,
      get + handshake(path, key),
      handshake(path, { Connection: null }) + get,
    ]) {
      await new RawSocket(port).write(requests).ended()
      await until('the others are still counted', () => connections.open === 5)
    }
    expect(idle.some(({ isOver }) => isOver)).toBe(false)
    for (const { socket } of idle) socket.destroy()
    await until('all have left', () => connections.open === 0)
  })

  it('no longer count for their address once a key has admitted them', async () => {
    const connections = tableOf(2)
    const { port } = await startStubServer({ connections })
    const admitted: RawSocket[] = []
    for (let n = 0; n < 5; n += 1) {
      admitted.push(await new RawSocket(port).write(handshake(path, key)).seen('"ready"'))
    }
    expect(connections.open).toBe(5)
    const silent = [new RawSocket(port), new RawSocket(port)]
    await until('two more are counted', () => connections.open === 7)
    expect((await new RawSocket(port).ended()).received).toBe('')
    for (const { socket } of [...admitted, ...silent]) socket.destroy()
    await until('all have left', () => connections.open === 0)
  })

  it('that send no request are closed', async () => {
    const { port } = await startStubServer()
    const silent = new RawSocket(port)
    const slow = new RawSocket(port).write(`GET ${path} HTTP/1.1\r\n`)
    const dripping = setInterval(() => slow.isOver || slow.write('X-Slow: 1\r\n'), 500)
    await Promise.all([silent.ended(), slow.ended()])
    clearInterval(dripping)
  })

  it('behind a trusted proxy count for the client that it names, and only there', async () => {
    const proxies = trustedProxies(['127.0.0.1'])
    const { port } = await startStubServer({ connections: tableOf(2, proxies), proxies })
    // Without a key: a connection that shows one no longer counts for its address.
    const from = (client: string, address?: string) =>
      new RawSocket(port, address ? { from: address } : {}).write(
        handshake(path, { 'X-Forwarded-For': `198.51.100.1, ${client}` }),
      )
    for (const client of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) await from(client).seen('unauthorized')
    const refused = await from('203.0.113.1').ended()
    expect(refused.statusLine).toContain(' 503 ')
    expect(refused.received).toMatch(/^retry-after: \d+\r$/im)
    // Not a proxy of ours: it counts as itself, whatever it says.
    for (const client of ['203.0.113.7', '203.0.113.8']) await from(client, '127.0.0.2').seen('unauthorized')
    const forged = await from('203.0.113.9', '127.0.0.2').ended()
    expect(forged.received).toBe('')
  })
})
