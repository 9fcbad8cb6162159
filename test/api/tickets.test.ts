import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../contracts/resources.ts'
import { streamNames } from '../../contracts/streams.ts'
import { ask, bearer, keyId, NOW, quote, type World, world } from './support.ts'

const ORIGIN = 'https://app.example.com'
const json = { 'content-type': 'application/json' }

const asking = (
  stream: string,
  { plan = 'basic', ...more }: Partial<InjectOptions> & { plan?: Plan } = {},
): InjectOptions => ({
  url: `/v1/${stream}/stream-ticket`,
  method: 'POST',
  headers: { ...bearer(plan), ...json },
  payload: { origin: ORIGIN },
  ...more,
})

describe('stream tickets', () => {
  it.each(streamNames)('are issued for %s: what they are good for, until when and where to', async (stream) => {
    const { app, tickets, quota } = await world()
    const response = await ask(app, asking(stream))
    expect(response.statusCode).toBe(201)
    const ticket = `${'T'.repeat(42)}1`
    expect(response.json()).toEqual({
      ticket,
      stream,
      origin: ORIGIN,
      expires_at: new Date(Date.parse(NOW) + 30_000).toISOString(),
      url: `ws://streams.test:8081/v1/${stream}/stream?ticket=${ticket}`,
    })
    expect(tickets.issued).toEqual([{ keyId: keyId('basic'), account: keyId('basic'), stream, origin: ORIGIN }])
    expect(response.headers['cache-control']).toBe('no-store')
    expect(quota.used, 'calls charged').toBe(0)
  })

  it('say what is left of the minute and the month, as every answer to a key, and cost nothing', async () => {
    const { app, quota } = await world()
    const { headers } = await ask(app, asking('events'))
    expect(headers.ratelimit).toMatch(/^"burst";r=\d+;t=\d+, "month";r=100000;t=\d+$/)
    expect(headers['ratelimit-policy']).toBe('"burst";q=120;w=60, "month";q=100000')
    quota.away = true
    const without = await ask(app, asking('events'))
    expect(without.statusCode, 'no ticket is refused for a header').toBe(201)
    expect(without.headers.ratelimit).toMatch(/^"burst";r=\d+;t=\d+$/)
  })

  it('are new each time, whatever the client says it knows', async () => {
    const { app } = await world()
    const headers = { ...bearer('basic'), ...json, 'if-none-match': '*' }
    const [one, other] = [await ask(app, asking('events', { headers })), await ask(app, asking('events', { headers }))]
    expect([one.statusCode, other.statusCode]).toEqual([201, 201])
    expect(one.json().ticket).not.toBe(other.json().ticket)
  })

  it('are for the origins of the key only, to the letter; test keys may name any port of this machine', async () => {
    const { app, tickets } = await world()
    for (const origin of ['http://localhost:5173', 'http://localhost', ORIGIN]) {
      expect((await ask(app, asking('events', { payload: { origin } }))).statusCode, origin).toBe(201)
    }
    const issued = tickets.issued.length
    const others = ['https://app.example.com:8443', 'https://app.example.com/', 'http://app.example.com', 'null', '*']
    for (const origin of [...others, 'https://APP.example.com', 'http://localhost:5173/x', 'https://evil.test']) {
      const { problem } = await ask(app, asking('events', { payload: { origin } }))
      expect(problem.code, origin).toBe('origin_not_allowed')
      expect(problem.detail).toContain(JSON.stringify(origin))
    }
    expect(tickets.issued).toHaveLength(issued)
  })

  it('are not for prices on the plan free, but for the other streams', async () => {
    const { app } = await world()
    expect((await ask(app, asking('prices', { plan: 'free' }))).problem.code).toBe('plan_upgrade_required')
    for (const stream of ['events', 'predictions']) {
      expect((await ask(app, asking(stream, { plan: 'free' }))).statusCode).toBe(201)
    }
  })

  it('are not for a key that is revoked by its flag alone', async () => {
    const { app, tickets } = await world()
    tickets.revoked.add(keyId('basic'))
    expect((await ask(app, asking('events'))).problem.code).toBe('unauthorized')
  })

  it('do not wait for the figures to be loaded', async () => {
    const served = await world()
    served.ready = 'reading the journal'
    expect((await ask(served.app, asking('events'))).statusCode).toBe(201)
  })

  it.each([
    ['an empty body', { payload: '' }, 'invalid_body', 'empty'],
    ['broken JSON', { payload: '{"origin":' }, 'invalid_body', 'JSON'],
    ['no object', { payload: '[]' }, 'invalid_body', 'not a JSON object'],
    ['null', { payload: 'null' }, 'invalid_body', 'not a JSON object'],
    ['no origin', { payload: '{}' }, 'invalid_body', 'body member origin is missing'],
    ['an empty origin', { payload: { origin: '' } }, 'invalid_body', 'body member origin is empty'],
    ['a long origin', { payload: { origin: 'x'.repeat(513) } }, 'invalid_body', 'longer than 512'],
    ['an origin that is no text', { payload: { origin: [ORIGIN] } }, 'invalid_body', 'body member origin'],
    ['more members', { payload: { origin: ORIGIN, ttl: 3600 } }, 'invalid_body', 'Unknown body member "ttl"'],
    ['another prototype', { payload: `{"origin":"${ORIGIN}","__proto__":{}}` }, 'invalid_body', ''],
    ['a query', { url: '/v1/events/stream-ticket?origin=x' }, 'invalid_query', 'query parameter "origin"'],
    [
      'a form',
      { headers: { ...bearer('basic'), 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' },
    ],
    ['text', { headers: { ...bearer('basic'), 'content-type': 'text/plain' }, payload: `{"origin":"${ORIGIN}"}` }],
    ['64 KiB and more', { payload: `{"origin":"${'x'.repeat(65_536)}"}` }, 'body_too_large', ''],
  ] as [string, Partial<InjectOptions>, string?, string?][])(
    'refuse %s',
    async (_, more, code = 'unsupported_media_type', detail = '') => {
      const { app, tickets } = await world()
      const { problem } = await ask(app, asking('events', more))
      expect(problem.code).toBe(code)
      expect(problem.detail).toContain(detail)
      expect(tickets.issued).toEqual([])
    },
  )

  it('refuse a request without a body', async () => {
    const { app } = await world()
    const { problem } = await ask(app, { url: '/v1/events/stream-ticket', method: 'POST', headers: bearer('basic') })
    expect([problem.code, problem.detail]).toEqual(['invalid_body', 'the body is missing, or is not a JSON object'])
  })

  it.each(streamNames)('of %s are made by POST and by nothing else', async (stream) => {
    const { app } = await world()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
      const response = await ask(app, { url: `/v1/${stream}/stream-ticket`, method, headers: bearer() })
      expect(response.statusCode, method).toBe(405)
      expect(response.headers.allow, method).toBe('POST, OPTIONS')
    }
    const options = await ask(app, { url: `/v1/${stream}/stream-ticket`, method: 'OPTIONS' })
    expect([options.statusCode, options.headers.allow]).toEqual([204, 'POST, OPTIONS'])
  })

  describe('are judged in order', () => {
    type Attempt = { plan: Plan; headers: Record<string, string>; body: Record<string, unknown> }
    const faults: readonly (readonly [string, (attempt: Attempt, served: World) => void])[] = [
      ['unauthorized', (attempt) => Object.assign(attempt, { headers: { ...json } })],
      ['rate_limited', (_, served) => Object.assign(served, { perMinute: 0 })],
      ['invalid_body', (attempt) => Object.assign(attempt.body, { more: true })],
      ['plan_upgrade_required', (attempt) => Object.assign(attempt, { plan: 'free' })],
      ['origin_not_allowed', (attempt) => Object.assign(attempt.body, { origin: 'https://evil.test' })],
      ['unavailable', (_, served) => Object.assign(served.tickets, { away: true })],
    ]
    it.each(faults.map(([code], i) => [code, i] as const))('%s comes before all that follows it', async (code, i) => {
      const served = await world()
      const attempt: Attempt = { plan: 'basic', headers: {}, body: { origin: ORIGIN } }
      for (const [, commit] of faults.slice(i)) commit(attempt, served)
      const headers = { ...(i === 0 ? {} : bearer(attempt.plan)), ...json }
      const { problem } = await ask(served.app, asking('prices', { headers, payload: attempt.body }))
      expect(problem.code).toBe(code)
      expect(served.tickets.issued).toEqual([])
    })
  })

  it('say of the prices stream that its prices are simulated', async () => {
    const { app, prices } = await world()
    const source = async (stream: 'prices' | 'events') => (await ask(app, asking(stream))).headers['almanac-source']
    expect([await source('prices'), await source('events')]).toEqual(['simulator', undefined])
    prices.apply(quote('WTI-USD', '60.1', { tick_offset: 2 }))
    expect(await source('prices')).toBeUndefined()
  })

  it('are in no log, not even of what fails', async () => {
    const logged: unknown[] = []
    const log = (...entry: unknown[]) => void logged.push(entry)
    const logger = { error: log, warn: log }
    const failing = { issue: () => Promise.reject(new TypeError('of ours')) }
    const { app } = await world({ logger, tickets: failing })
    const { problem } = await ask(app, asking('events'))
    expect(problem.code).toBe('internal')
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged)).not.toContain(bearer('basic').authorization.slice(7))
    const served = await world({ logger })
    const { ticket } = (await ask(served.app, asking('events'))).json()
    expect(JSON.stringify(logged)).not.toContain(ticket)
  })
})
