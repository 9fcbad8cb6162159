import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shown } from '../../api/refusals.ts'
import { ask, bearer, world } from './support.ts'

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
/** The deepest that 64 KiB have room for, and what JSON.stringify fails at. */
const deep = [5_000, 30_000].flatMap((depth) => [
  nested(depth, '[', ']'),
  `${'{"a":'.repeat(depth / 3)}1${'}'.repeat(depth / 3)}`,
])

it('a value is shown as its JSON, cut after 77 characters', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(shown(value)).toBe(text.length > 80 ? `${text.slice(0, 77)}…` : text)
    }),
    { numRuns: 1_000 },
  )
  expect(shown(undefined)).toBe('undefined')
})

it.each(deep)('a body that is nested deeply is invalid, wherever it is so %#', async (value) => {
  const { app, quota } = await world()
  for (const payload of [value, `{"origin":${value}}`, `{"origin":"https://app.example.com","more":${value}}`]) {
    const headers = { ...bearer(), 'content-type': 'application/json' }
    const { problem } = await ask(app, { method: 'POST', url: '/v1/events/stream-ticket', headers, payload })
    expect(problem.code).toBe('invalid_body')
  }
  const tools = [
    'events_list","arguments":{"limit":',
    'events_list","arguments":{"country":',
    'events_get","arguments":{"more":',
  ]
  for (const tool of tools) {
    const payload = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}${value}}}}`
    const headers = { ...bearer(), 'content-type': 'application/json' }
    const { body } = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
    expect(JSON.parse(body).result.content[0].text).toMatch(/"code":"(invalid_query|invalid_path)"/)
  }
  expect(quota.granted).toBe(0)
})
