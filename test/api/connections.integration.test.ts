import { describe, expect, it } from 'vitest'
import { ConnectionTable } from '../../access/connection-table.ts'
import { httpDeadlines } from '../../api/connections.ts'
import { distinguishTests } from '../support/concurrent.ts'
import { until } from '../support/journal.ts'
import { handshake, RawSocket } from '../support/raw-socket.ts'
import { listen, world } from './support.ts'

const get = (...headers: string[]) => `${['GET /health HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n`

describe('a request that is no HTTP message as it should be', () => {
  it.each([
    ['two Host headers', get('Host: a.test', 'Host: b.test'), '400', 'one Host header'],
    [
      'two Authorization headers',
      get('Host: a.test', 'Authorization: Bearer a', 'authorization: Bearer b'),
      '400',
      'one Authorization header',
    ],
    [
      'two Origin headers',
      get('Host: a.test', 'Origin: http://a.test', 'Origin: http://b.test'),
      '400',
      'one Origin header',
    ],
    ['two that are alike', get('Host: a.test', 'hOST: a.test'), '400', 'several'],
    ['two of HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', '400', 'several'],
    ['no Host', get(), '400', 'none'],
    ['HTTP/0.9 by name', 'GET /health HTTP/0.9\r\nHost: a.test\r\n\r\n', '400', 'HTTP/0.9'],
    ['HTTP/0.9', 'GET /health\r\n\r\n', '400', 'HTTP'],
    ['HTTP/2.0', 'GET /health HTTP/2.0\r\nHost: a.test\r\n\r\n', '400', 'HTTP'],
  ])('%s is refused with a problem, and the connection closed', async (_, request, status, detail) => {
    const { app } = await world()
    const raw = await new RawSocket(await listen(app)).write(request).ended()
    expect(raw.statusLine).toContain(` ${status} `)
    expect(raw.body).toMatchObject({ code: 'invalid_query', detail: expect.stringContaining(detail) })
  })

  it('does without a Host in HTTP/1.0, and serves an upgrade that it does not speak as what it is', async () => {
    const { app } = await world()
    const port = await listen(app)
    const old = await new RawSocket(port).write('GET /health HTTP/1.0\r\n\r\n').ended()
    expect(old.statusLine).toContain(' 200 ')
    const upgrade = get('Host: a', 'Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Version: 8')
    const plain = await new RawSocket(port).write(upgrade).ended()
    expect(plain.statusLine).toContain(' 200 ')
  })

  it('answers the handshake of a stream with the address of the stream, without a key', async () => {
    const { app } = await world()
    const raw = await new RawSocket(await listen(app)).write(handshake('/v1/events/stream')).seen('}')
    expect(raw.statusLine).toContain(' 404 ')
    expect(raw.received).toContain('connect by WebSocket to ws://streams.test:8081/v1/events/stream.')
  })
})

describe('the connections of the HTTP port', () => {
  distinguishTests()

  const bounded = async (perAddress: number) => {
    const connections = new ConnectionTable({ limits: { total: 1_000, perAddress } })
    const { app } = await world({ connections })
    return { connections, port: await listen(app) }
  }

  it('are refused at their accept beyond what one address may have, and others are served', async () => {
    const { connections, port } = await bounded(3)
    const silent = Array.from({ length: 3 }, () => new RawSocket(port))
    await until('three are counted', () => connections.open === 3)
    expect((await new RawSocket(port).ended()).received).toBe('')
    const ask = (from: string) => new RawSocket(port, { from }).write(get('Host: a')).seen('200 OK')
    await ask('127.0.0.2')
    silent[0]?.socket.destroy()
    await until('one has left', () => connections.open === 3)
    await ask('127.0.0.1')
    expect(connections.open).toBe(4)
  })

  // At once, because they wait for deadlines of 5 and 15 s.
  it.concurrent.each([
    ['say nothing', '', undefined, httpDeadlines.headersMs],
    ['drip their headers', 'GET /health HTTP/1.1\r\n', 'X-Slow: 1\r\n', httpDeadlines.headersMs],
    [
      'drip their body',
      'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
      ' ',
      httpDeadlines.requestMs,
    ],
    ['send garbage and stay', 'garbage\r\n\r\n', undefined, 0],
  ])('of clients that %s are closed, and leave the table', async (_, begin, drip, deadlineMs) => {
    const { connections, port } = await bounded(100)
    const began = performance.now()
    const raw = new RawSocket(port)
    if (begin) raw.write(begin)
    await until('it is counted', () => connections.open === 1 || raw.isOver)
    const dripping = setInterval(() => drip && !raw.isOver && raw.write(drip), 300)
    await until('it has left', () => connections.open === 0)
    clearInterval(dripping)
    expect(performance.now() - began).toBeGreaterThan(deadlineMs * 0.9)
  })
})
