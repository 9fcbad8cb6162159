import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tools } from '../../api/mcp-tools.ts'
import { operations } from '../../contracts/operations.ts'
import { ask, bearer, world } from './support.ts'

/** Whatever is asked, the answer is a body of the contract or a problem, and never a fault of ours. */

const piece = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '',
    '..',
    '%',
    '%zz',
    '%00',
    '__proto__',
    'constructor',
    'null',
    '[]',
    '{}',
    'USA',
    '2025-01',
    'v1.',
    '*',
  ),
  fc.base64String({ maxLength: 60 }).map((text) => `v1.${text}`),
)
const encoded = piece.chain((text) => fc.boolean().map((raw) => (raw ? text : encodeURIComponent(wellFormed(text)))))
const wellFormed = (text: string): string => text.toWellFormed()
const names = fc.oneof(
  fc.constantFrom(...new Set(operations.flatMap(({ query }) => Object.keys(query.properties)))),
  encoded,
)
const query = fc
  .array(fc.tuple(names, fc.option(encoded)), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join('&'))
const path = fc.oneof(
  fc.constantFrom(...operations.map((operation) => operation.path)).chain((template) =>
    fc.array(encoded, { minLength: 2, maxLength: 2 }).map((values) => {
      let i = 0
      return template.replace(/\{\w+\}/g, () => values[i++] ?? '')
    }),
  ),
  fc.array(encoded, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
)
/** What Node lets through as a header's value. */
const value = fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\t\x20-\x7e]/g, ''))
const headers = fc.dictionary(
  fc.constantFrom('accept', 'accept-encoding', 'if-none-match', 'request-id', 'origin', 'content-type', 'range'),
  fc.oneof(value, fc.constantFrom('*/*', '*', 'application/json', '"', 'W/"', 'gzip;q=0, *', 'identity;q=0')),
)
const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE')

/** Only what can stand in the first line of a request reaches a server at all. */
const sendable = (url: string): string => url.replace(/[\p{Cc}\s#]/gu, '').replace(/^[/\\]+/, '/')

describe('fuzz', () => {
  it('addresses, parameters and headers', async () => {
    const { app } = await world()
    await fc.assert(
      fc.asyncProperty(method, path, query, headers, fc.boolean(), async (asked, to, search, sent, keyed) => {
        const url = sendable(search ? `${to}?${search}` : to)
        const { statusCode } = await ask(app, {
          method: asked as 'GET',
          url,
          headers: { ...sent, ...(keyed ? bearer('free') : {}) },
        })
        expect(statusCode, url).toBeLessThan(500)
      }),
      { numRuns: 600 },
    )
  })

  it('messages to MCP', async () => {
    const { app } = await world()
    const message = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          jsonrpc: fc.constantFrom('2.0', '1.0'),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
          method: fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'x'),
          params: fc.record({
            name: fc.constantFrom(...tools.map(({ name }) => name), 'x'),
            arguments: fc.oneof(fc.jsonValue(), fc.record({ indicator: fc.jsonValue(), cursor: fc.jsonValue() })),
          }),
        })
        .map((body) => JSON.stringify(body)),
    )
    await fc.assert(
      fc.asyncProperty(message, async (payload) => {
        const response = await app.inject({
          method: 'POST',
          url: '/mcp',
          headers: { ...bearer(), 'content-type': 'application/json' },
          payload,
        })
        expect(response.statusCode, payload).toBeLessThan(500)
        expect(response.body).not.toMatch(/node_modules|\.ts:\d/)
      }),
      { numRuns: 200 },
    )
  })
})
