import { beforeAll, describe, expect, it } from 'vitest'
import { Value } from '#typebox'
import { examples } from '../../api/examples.ts'
import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { operationById, operations } from '../../contracts/operations.ts'
import { Problem, problems } from '../../contracts/problems.ts'
import type { Plan } from '../../contracts/resources.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { ask, bearer, listen, NOW, type World, world } from './support.ts'

/** What tools answer: every operation that reads. */
const readings = operations.filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)

const EXPORTS_HISTORY = observationsOperationId('trade-exports')
const formParameters: readonly string[] = ['format', 'csv_style', 'layout']
const computing: readonly string[] = ['units', 'aggregation_method', 'sort', 'print']

/** Tools of the endpoints in the interface specification. */
const specified = [
  'health_health_get',
  ...servedIndicators.map((indicator) => servingOf(indicator).operationId),
  EXPORTS_HISTORY,
  'commodities_get_spot',
  'fx_get_rates',
  'events_list',
  'events_get',
]

/** The tool that answers for an operation, and the argument by which it knows that this one is meant. */
const toolFor: ReadonlyMap<string, readonly [string, object]> = new Map<string, readonly [string, object]>(
  servedIndicators.flatMap((indicator) => [
    [observationsOperationId(indicator), ['economics_list_observations', { indicator }]] as const,
    [vintagesOperationId(indicator), ['economics_list_vintages', { indicator }]] as const,
  ]),
)
const toolOf = (operationId: string): readonly [string, object] =>
  (specified.includes(operationId) ? undefined : toolFor.get(operationId)) ?? [operationId, {}]

/** MCP as a client speaks it: JSON-RPC over a real socket, in the revision with a handshake and in the one without. */

/** Lists that REST gives whole and MCP in pages. */
const inPages: ReadonlyMap<string, { readonly list: string; readonly id: string }> = new Map([
  ['catalog_list', { list: 'series', id: 'series' }],
  ['catalog_countries', { list: 'countries', id: 'code' }],
])

type Listed = {
  readonly name: string
  readonly inputSchema: { readonly properties: object; readonly required: readonly string[] }
  readonly outputSchema?: { readonly required?: readonly string[] }
}
type Tools = { readonly tools: readonly Listed[] }
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

  const listed = async () => {
    const { reply } = await send('tools/list')
    const { tools } = reply.result as Tools
    return new Map(tools.map((tool) => [tool.name, tool]))
  }

  it('has a tool for each operation that reads, and no other, described by the schemas of REST', async () => {
    const tools = await listed()
    expect([...tools.keys()].sort()).toEqual([...new Set(readings.map(({ id }) => toolOf(id)[0]))].sort())
    for (const { id, params, query } of readings) {
      const [name, chosen] = toolOf(id)
      const { inputSchema } = tools.get(name) ?? expect.fail(`no tool ${name}`)
      // A result is always JSON. The history of exports has the arguments of the interface specification.
      const left = id === EXPORTS_HISTORY ? [...formParameters, ...computing] : formParameters
      const taken = Object.keys(query.properties).filter((parameter) => !left.includes(parameter))
      expect(Object.keys(inputSchema.properties), name).toEqual(
        expect.arrayContaining([...Object.keys(chosen), ...Object.keys(params.properties), ...taken]),
      )
      for (const parameter of left) expect(inputSchema.properties, name).not.toHaveProperty(parameter)
      const { required = [] } = query as { readonly required?: readonly string[] }
      expect(inputSchema.required).toEqual([...Object.keys(chosen), ...Object.keys(params.properties), ...required])
      // Two schemas of one name could not be compiled side by side.
      expect(JSON.stringify(tools.get(name))).not.toContain('"$id"')
    }
  })

  it('describes the answers of the interface specification, and no others', async () => {
    const tools = await listed()
    const described = [...tools.values()].filter(({ outputSchema }) => outputSchema)
    expect(described.map(({ name }) => name).sort()).toEqual([...specified].sort())
    for (const { name, outputSchema } of described)
      expect(outputSchema?.required).toEqual((operationById(name).response as { required?: string[] }).required)
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
        prices_list_candles_of_pairs: { symbol: ['XAU-EUR'], start: '2026-11-01' },
        claims_verify: { country: 'USA', indicator: 'cpi', value: '325' },
      }
      const { params = {}, query } = { ...examples[id], ...(ofThisWorld[id] && { params: ofThisWorld[id] }) }
      const [tool, chosen] = toolOf(id)
      // The pages of tools are shorter than those of REST.
      const isPaged = 'limit' in operation.query.properties
      const given: Record<string, unknown> = {
        ...params,
        ...(isPaged ? { limit: 5 } : {}),
        ...(query?.q ? { q: query.q } : {}),
        ...(query?.period ? { period: (await latestPeriod(figureOf(operation.path))) ?? '' } : {}),
      }
      if (id.includes('gdp_growth')) Object.assign(given, { country: 'USA' })
      const { result } = await call(tool, { ...chosen, ...given })
      const text = result.content[0]?.text ?? ''
      expect(result.isError, text).toBeUndefined()
      if (specified.includes(tool)) expect(result.structuredContent).toEqual(JSON.parse(text))
      else expect(result).not.toHaveProperty('structuredContent')
      if (inPages.has(id)) return
      expect([...Value.Errors(operation.response, JSON.parse(text))]).toEqual([])
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]))
      const inQuery = Object.entries(given).filter(([name]) => !operation.path.includes(`{${name}}`))
      const search = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, String(value)]))
      const rest = await ask(served.app, `${path}?${search}`)
      if (id === 'economics_get_trade_exports_history' || id === 'account_get_usage') return
      expect(text).toBe(rest.body)
    },
  )
  /** The path of a figure whose latest period is asked for. */
  const figureOf = (path: string) =>
    path === '/v1/verify' ? '/v1/economics/{country}/cpi' : path.replace(/\/vintages$/, '')
  const latestPeriod = async (path: string) =>
    (await ask(served.app, path.replace('{country}', 'USA'))).json<{ period?: string }>().period

  it.each([...inPages])('%s gives the list of REST page by page', async (name, { list, id }) => {
    const whole = (await ask(served.app, operationById(name).path)).json<Record<string, Record<string, unknown>[]>>()
    expect(whole[list]?.length).toBeGreaterThan(1)
    const page = async (given: object) => JSON.parse((await call(name, { ...given })).result.content[0]?.text ?? '')
    const { next_cursor, ...first } = await page({ limit: 1 })
    expect(first).toEqual({ ...whole, [list]: whole[list]?.slice(0, 1) })
    expect(next_cursor).toBe(whole[list]?.[0]?.[id])
    const rest = await page({ limit: 1000, cursor: next_cursor })
    expect(rest).toEqual({ ...whole, [list]: whole[list]?.slice(1), next_cursor: null })
    // What a whole number of pages holds ends with them.
    expect((await page({ limit: whole[list]?.length })).next_cursor).toBeNull()
    const { result } = await call(name, { cursor: 'nobody' })
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toContain('"code":"cursor_invalid"')
  })

  it.each([
    ['account_get_usage', null],
    ['catalog_list', { country: null, limit: null, cursor: null }],
    ['economics_get_cpi', { country: 'USA', period: null }],
    ['economics_list_observations', { indicator: 'cpi', country: 'USA', frequency: null, as_of: null }],
  ])('takes null for what is left out: %s %j', async (name, given) => {
    const { reply } = await send('tools/call', { name, arguments: given })
    expect(reply.result, JSON.stringify(reply)).toHaveProperty('content')
    expect(reply.result).not.toHaveProperty('isError')
  })
  it('takes the frequency of an indicator that has only one, and names it instead of another', async () => {
    const given = { indicator: 'cpi', country: 'USA' }
    const named = await call('economics_list_observations', { ...given, frequency: 'M' })
    expect(named.result.content).toEqual((await call('economics_list_observations', given)).result.content)
    const other = await call('economics_list_vintages', { ...given, frequency: 'Q' })
    expect(other.result.content[0]?.text).toContain('argument frequency: \\"Q\\" is not M, which is all that it can be')
  })
  it('takes null for parameters of the protocol, and for no argument that it needs', async () => {
    expect((await listed()).size).toBe(
      ((await send('tools/list', { cursor: null })).reply.result as Tools).tools.length,
    )
    const { result } = await call('economics_get_cpi', { country: null })
    expect(result.content[0]?.text).toContain('argument country is missing')
  })

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
      ['economics_list_observations', { country: 'USA' }, 'invalid_query'],
      ['economics_list_observations', { country: 'USA', indicator: 'cip' }, 'invalid_query'],
      ['economics_list_vintages', { country: 'USA', indicator: 'cpi', frequency: 'Q' }, 'invalid_query'],
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
    const meant = await call('economics_list_vintages', { country: 'USA', indicator: 'cip' })
    expect(meant.result.content[0]?.text).toContain('"detail":"argument indicator: \\"cip\\"')
    expect(meant.result.content[0]?.text).toContain('Did you mean cpi (Consumer price index)?')
    const turned = await call('economics_list_vintages', {
      country: 'USA',
      indicator: 'cpi',
      start: '2025',
      end: '2024',
    })
    expect(turned.result.content[0]?.text).toContain('"detail":"argument start: \\"2025\\" is after end')
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

  it('say in the content where there is a newer figure of another frequency', async () => {
    const rate = { indicator: 'unemployment', unit: 'percent', country: 'JPN' } as const
    served.releases.accept(testSeries(rate), '2024-12', { rate: '2.4' })
    served.releases.accept(testSeries({ ...rate, frequency: 'Q' }), '2025-Q4', { rate: '2.5' })
    const { result } = await call('economics_get_unemployment', { country: 'JPN' })
    const texts = result.content.map(({ text }: { text: string }) => text)
    const address = '/v1/economics/JPN/unemployment/observations?frequency=Q&start=2025-Q4'
    expect(texts.at(-1)).toContain(`Newer, in the history ${address}: 2025-Q4.`)
  })

  it('say in the content of a history that periods were never published, and where they are listed', async () => {
    const index = testSeries({ country: 'NZL' })
    for (const period of ['2025-09', '2025-11']) served.releases.accept(index, period, { value: '101' })
    served.releases.statements.apply({
      change: 'never_published',
      country: 'NZL',
      indicator: 'cpi',
      period: '2025-10',
      series: index.id,
      ...unknownDay,
      reason: 'There was no survey.',
      recorded_at: NOW,
    })
    const { result } = await call('economics_list_observations', { country: 'NZL', indicator: 'cpi' })
    const texts = result.content.map(({ text }: { text: string }) => text)
    const address = '/v1/calendar?country=NZL&indicator=cpi&status=never_published'
    expect(texts.at(-1)).toBe(`Some periods were never published: calendar_list has them, at ${address}.`)
  })

  it('say in the content what the day of a figure rests on, and that a newer figure was expected', async () => {
    const { result, headers } = await call('economics_get_cpi', { country: 'USA' })
    expect(headers.get('almanac-released-on-basis')).toBe('first_seen')
    const texts = result.content.map(({ text }: { text: string }) => text)
    expect(texts).toContain('released_on is the day on which this service first saw the figure; it may be older.')
    const ended = Number(headers.get('almanac-periods-ended-since'))
    expect(ended).toBeGreaterThan(3)
    expect(texts).toContain(
      `Old: ${ended} periods have ended since this one, and none of them has a whole figure on record.`,
    )
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
