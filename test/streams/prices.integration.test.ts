import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identityOf } from '../../access/identity.ts'
import { revokeKey, rotateKey } from '../../access/keys.ts'
import { commodities, currencies } from '../../contracts/instruments.ts'
import { plans } from '../../contracts/plans.ts'
import type { Quote } from '../../contracts/records.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { type Pair, readPairs } from '../../streams/prices/subscription.ts'
import type { Outlet } from '../../streams/stream.ts'
import { until } from '../support/journal.ts'
import { Client, startStreams } from './support.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')
let offset = 0
const quote = (symbol: string, price: string, stale = false): Quote => ({
  symbol,
  price,
  source: 'TEST',
  observed_at: '2026-11-20T11:59:59.000Z',
  stale,
  tick_partition: 0,
  tick_offset: offset++,
  state: '{}',
})

/** An outlet in memory; says false after `room` frames until it is given more. */
class Sink implements Outlet {
  readonly received: { type: string; [member: string]: unknown }[] = []
  failed = ''
  room = Number.POSITIVE_INFINITY
  send(frame: Uint8Array): boolean {
    this.received.push(JSON.parse(Buffer.from(frame).toString()))
    return --this.room > 0
  }
  cork(write: () => void): void {
    write()
  }
  fail(code: string): void {
    this.failed = code
  }
  take(): unknown[] {
    return this.received.splice(0)
  }
}

const streamWith = (...quotes: Quote[]): PricesStream => {
  const stream = new PricesStream({ clock, yieldTo: (goOn) => goOn() })
  for (const each of quotes) stream.apply(each)
  stream.loaded({ isAway: () => false })
  return stream
}
const pairs = (message: object) => {
  const read = readPairs({ action: 'subscribe', ...message })
  return 'refused' in read ? `${read.refused}: ${read.detail}` : read.map(({ base, quote: q }) => `${base}-${q}`)
}

describe('a subscribe message of prices', () => {
  it.each([
    ['is empty', {}, []],
    [
      'names pairs',
      { commodities: [{ commodity: 'XAU', currency: 'USD' }], fx: [{ base: 'EUR', currencies: ['USD'] }] },
      ['XAU-USD', 'EUR-USD'],
    ],
    ['names a pair twice', { commodities: Array(2).fill({ commodity: 'XAU', currency: 'USD' }) }, ['XAU-USD']],
    ['has no currencies of a base', { fx: [{ base: 'EUR', currencies: [] }] }, []],
    [
      'names 20 pairs and one',
      { commodities: Array(21).fill({ commodity: 'XAU', currency: 'USD' }) },
      'invalid_frame: /commodities must not have more than 20 items.',
    ],
    [
      'names 5 bases and one',
      { fx: Array(6).fill({ base: 'EUR', currencies: [] }) },
      'invalid_frame: /fx must not have more than 5 items.',
    ],
    [
      'names 65 currencies',
      { fx: [{ base: 'EUR', currencies: Array(65).fill('USD') }] },
      'invalid_frame: /fx/0/currencies must not have more than 64 items.',
    ],
    ['has an unknown member', { cursor: 'x' }, 'invalid_frame: Unknown field /cursor. Known: action, commodities, fx.'],
    [
      'has an unknown member further down',
      { fx: [{ base: 'EUR', only: [] }] },
      'invalid_frame: Unknown field /fx/0/only. Known: base, currencies.',
    ],
    ['has a wrong type', { fx: 'EUR' }, 'invalid_frame: /fx must be array.'],
    [
      'has an unserved commodity, and before it a currency',
      {
        commodities: [
          { commodity: 'XAU', currency: 'QQQ' },
          { commodity: 'GOO', currency: 'USD' },
        ],
      },
      'commodity_not_supported: /commodities/1/commodity is no commodity that is served here.',
    ],
    [
      'has an unserved currency',
      { commodities: [{ commodity: 'XAU', currency: 'QQQ' }] },
      'currency_not_supported: /commodities/0/currency is no currency that is served here.',
    ],
    [
      'has an unserved base',
      { fx: [{ base: 'xyz' }] },
      'currency_not_supported: /fx/0/base is no currency that is served here.',
    ],
    [
      'has the base among its currencies',
      { fx: [{ base: 'EUR', currencies: ['USD', 'EUR'] }] },
      'currency_not_supported: /fx/0/currencies/1 is no currency that is served here.',
    ],
    [
      'uses a name that objects have by nature',
      { commodities: [{ commodity: 'constructor', currency: 'USD' }] },
      'commodity_not_supported: /commodities/0/commodity is no commodity that is served here.',
    ],
  ])('that %s', (_, message, expected) => expect(pairs(message)).toEqual(expected))

  it('takes all of a base where one of its entries names none', () => {
    const all = pairs({ fx: [{ base: 'EUR', currencies: ['USD'] }, { base: 'EUR' }] })
    expect(new Set(all)).toEqual(new Set(currencies.filter((code) => code !== 'EUR').map((code) => `EUR-${code}`)))
  })
})

describe('the feed of prices', () => {
  const gold = [{ kind: 'commodity', base: 'XAU', quote: 'USD' }] as const

  it('sends each price once, then only what changed, and one that comes later when it comes', () => {
    const stream = streamWith(quote('XAU-USD', '4000'))
    const sink = new Sink()
    stream.attach(sink, [...gold, { kind: 'fx', base: 'EUR', quote: 'USD' }])
    expect(sink.take()).toMatchObject([{ type: 'subscribed' }, { type: 'commodity', spot: { price: '4000' } }])
    stream.check()
    expect(sink.take()).toEqual([])
    stream.apply(quote('XAU-USD', '4000', true))
    stream.check()
    expect(sink.take(), 'a change of staleness is no change of price').toEqual([])
    stream.apply(quote('EUR-USD', '1.08'))
    stream.apply(quote('XAU-USD', '4001'))
    stream.apply(quote('XAU-USD', '4002'))
    stream.check()
    expect(sink.take()).toMatchObject([
      { type: 'commodity', spot: { price: '4002' } },
      { type: 'fx', base: 'EUR', market_session: 'open', rate: { currency: 'USD', rate: '1.08' } },
    ])
  })

  it('compares prices as numbers: another spelling of the same price is not sent', () => {
    const stream = streamWith(quote('XAU-USD', '4000.10'))
    const [current, behind] = [new Sink(), new Sink()]
    stream.attach(current, gold)
    const late = stream.attach(behind, gold)
    behind.room = 1
    stream.apply(quote('XAU-USD', '4001'))
    stream.check()
    stream.apply(quote('XAU-USD', '4002'))
    stream.check()
    for (const sink of [current, behind]) sink.take()
    stream.apply(quote('XAU-USD', '4001.00'))
    stream.check()
    expect(current.take()).toMatchObject([{ spot: { price: '4001.00' } }])
    stream.apply(quote('XAU-USD', '4001.000'))
    stream.check()
    behind.room = 10
    late.resume()
    expect(current.take()).toEqual([])
    expect(behind.take(), 'it was sent 4001 last').toEqual([])
  })

  it('keeps no queue for a client that is behind: it gets the newest of each when it reads again', () => {
    const stream = streamWith(quote('XAU-USD', '1'), quote('XAG-USD', '1'))
    const sink = new Sink()
    sink.room = 2
    const feed = stream.attach(sink, [...gold, { kind: 'commodity', base: 'XAG', quote: 'USD' }])
    expect(sink.take()).toHaveLength(2)
    for (const price of ['2', '3', '4']) {
      stream.apply(quote('XAU-USD', price))
      stream.apply(quote('XAG-USD', price))
      stream.check()
    }
    expect(sink.take()).toEqual([])
    sink.room = 10
    feed.resume()
    expect(sink.take()).toMatchObject([{ spot: { price: '4' } }, { spot: { price: '4' } }])
    feed.detach()
    stream.apply(quote('XAU-USD', '5'))
    stream.check()
    expect(sink.take()).toEqual([])
  })

  it('says field for field what REST says, at the start and at every check, under random quotes', () => {
    const symbols = [
      ...Object.keys(commodities).map((code) => `${code}-USD`),
      ...currencies.filter((code) => code !== 'EUR').map((code) => `EUR-${code}`),
      'USD-JPY',
      'GBP-USD',
      'USD-CHF',
    ]
    const pairsOf = (codes: readonly string[]): Pair[] => [
      ...Object.keys(commodities).flatMap((base) => codes.map((q) => ({ kind: 'commodity' as const, base, quote: q }))),
      ...codes.flatMap((base) => codes.filter((q) => q !== base).map((q) => ({ kind: 'fx' as const, base, quote: q }))),
    ]
    const some = pairsOf(['USD', 'EUR', 'JPY', 'GBP', 'CHF', 'CAD'])
    const wanted = fc.oneof(
      { weight: 9, arbitrary: fc.constant(some) },
      { weight: 1, arbitrary: fc.constant(pairsOf(currencies)) },
    )
    const said = fc.record({
      symbol: fc.oneof(fc.constantFrom(...symbols), fc.constantFrom('XAU-USD', 'EUR-USD', 'EUR-JPY')),
      price: fc.oneof(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 3 })),
      stale: fc.boolean(),
    })
    const rounds = fc.array(fc.array(said, { maxLength: 40 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(wanted, rounds, (asked, all) => {
        const rest = new PriceBoard()
        const stream = streamWith()
        const sink = new Sink()
        const sent = new Map<Pair, string>()
        /** What REST says of each pair whose price is another than the one sent last, as a message. */
        const news = () =>
          asked.flatMap((pair) => {
            const { kind, base, quote: to } = pair
            const spot = kind === 'commodity' ? rest.spot(base, to) : undefined
            const fx = kind === 'fx' ? rest.fx(base, clock()) : undefined
            const rate = fx?.rates.find(({ currency }) => currency === to)
            const price = spot?.price ?? rate?.rate
            if (price === undefined || price === sent.get(pair)) return []
            sent.set(pair, price)
            return [spot ? { type: 'commodity', spot } : { type: 'fx', base, market_session: fx?.market_session, rate }]
          })
        for (const [round, quotes] of all.entries()) {
          for (const { symbol, price, stale } of quotes) {
            const observed_at = new Date(clock().getTime() - 60_000 + offset).toISOString()
            const each = { ...quote(symbol, String(price / 1000), stale), observed_at }
            rest.apply(each)
            stream.apply(each)
          }
          if (round === 0) stream.attach(sink, asked)
          else stream.check()
          const greeting = round === 0 ? [{ type: 'subscribed' }] : []
          expect(sink.take()).toEqual([...greeting, ...news()])
        }
      }),
      { numRuns: 60 },
    )
  })
})

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
    const { connect } = await startStreams([new PricesStream({ clock })])
    expect(await connect('prices').end()).toMatchObject({ error: { code: 'unavailable' }, code: 4503 })
  })
})
