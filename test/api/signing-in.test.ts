import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../access/key.ts'
import { deriveAddressKey } from '../../access/keys.ts'
import { callerByHeaderOrAddress } from '../../api/address-key.ts'
import { challengeFor } from '../../api/challenge.ts'
import { operations } from '../../contracts/operations.ts'
import { ask, bearer, keyId, NOW, type World, world } from './support.ts'

const cpi = '/v1/economics/USA/cpi'
const key = bearer().authorization.slice('Bearer '.length)
const basic = (pair: string, scheme = 'Basic') => ({
  authorization: `${scheme} ${Buffer.from(pair).toString('base64')}`,
})

describe('HTTP Basic', () => {
  it('signs in to every read, and to nothing else', async () => {
    const { app } = await world()
    const example = { country: 'USA', indicator: 'cpi', commodity: 'TIN', currency: 'USD', base: 'EUR' }
    const keyed = operations.filter(({ access }) => access !== 'none')
    expect(keyed.length).toBeGreaterThan(20)
    for (const { id, method, path } of keyed) {
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => example[name as keyof typeof example] ?? 'x')
      const body = method === 'POST' ? { payload: { origin: 'https://app.example.com' } } : {}
      const by = async (headers: object) =>
        (await app.inject({ method, url, headers: { ...headers }, ...body })).statusCode
      const signedIn = await by(bearer())
      expect(signedIn, id).not.toBe(401)
      expect(await by(basic(`${key}:`, 'basic')), id).toBe(method === 'GET' ? signedIn : 401)
    }
  })

  it('is answered as with Bearer, on HEAD and as of a day too, and charged to the account', async () => {
    const { app, quota } = await world()
    for (const headers of [basic(`${key}:`), basic(`${key}:x`, 'BASIC'), basic(`:${key}`), basic(`me:${key}`)])
      expect((await ask(app, { url: cpi, headers })).json()).toEqual((await ask(app, cpi)).json())
    expect((await ask(app, { url: cpi, method: 'HEAD', headers: basic(`${key}:`) })).statusCode).toBe(200)
    expect((await ask(app, { url: `/asof/2025-12-20${cpi}`, headers: basic(`:${key}`) })).statusCode).not.toBe(401)
    expect(quota.used).toBeGreaterThanOrEqual(9)
  })

  it('is refused by MCP and tickets with the reason', async () => {
    const { app } = await world()
    for (const url of ['/mcp', '/v1/events/stream-ticket']) {
      const refused = await app.inject({ method: 'POST', url, headers: basic(`${key}:`), payload: {} })
      expect([refused.statusCode, refused.json().detail], url).toEqual([
        401,
        expect.stringContaining('GET and HEAD only'),
      ])
    }
  })

  it.for([
    ['Basic', 'base64'],
    ['Basic !', 'base64'],
    [basic('a:b').authorization, 'not an API key'],
    [
      basic(`${generateKey('live', randomBytes)}:`).authorization,
      'The API key is not valid: a character of it is wrong or missing, or it is of another service.',
    ],
    ['Digest x', 'neither "Bearer <API_KEY>" nor HTTP Basic'],
  ] as const)('is refused without a prompt: %s', async ([authorization, says]) => {
    const { app } = await world()
    const { statusCode, headers, problem } = await ask(app, { url: cpi, headers: { authorization } })
    expect([statusCode, problem.detail]).toEqual([401, expect.stringContaining(says)])
    expect(headers['www-authenticate']).toBe('Bearer')
  })
})

describe('the challenge', () => {
  it('offers Basic only where a browser does not fetch in the middle of a page', () => {
    for (const path of ['/fred/series', '/graph/fredgraph.csv', '/sdmx/2.1/data/x', '/sdmx'])
      expect(challengeFor(path), path).toMatch(/^Basic realm="Almanac", charset="UTF-8", Bearer$/)
    for (const path of [cpi, '/mcp', '/iceberg/v1/config', '/sdmxs', '/freddy', '/', '/v1/fred/x'])
      expect(challengeFor(path), path).toBe('Bearer')
  })
})

/** A surface as that of FRED, whose clients can put their key into the address only. */
function withSurface(served: World): FastifyInstance {
  const { app, deps } = served
  app.get('/fred/test', (request) => callerByHeaderOrAddress(deps.gate, request).keyId)
  return app
}

describe('a key in the address', () => {
  const short = async () => {
    const served = await world()
    const pro = served.keys.get(keyId('pro'))
    if (!pro) throw new Error('the world has a key of each plan')
    const derived = deriveAddressKey(pro, 'TEST', Date.parse(NOW), randomBytes)
    served.keys.apply(derived.record)
    return { served, app: withSurface(served), derived }
  }

  it('signs in to its surface alone', async () => {
    const { app, derived } = await short()
    const at = (url: string, headers = {}) => app.inject({ url, headers })
    const answer = await at(`/fred/test?api_key=${derived.key}`, { origin: 'https://app.example.com' })
    expect([answer.statusCode, answer.body]).toEqual([200, derived.record.key_id])
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect((await at('/fred/test?api_key=dummy', bearer())).body).toBe(keyId('pro'))
    const search = '/fred/series/search?search_text=gdp&file_type=json'
    for (const prefix of ['', '/asof/2025-12-20'])
      expect((await at(`${prefix}${search}&api_key=${derived.key}`)).statusCode, prefix).toBe(200)
    expect((await at(search, basic(`${key}:`))).statusCode).toBe(200)
    expect((await at(search, { authorization: `Bearer ${derived.key}` })).statusCode).toBe(401)
    for (const url of [cpi, '/v1/usage', '/v1/events']) {
      const refused = await ask(app, { url: `${url}?api_key=${derived.key}`, headers: {} })
      expect([refused.statusCode, refused.body.includes(derived.key)], url).toEqual([401, false])
    }
    for (const headers of [{ authorization: `Bearer ${derived.key}` }, basic(`${derived.key}:`)])
      expect((await ask(app, { url: cpi, headers })).problem.detail).toContain('valid in an address only')
    const tool = { method: 'POST', payload: {}, headers: { authorization: `Bearer ${derived.key}` } } as const
    for (const url of ['/mcp', '/v1/events/stream-ticket'])
      expect((await app.inject({ ...tool, url })).statusCode, url).toBe(401)
  })

  it('is refused if it is a full one, even beside a header, and offers Basic', async () => {
    const { app } = await short()
    for (const headers of [{}, bearer()]) {
      const refused = await app.inject({ url: `/fred/test?api_key=${key}`, headers })
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, challengeFor('/fred/test')])
      expect(refused.body).toContain('almanac keys derive')
      expect(refused.body).not.toContain(key.slice(9))
    }
    const missing = await app.inject({ url: '/fred/test' })
    expect([missing.statusCode, missing.headers['www-authenticate']]).toEqual([401, challengeFor('/fred/test')])
    expect((await app.inject({ url: '/fred/test?api_key=a&api_key=b' })).statusCode).toBe(400)
  })

  it('is repeated in no answer, wherever it stands', async () => {
    const { app, derived } = await short()
    const encoded = `%61${derived.key.slice(1)}`
    for (const secret of [key, derived.key, encoded])
      for (const url of [
        `/${secret}`,
        `/v1/economics/USA/${secret}`,
        `/v1/economics/${secret}/cpi`,
        `/v1/problems/${secret}/`,
        `/asof/${secret}/v1/usage`,
        `/asof/2025-12-20/${secret}`,
        `${cpi}?${secret}=1`,
        `${cpi}?period=${secret}`,
        `/v1/events?cursor=${secret}`,
        `/v1/verify?country=USA&indicator=cpi&period=2025-10&value=${secret}`,
        `/fred/test?api_key=${secret}`,
      ]) {
        const { statusCode, headers, body } = await app.inject({
          url,
          headers: { ...bearer(), accept: 'application/json' },
        })
        const said = JSON.stringify(headers) + body
        const characters = decodeURIComponent(secret)
          .replace(/^alm_test_/, '')
          .slice(3, 30)
        expect(said.includes(characters), `${url} ${statusCode} ${said}`).toBe(false)
      }
  })

  it('is in no line of the log that names the request', async () => {
    const lines: string[] = []
    const log = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }))
    const { app } = await world({ logger: { error: log, warn: log } })
    app.get('/fred/:any', () => {
      throw new Error('TEST')
    })
    for (const url of [`/fred/${key}`, `/fred/%61${key.slice(1)}?x=1`, `/fred/x?api_key=${key}`])
      expect((await app.inject({ url })).statusCode).toBe(500)
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(['/fred/[key]', '/fred/%5Bkey%5D', '/fred/x'])
    expect(lines.join()).not.toContain(key.slice(9, 30))
  })
})
