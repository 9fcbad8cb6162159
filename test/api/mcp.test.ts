import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../api/examples.ts'
import { operations } from '../../contracts/operations.ts'
import { Problem, problems } from '../../contracts/problems.ts'
import type { Plan } from '../../contracts/resources.ts'
import { ask, bearer, listen, type World, world } from './support.ts'

/** What is a tool: every operation that reads. */
const readings = operations.filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)

/** MCP as a client speaks it: JSON-RPC over a real socket, in the revision with a handshake and in the one without. */

type Result = {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}
type Reply = { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } }

const revisions = ['2025-06-18', '2026-07-28'] as const
type Revision = (typeof revisions)[number]

describe.each(revisions)('MCP %s', (revision) => {
  let served: World
  let url = ''
  beforeAll(async () => {
    served = await world()
    url = `http://127.0.0.1:${await listen(served.app)}/mcp`
  })

  const post = (body: unknown, headers: Record<string, string> = {}, plan: Plan = 'pro') =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...bearer(plan),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    })

  const send = async (method: string, params: Record<string, unknown> = {}, plan: Plan = 'pro') => {
    const message = { jsonrpc: '2.0', id: 7, method, params: { ...params, ...envelope(revision) } }
    const response = await post(message, standardHeaders(revision, method, params.name), plan)
    expect(response.headers.get('content-type')).toContain('application/json')
    return { reply: (await response.json()) as Reply, headers: response.headers }
  }
  const call = async (name: string, given: Record<string, unknown> = {}, plan: Plan = 'pro') => {
    const { reply, headers } = await send('tools/call', { name, arguments: given }, plan)
    expect(reply.error).toBeUndefined()
    return { result: reply.result as Result, headers }
  }

  it('lists one tool for each operation that reads, and no other, described by the schemas of REST', async () => {
    const { reply } = await send('tools/list')
    const { tools } = reply.result as { tools: Record<string, { properties?: object; required?: string[] }>[] }
    expect(tools.map(({ name }) => name)).toEqual(readings.map(({ id }) => id))
    for (const [i, { params, query, response }] of readings.entries()) {
      const { inputSchema, outputSchema } = tools[i] ?? {}
      // A result is always structured content, so a tool has no `format`.
      const names = [...Object.keys(params.properties), ...Object.keys(query.properties)].filter(
        (name) => name !== 'format',
      )
      expect(Object.keys(inputSchema?.properties ?? {})).toEqual(names)
      expect(inputSchema?.required).toEqual(Object.keys(params.properties))
      expect(outputSchema?.required).toEqual((response as { required?: string[] }).required)
      // Two schemas of one name could not be compiled side by side.
      expect(JSON.stringify(tools[i])).not.toContain('"$id"')
    }
  })

  it('knows no tool for the operations that make something', async () => {
    const { reply } = await send('tools/call', { name: 'prices_create_stream_ticket', arguments: {} })
    expect(reply.error?.message).toContain('There is no tool')
    expect(served.tickets.issued).toEqual([])
  })

  it.each(readings.map((operation) => [operation.id, operation] as const))(
    '%s gives the body of REST',
    async (id, operation) => {
      const ofThisWorld: Readonly<Record<string, object>> = {
        events_get: { event_id: served.releases.events[0]?.id },
        releases_get: { release_id: served.releases.log[0]?.release.release_id },
      }
      const { params = {}, query } = { ...examples[id], ...(ofThisWorld[id] && { params: ofThisWorld[id] }) }
      const given = {
        ...params,
        ...(query?.period ? { period: (await latestPeriod(operation.path.replace(/\/vintages$/, ''))) ?? '' } : {}),
      }
      if (id.includes('gdp_growth')) Object.assign(given, { country: 'USA' })
      const { result } = await call(id, given)
      expect(result.isError, result.content[0]?.text).toBeUndefined()
      expect([...Value.Errors(operation.response, result.structuredContent)]).toEqual([])
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name as keyof typeof given]))
      const rest = await ask(served.app, `${path}${given.period ? `?period=${given.period}` : ''}`)
      if (id === 'economics_get_trade_exports_history' || id === 'account_get_usage') return
      expect(result.content[0]?.text).toBe(rest.body)
      expect(result.structuredContent).toEqual(rest.json())
    },
  )
  const latestPeriod = async (path: string) =>
    (await ask(served.app, path.replace('{country}', 'USA'))).json<{ period?: string }>().period

  it('charges a call once, as REST does, and messages about tools not at all', async () => {
    const { quota } = served
    const cost = async (action: () => Promise<unknown>) => {
      const { used } = quota
      await action()
      return quota.used - used
    }
    expect(await cost(() => call('economics_get_cpi', { country: 'USA' }))).toBe(1)
    expect(await cost(() => call('economics_get_cpi', { country: 'BRA' }))).toBe(1)
    expect(await cost(() => call('economics_get_cpi', { country: 'usa' }))).toBe(0)
    expect(await cost(() => call('commodities_get_spot', { commodity: 'TIN', currency: 'USD' }))).toBe(0)
    expect(await cost(() => call('account_get_usage'))).toBe(0)
    expect(await cost(() => call('health_health_get'))).toBe(0)
    expect(await cost(() => send('tools/list'))).toBe(0)
  })

  it('fails with the problem of REST and what to do about it', async () => {
    const failures = [
      ['economics_get_cpi', { country: 'BRA' }, 'no_complete_publication'],
      ['economics_get_cpi', { country: 'USA', period: '2026-13' }, 'invalid_query'],
      ['economics_get_cpi', { country: 'USA', when: 'now' }, 'invalid_query'],
      ['economics_get_cpi', {}, 'invalid_path'],
      ['economics_get_cpi', { country: 5 }, 'invalid_path'],
      ['economics_get_trade_exports', { country: 'USA', partner: 'CAN' }, 'not_yet_published'],
      ['economics_get_trade_exports_history', { country: 'USA', limit: '5' }, 'invalid_query'],
      ['events_list', { family: 'output' }, 'invalid_query'],
      ['events_list', { cursor: 'garbled' }, 'cursor_invalid'],
      ['fx_get_rates', { base: 'NOK' }, 'price_unavailable'],
    ] as const
    for (const [name, given, code] of failures) {
      const { result } = await call(name, given)
      expect(result.isError).toBe(true)
      const told = JSON.parse(result.content[0]?.text ?? '')
      expect(told, name).toMatchObject({ code, advice: problems[code].advice, status: problems[code].status })
      // A client of the older revisions would hold it against the tool's output schema, and throw.
      if (revision === '2025-06-18') expect(result.structuredContent).toBeUndefined()
      else expect([...Value.Errors(Problem, result.structuredContent)]).toEqual([])
    }
    const barred = await call('events_list', { family: ['fx'] }, 'free')
    expect(barred.result.content[0]?.text).toContain('plan_upgrade_required')
    const named = await call('economics_get_cpi', { country: 'USA', when: 'now' })
    expect(named.result.content[0]?.text).toContain('Unknown argument \\"when\\". Known: period.')
  })

  it('says what a repeated call should wait for, and where to go on', async () => {
    const waiting = JSON.parse((await call('fx_get_rates', { base: 'NOK' })).result.content[0]?.text ?? '')
    expect(waiting.retry_after).toBe(30)
    const refused = JSON.parse((await call('events_list', { cursor: 'garbled' })).result.content[0]?.text ?? '')
    expect(refused.link).toContain('rel="earliest"')
  })

  it('takes typed arguments', async () => {
    const { result } = await call('events_list', { limit: 2, family: ['output', 'labour'] })
    expect(result.structuredContent?.events).toHaveLength(2)
  })

  it('has the headers of REST: allowances, the request id, and whether prices are made up', async () => {
    const { headers } = await call('commodities_get_spot', { commodity: 'WTI', currency: 'USD' })
    expect(headers.get('almanac-source')).toBe('simulator')
    expect(headers.get('ratelimit')).toContain('"month";r=')
    expect(headers.get('request-id')).toBeTruthy()
    const { headers: gold } = await call('commodities_get_spot', { commodity: 'XAU', currency: 'USD' })
    expect(gold.has('almanac-source')).toBe(false)
  })

  it('say in the content which release a figure or an event comes from', async () => {
    const named = async (tool: string, given: Record<string, unknown>) => {
      const { result } = await call(tool, given)
      return /^releases_get with release_id (rel_\w{26}) says where this comes from\.$/.exec(
        result.content[1]?.text ?? '',
      )?.[1]
    }
    const figure = await named('economics_get_cpi', { country: 'USA' })
    const event = await named('events_get', { event_id: served.releases.events[0]?.id })
    for (const release_id of [figure, event]) {
      const { result } = await call('releases_get', { release_id })
      expect(result.isError, result.content[0]?.text).toBeUndefined()
      expect(result.content).toHaveLength(1)
    }
  })

  it('say in the content, which a model reads, that prices are made up', async () => {
    const { result: oil } = await call('commodities_get_spot', { commodity: 'WTI', currency: 'USD' })
    expect(oil.content).toEqual([
      { type: 'text', text: expect.stringContaining('"price":"60.1"') },
      { type: 'text', text: expect.stringMatching(/^Simulated: /) },
    ])
    const { result: gold } = await call('commodities_get_spot', { commodity: 'XAU', currency: 'USD' })
    expect(gold.content).toHaveLength(1)
  })

  it('knows no other tools or methods', async () => {
    expect((await send('tools/call', { name: 'rm' })).reply.error).toMatchObject({ code: -32602 })
    expect((await send('prompts/list')).reply.error).toMatchObject({ code: -32601 })
  })

  it('needs a key before anything else', async () => {
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: 'Bearer nobody' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
  })

  it('counts each message against the calls a minute', async () => {
    const own = await world()
    const address = `http://127.0.0.1:${await listen(own.app)}/mcp`
    own.perMinute = 2
    const ping = () =>
      fetch(address, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    expect([(await ping()).status, (await ping()).status, (await ping()).status]).toEqual([200, 200, 429])
  })
})

describe('the handshake of 2025', () => {
  it('agrees on a revision and says what the server is', async () => {
    const { app } = await world()
    const address = `http://127.0.0.1:${await listen(app)}/mcp`
    const post = (body: unknown) =>
      fetch(address, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      })
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const hello = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await hello.json()).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'almanac' }, capabilities: { tools: {} } },
    })
    const done = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(done.status).toBe(202)
    expect(hello.headers.has('mcp-session-id')).toBe(false)
  })
})

/** What a message of the later revision carries in place of a handshake. */
const envelope = (revision: Revision) =>
  revision === '2025-06-18'
    ? {}
    : {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }

const standardHeaders = (revision: Revision, method: string, name: unknown): Record<string, string> => ({
  'mcp-protocol-version': revision,
  ...(revision === '2025-06-18' ? {} : { 'mcp-method': method, ...(name ? { 'mcp-name': String(name) } : {}) }),
})
