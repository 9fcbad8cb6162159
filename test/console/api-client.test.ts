import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rateLimit } from '../../access/rate-limit.ts'
import { apiClient, pathWith, remainingCalls } from '../../console/browser/api-client.js'
import { serviceWatch } from '../../console/browser/service-watch.js'

it('the calls that are left are read from the header as the service writes it', () => {
  const month = { used: 1, remaining: 4_999, resetAt: 60_000 }
  expect(remainingCalls(rateLimit({ allowed: true, remaining: 29, resetAfter: 1, retryAfter: 0 }, month, 0))).toBe(
    4_999,
  )
  expect(
    remainingCalls(rateLimit({ allowed: true, remaining: 29, resetAfter: 1, retryAfter: 0 }, undefined, 0)),
  ).toBeUndefined()
  expect(remainingCalls(null)).toBeUndefined()
})

it('a repeatable parameter is repeated, and one without a value is left out', () => {
  expect(pathWith('/v1/events', { country: ['USA', 'DEU'], start: undefined, limit: '50' })).toBe(
    '/v1/events?country=USA&country=DEU&limit=50',
  )
  expect(pathWith('/v1/catalog', {})).toBe('/v1/catalog')
})

describe('a call that gets no answer', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it.each([
    ['for lack of a connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    [
      'to its end',
      async () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('lost')) })),
    ],
  ])('%s is told once it is known whether the service is away', async (_, fetch) => {
    vi.stubGlobal('fetch', fetch)
    const watch = serviceWatch({
      ask: () => setImmediate().then(() => Promise.reject(new TypeError('Failed to fetch'))),
      onChange: () => undefined,
      isHidden: () => true,
    })
    const { ask } = apiClient({ key: () => undefined, watch })
    await expect(ask('/v1/catalog')).rejects.toMatchObject({ code: 'unreachable', status: 0 })
    expect(watch.isAway()).toBe(true)
  })
})
