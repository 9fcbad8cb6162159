import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { identityOf } from '../../access/identity.ts'
import { revokeKey, rotateKey } from '../../access/keys.ts'
import { plans } from '../../contracts/plans.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { until } from '../support/journal.ts'
import { timeWith } from '../support/wall-clock.ts'
import { clock, quote, streamWith } from './price-quotes.ts'
import { Client, startStreams } from './support.ts'

const newStream = () => streamWith(quote('XAU-USD', '4000'), quote('EUR-USD', '1.08'))
const subscribe = {
  action: 'subscribe',
  commodities: [{ commodity: 'XAU', currency: 'EUR' }],
  fx: [{ base: 'EUR', currencies: ['USD'] }],
}

describe('the prices stream over real sockets', () => {
  it('greets, answers a subscribe with every price, then sends changes, and answers pings', async () => {
    const stream = newStream()
    const { connect } = await startStreams([stream])
    const client = connect('prices')
    await client.seen('ready')
    client.send({ action: 'ping' })
    await client.seen('pong')
    client.send(subscribe)
    await client.seen('fx')
    expect(client.messages.map(({ type }) => type)).toEqual(['ready', 'pong', 'subscribed', 'commodity', 'fx'])
    stream.apply(quote('XAU-USD', '4100'))
    stream.check()
    await client.seen('commodity', 2)
    expect(client.of('commodity').map(({ spot }) => (spot as { price: string }).price)).toEqual([
      '3703.7037',
      '3796.2963',
    ])
    client.send({ action: 'subscribe' })
    expect(await client.end()).toEqual({
      error: { type: 'error', code: 'resubscribe_required' },
      code: 4400,
      reason: 'resubscribe_required',
      words: '',
    })
  })

  it('reads what a client sends before its greeting, after it; and keeps every connection that it opened', async () => {
    const { connect, newKey } = await startStreams([newStream()])
    const { key } = newKey('pro')
    for (let round = 0; round < 20; round++) {
      const clients = Array.from({ length: 5 }, () => connect('prices', key))
      for (const client of clients) client.socket.on('open', () => client.send(subscribe))
      for (const client of clients) {
        await client.seen('fx')
        expect(client.messages.map(({ type }) => type)).toEqual(['ready', 'subscribed', 'commodity', 'fx'])
        client.socket.close()
        await client.end()
      }
    }
  })

  it.each([
    ['not JSON', '{', 'invalid_frame', 'not JSON'],
    ['binary', Buffer.from(JSON.stringify(subscribe)), 'invalid_frame', 'binary'],
    ['64 KiB and 1', `{"action":"ping"}${' '.repeat(65_520)}`, 'invalid_frame', '65537 bytes', 1009],
    ['2 MiB', ' '.repeat(2 * 1024 * 1024), 'invalid_frame', '2097152 bytes', 1009],
    ['no known action', { action: 'unsubscribe' }, 'invalid_command', 'unsubscribe'],
    [
      'over the limits',
      { action: 'subscribe', commodities: Array(21).fill(subscribe.commodities[0]) },
      'invalid_frame',
      '/commodities',
    ],
    [
      'an unserved commodity',
      { action: 'subscribe', commodities: [{ commodity: 'GOO', currency: 'USD' }] },
      'commodity_not_supported',
      '/commodities/0/commodity',
    ],
    ['an unserved currency', { action: 'subscribe', fx: [{ base: 'QQQ' }] }, 'currency_not_supported', '/fx/0/base'],
  ] as [string, object | string, string, string, number?][])(
    'ends on a frame that is %s, with a code alone, and words in the close reason',
    async (_, frame, code, words, close = 4400) => {
      const { connect } = await startStreams([newStream()])
      const client = connect('prices')
      await client.seen('ready')
      client.send(frame)
      const end = await client.end()
      expect(end.error).toEqual({ type: 'error', code })
      expect(end).toMatchObject({ code: close, reason: code, words: expect.stringContaining(words) })
    },
  )

  it('ends after 5 s without a subscribe, pings or not', async () => {
    const { connect } = await startStreams([newStream()])
    const from = performance.now()
    const client = connect('prices')
    await client.seen('ready')
    client.send({ action: 'ping' })
    expect(await client.end()).toMatchObject({ error: { code: 'subscribe_required' }, code: 4408 })
    expect(performance.now() - from).toBeGreaterThanOrEqual(4_990)
    expect(performance.now() - from).toBeLessThan(9_000)
  })

  it('ends with the 31st frame', async () => {
    const { connect } = await startStreams([newStream()])
    const client = connect('prices')
    await client.seen('ready')
    for (let i = 0; i < 31; i++) client.send({ action: 'ping' })
    expect(await client.end()).toMatchObject({ error: { code: 'command_limit' }, code: 4429 })
    expect(client.of('pong')).toHaveLength(30)
  })

  it('refuses inside the accepted WebSocket: no key, a bad ticket, the plan, the limit', async () => {
    const { url, connect, newKey } = await startStreams([newStream()])
    expect(await new Client(url('prices')).end()).toMatchObject({ error: { code: 'unauthorized' }, code: 4401 })
    expect(await new Client(`${url('prices')}?ticket=x`).end()).toMatchObject({ error: { code: 'unauthorized' } })
    expect(await connect('prices', newKey('free').key).end()).toMatchObject({
      error: { code: 'plan_upgrade_required' },
      code: 4403,
    })
    const { key } = newKey('basic')
    const clients = Array.from({ length: 50 }, () => connect('prices', key))
    await until('all are judged', () => clients.every(({ messages }) => messages.length > 0))
    expect(clients.filter(({ messages }) => messages[0]?.type === 'ready')).toHaveLength(2)
    expect(new Set(clients.map(({ messages: [first] }) => first?.code ?? 'ready'))).toEqual(
      new Set(['ready', 'stream_limit']),
    )
  })

  it('gives a rotated key no more places: old and new share them, and revoking the old one frees its own', async () => {
    const { keys, connect, newKey } = await startStreams([newStream()])
    const { key: old, record } = newKey('basic')
    const first = connect('prices', old)
    await first.seen('ready')
    const made = rotateKey(record, 3_600_000, Date.now(), randomBytes)
    for (const each of made.records) keys.apply(each)
    const second = connect('prices', made.key)
    await second.seen('ready')
    for (const key of [old, made.key]) {
      expect(await connect('prices', key).end()).toMatchObject({ error: { code: 'stream_limit' }, code: 4429 })
    }
    keys.apply(revokeKey(made.records[1]))
    expect(await first.end()).toMatchObject({ error: { code: 'revoked' }, code: 4401 })
    await until('its place is free', async () => {
      const next = connect('prices', made.key)
      await until('it is judged', () => next.messages.length > 0)
      return next.messages[0]?.type === 'ready'
    })
    expect(second.of('error')).toEqual([])
  })

  it('refuses a key whose month is used up, and gives its slot back', async () => {
    const limits = { ...plans, basic: { ...plans.basic, callsPerMonth: 1 } }
    const { access, connect, newKey } = await startStreams([newStream()], limits)
    const { key, record } = newKey('basic')
    const first = connect('prices', key)
    await first.seen('ready')
    expect(await connect('prices', key).end()).toEqual({
      error: { type: 'error', code: 'quota_unavailable' },
      code: 4429,
      reason: 'quota_unavailable',
      words: 'The calls of the month are used up.',
    })
    expect(await access.leases.count(identityOf(record), Date.now())).toBe(1)
  })

  it.each([
    ['has subscribed', true],
    ['has not subscribed yet', false],
  ])('tells who %s that its prices are away', async (_, subscribes) => {
    const source = { away: false }
    const stream = newStream()
    stream.loaded({ isAway: () => source.away })
    const { connect } = await startStreams([stream])
    const client = connect('prices')
    await client.seen('ready')
    if (subscribes) client.send(subscribe)
    if (subscribes) await client.seen('fx')
    source.away = true
    const end = await client.end()
    expect(end).toEqual({ error: { type: 'error', code: 'unavailable' }, code: 4503, reason: 'unavailable', words: '' })
    expect(await connect('prices').end()).toEqual(end)
  })

  it('takes a ticket once, from its origin, and gives the slot back', async () => {
    const { url, access, newKey } = await startStreams([newStream()])
    const { record } = newKey('basic')
    const issue = async () => {
      const issued = await access.tickets.issue(
        { ...identityOf(record), stream: 'prices', origin: 'http://localhost:3000' },
        Date.now(),
      )
      return issued.outcome === 'issued' ? issued.ticket : ''
    }
    const ticket = await issue()
    const open = (text: string, origin: string) =>
      new Client(`${url('prices')}?ticket=${text}`, { headers: { origin } })
    const first = open(ticket, 'http://localhost:3000')
    await first.seen('ready')
    expect(await open(ticket, 'http://localhost:3000').end()).toEqual({
      error: { type: 'error', code: 'unauthorized' },
      code: 4401,
      reason: 'unauthorized',
      words: 'The ticket was used before; it opens one stream once.',
    })
    expect(await open(await issue(), 'http://localhost:3001').end()).toMatchObject({ error: { code: 'unauthorized' } })
    first.socket.close()
    await until('the slot is free', async () => (await access.leases.count(identityOf(record), Date.now())) === 0)
  })

  it.each([
    ['revoked', { status: 'revoked' as const }],
    ['expired', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['downgraded', { plan: 'free' as const }],
  ])('cuts the streams of a key that is %s within a second', async (_, change) => {
    const { connect, newKey, keys } = await startStreams([newStream()])
    const { key, record } = newKey('basic')
    const client = connect('prices', key)
    await client.seen('ready')
    client.send(subscribe)
    await client.seen('fx')
    const from = performance.now()
    keys.apply({ ...record, ...change })
    expect(await client.end()).toMatchObject({ error: { code: 'revoked' }, code: 4401 })
    expect(performance.now() - from).toBeLessThan(1_000)
  })

  it('tells clients that the server goes, one after the other', async () => {
    const { connect, drain } = await startStreams([newStream()])
    const clients = [connect('prices'), connect('prices'), connect('prices')]
    for (const client of clients) await client.seen('ready')
    const from = performance.now()
    await drain(300)
    for (const client of clients) {
      expect(await client.end()).toEqual({
        error: { type: 'error', code: 'unavailable' },
        code: 1001,
        reason: 'unavailable',
        words: 'The server is shutting down. Connect again.',
      })
    }
    expect(performance.now() - from).toBeGreaterThan(150)
  })

  it('answers what is no WebSocket with a problem', async () => {
    const { base } = await startStreams([newStream()])
    const stream = await fetch(`${base}/v1/prices/stream`)
    expect([stream.status, await stream.json()]).toMatchObject([426, { code: 'upgrade_required' }])
    const other = await fetch(`${base}/v1/prices`, { method: 'POST' })
    expect([other.status, await other.json()]).toMatchObject([404, { code: 'route_not_found' }])
  })

  it('is unavailable until its quotes are loaded', async () => {
    const { connect } = await startStreams([new PricesStream({ time: timeWith(() => clock().getTime()) })])
    expect(await connect('prices').end()).toMatchObject({ error: { code: 'unavailable' }, code: 4503 })
  })
})
