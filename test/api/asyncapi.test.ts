import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Value } from '#typebox'
import { asyncApi } from '../../api/asyncapi.ts'
import { streamExamples } from '../../api/stream-examples.ts'
import * as contract from '../../contracts/frames.ts'
import { errorCodesOf, streamErrors, streamNames, streamPath } from '../../contracts/streams.ts'
import { ask, world } from './support.ts'

type Ref = { readonly $ref: string }
type Described = {
  readonly asyncapi: string
  readonly info: { readonly version: string }
  readonly servers: Readonly<Record<string, { readonly security: readonly Ref[] }>>
  readonly channels: Readonly<
    Record<
      string,
      { readonly address: string; readonly messages: Readonly<Record<string, Ref>>; readonly bindings: object }
    >
  >
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: Ref; readonly messages: readonly Ref[] }>
  >
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly description?: string; readonly payload: Ref }>>
    readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>>
  }
}
const described = (async () => (await ask((await world()).app, '/asyncapi.json')).json<Described>())()

/** Everything that contracts/frames.ts exports as a schema with a name. */
const schemas = Object.values(contract).filter((value) => '$id' in value) as unknown as readonly {
  readonly $id: string
}[]
const idsOf = (list: readonly object[]) => list.map((schema) => (schema as { $id: string }).$id)

describe('AsyncAPI', () => {
  it('is of version 3.0.0, describes 1.0.0 and can be read by anyone', async () => {
    expect(await described).toMatchObject({ asyncapi: '3.0.0', info: { version: '1.0.0' } })
    const { headers, statusCode } = await ask((await world()).app, { url: '/asyncapi.json', headers: {} })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers.etag).toMatch(/^"/)
  })

  it('has every frame, by its name, with a payload of the same members', async () => {
    const { components } = await described
    expect(schemas.length).toBeGreaterThan(15)
    expect(Object.keys(components.messages).sort()).toEqual(schemas.map(({ $id }) => $id).sort())
    for (const schema of schemas) {
      expect(components.messages[schema.$id]?.payload).toEqual({ $ref: `#/components/schemas/${schema.$id}` })
      expect(components.schemas[schema.$id]?.required).toEqual((schema as { required?: string[] }).required)
    }
  })

  it('names every code of a notice, and so do the page and docs/streams.md', async () => {
    const codes = contract.Notice.properties.code.anyOf.map(({ const: code }) => code)
    expect(codes).toEqual(['falling_behind', 'going_away'])
    const { components } = await described
    const page = (await ask((await world()).app, { url: '/docs', headers: {} })).body
    const row = page.slice(page.indexOf('id="Notice"')).split('</tr>')[0]
    const document = readFileSync(new URL('../../docs/streams.md', import.meta.url), 'utf8')
    for (const code of codes) {
      expect(JSON.stringify(components.schemas.Notice)).toContain(`"${code}"`)
      expect(components.messages.Notice?.description).toContain(code)
      expect(row).toContain(`<code>${code}</code>`)
      expect(document).toContain(`\`${code}\``)
    }
  })

  it('says of each stream where it is, what it takes and what it gives', async () => {
    const { channels, operations } = await described
    expect(Object.keys(channels)).toEqual([...streamNames])
    for (const name of streamNames) {
      const { client, server } = contract.frames[name]
      const { address, messages, bindings } = channels[name] ?? { messages: {} }
      expect(address).toBe(streamPath(name))
      expect(Object.keys(messages)).toEqual(idsOf([...client, ...server]))
      expect(bindings).toMatchObject({
        ws: { method: 'GET', query: { properties: { ticket: {} } }, headers: { properties: { authorization: {} } } },
      })
      const refs = (list: readonly object[]) => idsOf(list).map((id) => ({ $ref: `#/channels/${name}/messages/${id}` }))
      expect(operations[`${name}Receive`]).toMatchObject({ action: 'receive', messages: refs(client) })
      expect(operations[`${name}Send`]).toMatchObject({ action: 'send', messages: refs(server) })
      expect(operations[`${name}Send`]?.channel).toEqual({ $ref: `#/channels/${name}` })
    }
    expect(Object.keys(operations)).toHaveLength(streamNames.length * 2)
  })

  it('refers only to what it holds, and holds no schema that nothing refers to', async () => {
    const document = await described
    const text = JSON.stringify(document)
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? ''))
    expect(references.size).toBeGreaterThan(40)
    for (const path of references) {
      const target = path
        .split('/')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document)
      expect(target, path).toBeTypeOf('object')
      expect(target, path).not.toEqual({})
    }
    for (const id of Object.keys(document.components.schemas)) expect(references).toContain(`components/schemas/${id}`)
    expect(text).not.toContain('"$id"')
  })

  it('gives no two frames one name', () => {
    const ids = schemas.map(({ $id }) => $id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names every error with its close code and what to do, and both ways to prove who one is', async () => {
    const { components, servers } = await described
    const told = { prices: 'PricesError', events: 'EventsError', predictions: 'PredictionsError' }
    for (const stream of streamNames) {
      const { description = '' } = components.messages[told[stream]] ?? {}
      for (const code of errorCodesOf(stream)) {
        const { close, advice } = streamErrors[code]
        expect(description).toContain(`\`${code}\` (${close})`)
        expect(description).toContain(advice)
      }
    }
    const all = streamNames.flatMap((stream) => errorCodesOf(stream))
    expect(new Set(all)).toEqual(new Set(Object.keys(streamErrors)))
    expect(servers.streams?.security).toEqual(
      ['BearerAuth', 'Ticket'].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
    )
  })

  it('gives the error of prices the one member and the codes of the interface specification', async () => {
    const { components } = await described
    const schemas = components.schemas as Record<string, { properties?: object; additionalProperties?: unknown }>
    expect(Object.keys(schemas.PricesError?.properties ?? {})).toEqual(['type', 'code'])
    expect(schemas.PricesError?.additionalProperties).toBe(false)
    expect([...errorCodesOf('prices')].sort()).toEqual(
      [
        'unauthorized',
        'plan_upgrade_required',
        'stream_limit',
        'quota_unavailable',
        'subscribe_required',
        'resubscribe_required',
        'invalid_command',
        'invalid_frame',
        'commodity_not_supported',
        'currency_not_supported',
        'revoked',
        'slow_consumer',
        'command_limit',
        'unavailable',
      ].sort(),
    )
  })

  it('is the same each time it is made', () => expect(JSON.stringify(asyncApi())).toBe(JSON.stringify(asyncApi())))
})

describe('stream examples', () => {
  it.each(schemas.map((schema) => [schema.$id, schema] as const))('%s', (id, schema) => {
    expect([...Value.Errors(schema, streamExamples[id])]).toEqual([])
  })
  it('are of frames that there are', () => {
    expect(Object.keys(streamExamples).sort()).toEqual(schemas.map(({ $id }) => $id).sort())
  })
})

describe('pages', () => {
  it('have every stream, every message and every error code with what to do', async () => {
    const { body } = await ask((await world()).app, '/docs')
    for (const name of streamNames) expect(body).toContain(`>ws://streams.test:8081${streamPath(name)}</code>`)
    for (const { $id } of schemas) expect(body).toContain(`id="${$id}"`)
    const { body: index } = await ask((await world()).app, '/problems')
    for (const [code, { close, advice }] of Object.entries(streamErrors)) {
      expect(body).toContain(`id="stream-${code}"`)
      expect(body).toContain(`class="figure">${close}</td>`)
      expect(body).toContain(advice.replace(/`(\w+)`/g, '<code>$1</code>'))
    }
    expect(index).toContain('href="/docs#stream-errors"')
  })
})
