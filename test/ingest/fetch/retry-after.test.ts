import fc from 'fast-check'
import { expect, it } from 'vitest'
import { retryAfter } from '../../../ingest/fetch/retry-after.ts'

const now = Date.UTC(2026, 10, 6, 8, 49, 7)

it.each([
  ['30', now + 30_000],
  [' 120 ', now + 120_000],
  ['Fri, 06 Nov 2026 08:49:37 GMT', now + 30_000],
  ['Friday, 06-Nov-26 08:49:37 GMT', now + 30_000],
  ['Fri Nov  6 08:49:37 2026', now + 30_000],
  ['0', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['Fri, 06 Nov 2026 08:49:07 GMT', undefined],
  ['Fri, 99 Nov 2026 08:49:37 GMT', undefined],
  ['2026-11-06T09:00:00Z', undefined],
  ['2027', now + 2_027_000],
  ['soon', undefined],
  ['', undefined],
])('%j', (header, at) => expect(retryAfter(header, now)).toBe(at))

it('names no time but a later one, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.bigInt().map(String),
        fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
      ),
      (header) => {
        expect(retryAfter(header, now) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now)
      },
    ),
  )
})

it('reads back what a date says', () => {
  const later = fc.date({ min: new Date(now + 1_000), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true })
  fc.assert(
    fc.property(later, (date) => {
      expect(retryAfter(date.toUTCString(), now)).toBe(Math.floor(date.getTime() / 1_000) * 1_000)
    }),
  )
})
