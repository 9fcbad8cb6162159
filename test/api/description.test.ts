import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { Value } from '#typebox'
import { examples } from '../../api/examples.ts'
import { fredCalls, GRAPH_BESIDE } from '../../api/fred/calls.ts'
import { openApi } from '../../api/openapi.ts'
import { addressOf, interfaces } from '../../api/sdmx/calls.ts'
import { version } from '../../cli/version.ts'
import { eventDataSchemas } from '../../contracts/event-data.ts'
import { commodities, currencies } from '../../contracts/instruments.ts'
import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import { operations } from '../../contracts/operations.ts'
import { problems } from '../../contracts/problems.ts'
import { ask, bearer, type World, world } from './support.ts'

type Described = {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}
type DescribedOperation = {
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: {
    readonly required: true
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: object }>>
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>
        readonly content?: Readonly<Record<string, { examples?: object }>>
      }
    >
  >
}

const described = (async () => (await ask((await world()).app, '/openapi.json')).json<Described>())()

/** Served routes, `GET /v1/usage`, without the methods that come with others. */
const routesOf = (app: FastifyInstance): string[] => {
  const routes: string[] = []
  for (const { path, method } of operations) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    if (app.hasRoute({ method, url })) routes.push(`${method} ${path}`)
  }
  return routes
}

/** What is served beside the operations: pages, the description, MCP, what orchestration asks, and other surfaces. */
const others = [
  'GET /',
  'GET /assets/*',
  'GET /docs',
  'GET /problems',
  'GET /problems/:code',
  'GET /openapi.json',
  'GET /asyncapi.json',
  'GET /ready',
  'POST /mcp',
  ...Object.values(fredCalls).map(({ url }) => `GET ${url}`),
  `GET ${GRAPH_BESIDE}`,
  ...interfaces.map((version) => `GET ${addressOf(version)}/*`),
]

describe('OpenAPI', () => {
  it('is of version 3.1.0, describes 1.0.0 and can be read by anyone', async () => {
    expect(await described).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    const { headers } = await ask((await world()).app, { url: '/openapi.json', headers: {} })
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  it('describes what is served, and nothing else is served', async () => {
    const { app } = await world()
    const paths = Object.entries((await described).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(paths.sort()).toEqual(routesOf(app).sort())
    expect(paths).toHaveLength(operations.length)
    // The router's own count of what it holds: operations and others, once for GET and once for HEAD.
    const leaves = app.printRoutes({ commonPrefix: false }).match(/\((?:GET|POST)[^)]*\)/g) ?? []
    // It prints all that end in a wildcard as one.
    const wildcards = others.filter((other) => other.endsWith('*')).length
    expect(leaves).toHaveLength(operations.length + others.length - wildcards + 1)
    for (const other of others) {
      const [method = 'GET', url = ''] = other.split(' ')
      expect(app.hasRoute({ method: method as 'GET', url }), other).toBe(true)
    }
  })

  it('says of each operation what it takes and all that it can end in', async () => {
    const { paths } = await described
    for (const { id, path, method, access, params, query, body, problems: codes } of operations) {
      const operation = paths[path]?.[method.toLowerCase()]
      const [answered, other] = method === 'POST' ? ['201', '200'] : ['200', '201']
      expect(operation?.responses).toHaveProperty(answered)
      expect(operation?.responses).not.toHaveProperty(other)
      expect(operation?.requestBody !== undefined, id).toBe(body !== undefined)
      if (body) expect(operation?.requestBody?.content['application/json']?.example).toEqual(examples[id]?.sent)
      expect(operation?.operationId).toBe(id)
      expect(operation?.security).toHaveLength(access === 'none' ? 0 : method === 'GET' ? 2 : 1)
      expect(operation?.parameters.map(({ name }) => name)).toEqual([
        ...Object.keys(params.properties),
        ...Object.keys(query.properties),
      ])
      const { required = [] } = query as { readonly required?: readonly string[] }
      for (const { name, in: place, required: isRequired } of operation?.parameters ?? [])
        expect(isRequired, `${id} ${name}`).toBe(place === 'path' || required.includes(name))
      for (const code of codes) {
        const response = operation?.responses[problems[code].status]
        expect(response?.content?.['application/problem+json']?.examples, `${id} ${code}`).toHaveProperty(code)
      }
    }
  })

  it('has real paths in the examples of problems', () => {
    const instances = [...JSON.stringify(openApi()).matchAll(/"instance":"([^"]*)"/g)].map(([, path]) => path)
    expect(instances).toContain('/v1/economics/USA/cpi')
    expect(instances.filter((path) => path?.includes('{'))).toEqual([])
  })

  it('names the header of the next page where CSV has pages', async () => {
    const { paths } = await described
    for (const { path, query, hasCsv } of operations) {
      const link = paths[path]?.get?.responses[200]?.headers?.Link
      const next = { $ref: '#/components/headers/NextLink' }
      if (hasCsv && 'limit' in query.properties) expect(link, path).toEqual(next)
      else expect(link, path).not.toEqual(next)
    }
  })

  it('holds every schema that it refers to, and no name twice', async () => {
    const text = JSON.stringify(await described)
    const { schemas } = (await described).components
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect(references.length).toBeGreaterThan(20)
    for (const name of references) expect(schemas).toHaveProperty(name ?? '')
    expect(text).not.toContain('"$id"')
    for (const schema of Object.values(schemas)) expect(schema).not.toEqual({})
  })

  it('holds the schema of every event’s data', async () => {
    const { schemas } = (await described).components
    for (const name of eventDataSchemas.keys()) expect(schemas).toHaveProperty(name)
  })

  it('refers to every schema that it has', () => {
    const text = JSON.stringify(openApi())
    // Cast: the document is plain JSON, and every OpenAPI document has these members.
    const { components } = openApi() as { components: { schemas: object } }
    const unused = Object.keys(components.schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
    expect(unused).toEqual([])
  })

  it('is the same each time it is made', () => expect(JSON.stringify(openApi())).toBe(JSON.stringify(openApi())))
})

describe('examples', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    (id, { params, query, body, response }) => {
      const example = examples[id]
      expect(example?.sent !== undefined).toBe(body !== undefined)
      if (body) expect([...Value.Errors(body, example?.sent)]).toEqual([])
      expect([...Value.Errors(response, example?.body)]).toEqual([])
      expect(Object.keys(example?.params ?? {})).toEqual(Object.keys(params.properties))
      for (const name of Object.keys(example?.query ?? {})) expect(query.properties).toHaveProperty(name)
    },
  )
  it('of the health is of this release', () => {
    expect(examples.health_health_get?.body).toMatchObject({ version })
  })
  it('are of operations that there are', () => {
    expect(Object.keys(examples).sort()).toEqual(operations.map(({ id }) => id).sort())
  })
  it('can be run as they stand', async () => {
    const { app } = await world()
    for (const { id, method, path } of operations) {
      const { params, query, sent } = examples[id] ?? {}
      const url = `${path.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '')}?${new URLSearchParams(query)}`
      const { statusCode } = await ask(app, { url, method, headers: bearer(), ...(sent ? { payload: sent } : {}) })
      expect([200, 201, 404], url).toContain(statusCode)
    }
  })
})

describe('pages', () => {
  let served: Promise<World> | undefined
  const text = async (url: string) => {
    served ??= world()
    const { body, headers, statusCode } = await ask((await served).app, { url, headers: {} })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    return { body, policy: String(headers['content-security-policy']) }
  }

  it('the reference has every operation with a curl, every code and every plan', async () => {
    const { body } = await text('/docs')
    for (const { id, path } of operations) {
      expect(body).toContain(`id="${id}"`)
      expect(body).toContain(`data-path="${path}"`)
    }
    expect(body.match(/<code>curl -s/g)).toHaveLength(operations.length)
    for (const code of [...Object.keys(commodities), ...currencies]) expect(body).toContain(`<code>${code}</code>`)
    for (const plan of ['free', 'basic', 'pro']) expect(body).toContain(`>${plan}</td>`)
  })

  it('the reference names the addresses of this service, and one variable for the key', async () => {
    const { body } = await text('/docs')
    const shown = body
      .replace(/<script>[\s\S]*<\/script>/, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
    expect(shown).not.toContain('127.0.0.1')
    expect(shown).toContain("curl -s 'http://rest.test:8080/v1/economics/USA/cpi'")
    expect(shown).toContain('"url": "http://rest.test:8080/mcp"')
    expect(shown).toContain(`"Authorization": "Bearer \${${KEY_VARIABLE}}"`)
    const variables = [...body.matchAll(/Bearer \$\{?([A-Z_]+)/g)].map(([, name]) => name)
    expect(variables.length).toBeGreaterThan(10)
    expect(new Set(variables)).toEqual(new Set([KEY_VARIABLE]))
  })

  it('every problem has its page, which says what to do', async () => {
    const { body: index } = await text('/problems')
    for (const [code, { advice, title }] of Object.entries(problems)) {
      expect(index).toContain(`href="/problems/${code}"`)
      const { body } = await text(`/problems/${code}`)
      expect(body).toContain(`<h1>${title}</h1>`)
      expect(body).toContain(advice.replace(/[<>&]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[c] ?? c))
    }
  })

  it('link only to what is there', async () => {
    const { app } = await world()
    for (const url of ['/', '/docs', '/problems', '/problems/cursor_expired']) {
      const { body } = await text(url)
      for (const [, target = ''] of body.matchAll(/href="([^"]+)"/g)) {
        if (target.startsWith('data:')) continue
        const [path = '', fragment] = target.split('#')
        if (path !== '') expect((await ask(app, path)).statusCode, target).toBe(200)
        if (fragment) expect(path === '' ? body : (await text(path)).body, target).toContain(` id="${fragment}"`)
      }
    }
  })

  it('load nothing and run nothing but what is theirs', async () => {
    const { body, policy } = await text('/docs')
    expect(body).not.toMatch(/<(?:script|img|iframe|link)[^>]+(?:src|href)="(?:https?:)?\/\//)
    expect(body).not.toMatch(/ (?:on\w+|style)="/)
    expect(policy).toContain("default-src 'none'")
    for (const tag of ['style', 'script']) {
      const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body)?.[1] ?? ''
      const sum = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))).toString(
        'base64',
      )
      expect(policy).toContain(`${tag}-src 'sha256-${sum}'`)
    }
  })
})
