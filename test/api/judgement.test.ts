import { describe, expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { ask, bearer, JOURNAL, type World, world } from './support.ts'

/**
 * The order of judgement: route and method → key → burst → validity → plan → quota → existence → availability. Each row
 * commits every fault from its own on; the first of them must be what is answered, and only the last three rows cost.
 */
const ahead = encodeEventCursor({ journal: JOURNAL, sequence: 999_999, hint: 0 })

type Fault = { readonly code: string; readonly commit: (attempt: Attempt, served: World) => void }
type Attempt = { url: string; method: 'GET' | 'DELETE'; headers: Record<string, string> }

const faults: readonly Fault[] = [
  {
    code: 'method_not_allowed',
    commit: (attempt) => {
      attempt.method = 'DELETE'
    },
  },
  {
    code: 'unauthorized',
    commit: (attempt) => {
      attempt.headers = {}
    },
  },
  {
    code: 'rate_limited',
    commit: (_, served) => {
      served.perMinute = 0
    },
  },
  {
    code: 'invalid_query',
    commit: (attempt) => {
      attempt.url += '&limit=0'
    },
  },
  {
    code: 'cursor_ahead',
    commit: (attempt) => {
      attempt.url += `&cursor=${ahead}`
    },
  },
  {
    code: 'plan_upgrade_required',
    commit: (attempt) => {
      attempt.url += '&family=fx'
    },
  },
  {
    code: 'quota_exhausted',
    commit: (_, { quota }) => {
      quota.limit = 0
    },
  },
  {
    code: 'unavailable',
    commit: (_, served) => {
      served.ready = 'reading the journal'
    },
  },
]

describe('order of judgement', () => {
  for (const [i, { code }] of faults.entries()) {
    it(`${code} comes before all that follows it`, async () => {
      const served = await world()
      const attempt: Attempt = { url: '/v1/events?country=USA', method: 'GET', headers: { ...bearer('free') } }
      for (const fault of faults.slice(i)) fault.commit(attempt, served)
      const { problem, headers } = await ask(served.app, attempt)
      expect(problem.code).toBe(code)
      expect(served.quota.used).toBe(0)
      expect(headers.ratelimit === undefined).toBe(i < 2)
    })
  }

  it('asks whether there is an answer before whether there can be one', async () => {
    const { app } = await world({
      prices: {
        spot: () => undefined,
        fx: () => undefined,
        routes: () => [],
        isSimulated: () => false,
        hasSimulated: false,
        isDemonstration: false,
      },
    })
    expect((await ask(app, '/v1/commodities/spot/BUTTER/USD')).problem.code).toBe('commodity_not_supported')
    expect((await ask(app, '/v1/commodities/spot/XAU/USD')).problem.code).toBe('price_unavailable')
  })

  it('judges a cursor as far as it can where the read model is away, and says that only after the quota', async () => {
    const away = async (): Promise<never> => {
      throw new ProblemError('unavailable', 'The read models cannot be reached.')
    }
    const served = await world({ events: { page: away, byId: away, bounds: away, recordedFrom: away } })
    served.quota.limit = 0
    const garbled = await ask(served.app, '/v1/events?cursor=x')
    expect(garbled.problem.code).toBe('cursor_invalid')
    expect(garbled.headers.link).toBe('</v1/events?cursor=earliest>; rel="earliest"')
    expect((await ask(served.app, `/v1/events?cursor=${ahead}`)).problem.code).toBe('quota_exhausted')
    expect((await ask(served.app, '/v1/events?start=2026-01-15')).problem.code).toBe('quota_exhausted')
    served.quota.limit = 1
    expect((await ask(served.app, `/v1/events?cursor=${ahead}`)).problem.code).toBe('unavailable')
  })
})

describe('the charge', () => {
  const spent = async (served: World, request: Parameters<typeof ask>[1], status: number): Promise<number> => {
    const { used } = served.quota
    expect((await ask(served.app, request)).statusCode).toBe(status)
    return served.quota.used - used
  }
  const cpi = '/v1/economics/USA/cpi'

  it('is one call for 200, 304, 404 and HEAD', async () => {
    const served = await world()
    const { headers } = await ask(served.app, cpi)
    expect(await spent(served, cpi, 200)).toBe(1)
    const known = { ...bearer(), 'if-none-match': String(headers.etag) }
    expect(await spent(served, { url: cpi, headers: known }, 304)).toBe(1)
    expect(await spent(served, { url: cpi, method: 'HEAD', headers: bearer() }, 200)).toBe(1)
    expect(await spent(served, '/v1/economics/BRA/cpi', 404)).toBe(1)
    expect(await spent(served, '/v1/economics/USA/trade/exports?partner=CAN', 404)).toBe(1)
    expect(await spent(served, `/v1/events/evt_${'0'.repeat(26)}`, 404)).toBe(1)
    expect(await spent(served, '/v1/events', 200)).toBe(1)
  })

  it('is nothing for other refusals, OPTIONS, usage, health and the pages', async () => {
    const served = await world()
    expect(await spent(served, `${cpi}?x=1`, 400)).toBe(0)
    expect(await spent(served, { url: cpi, method: 'OPTIONS', headers: bearer() }, 204)).toBe(0)
    expect(await spent(served, { url: cpi, method: 'DELETE', headers: bearer() }, 405)).toBe(0)
    expect(await spent(served, { url: '/v1/events?family=fx', headers: bearer('free') }, 403)).toBe(0)
    expect(await spent(served, '/v1/events?cursor=x', 400)).toBe(0)
    for (const url of ['/v1/usage', '/health', '/ready', '/docs', '/', '/openapi.json', '/problems']) {
      expect(await spent(served, url, 200), url).toBe(0)
    }
    expect(served.quota.granted).toBe(0)
  })

  it('is given back for what is ours to mend', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('a fault')
    }
    const one = { series: broken, observations: broken, vintages: broken, prints: broken, watermark: broken }
    const history = { ...one, seriesOfMany: broken, inForce: broken }
    const served = await world({ history })
    expect(await spent(served, '/v1/commodities/spot/TIN/USD', 503)).toBe(0)
    expect(await spent(served, '/v1/economics/USA/trade/exports/observations', 500)).toBe(0)
    served.ready = 'reading'
    expect(await spent(served, cpi, 503)).toBe(0)
    expect(served.quota.granted).toBe(3)
  })

  it('is the same where the gate has to wait', async () => {
    const { deps, quota } = await world()
    const { gate } = deps
    const slow: ApiDeps['gate'] = {
      authenticate: (authorization) => gate.authenticate(authorization),
      authenticateRead: (authorization) => gate.authenticateRead(authorization),
      authenticateAddressKey: (key) => gate.authenticateAddressKey(key),
      burst: async (caller) => gate.burst(caller),
      charge: async (caller) => gate.charge(caller),
      refund: (caller) => gate.refund(caller),
      rateLimit: (caller) => gate.rateLimit(caller),
      usage: (caller) => gate.usage(caller),
      stillAdmits: (keyId) => gate.stillAdmits(keyId),
    }
    const { app } = await world({ gate: slow })
    expect((await ask(app, cpi)).statusCode).toBe(200)
    expect((await ask(app, '/v1/economics/BRA/cpi')).statusCode).toBe(404)
    expect((await ask(app, '/v1/fx/rates/NOK')).statusCode).toBe(503)
    expect((await ask(app, { url: cpi, headers: { ...bearer(), accept: 'text/html' } })).statusCode).toBe(406)
    expect(quota.used).toBe(2)
    quota.limit = 2
    expect((await ask(app, cpi)).problem.code).toBe('quota_exhausted')
  })

  it('shows in usage and in the headers', async () => {
    const { app } = await world()
    await ask(app, { url: cpi, headers: bearer('basic') })
    const { headers } = await ask(app, { url: cpi, headers: bearer('basic') })
    expect(headers['ratelimit-policy']).toBe('"burst";q=120;w=60, "month";q=100000')
    expect(headers.ratelimit).toContain('"month";r=99998;')
    const usage = (await ask(app, { url: '/v1/usage', headers: bearer('basic') })).json()
    expect(usage).toMatchObject({ plan: 'basic', month: '2026-11', used: 2, remaining: 99_998 })
  })
})
