import { expect, it } from 'vitest'
import { rateLimit } from '../../access/rate-limit.ts'
import { pathWith, remainingCalls } from '../../console/browser/api-client.js'

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
