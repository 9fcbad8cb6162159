import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  decodeEventCursor,
  decodeHistoryCursor,
  encodeEventCursor,
  encodeHistoryCursor,
  issueTime,
} from '../../domain/cursor.ts'

const text = fc.string({ maxLength: 30 })
const month = fc.constantFrom('', '2025-01', '1999-12')
const count = fc.maxSafeNat()

it('cursors come back as they went out', () => {
  fc.assert(
    fc.property(fc.record({ journal: text, sequence: count, hint: count }), (cursor) => {
      expect(decodeEventCursor(encodeEventCursor(cursor))).toEqual(cursor)
      expect(decodeHistoryCursor(encodeEventCursor(cursor))).toBeUndefined()
    }),
  )
  const history = fc.record({
    journal: text,
    country: text,
    start: month,
    end: month,
    series: text,
    snapshot: count,
    after: text,
    issuedAt: count,
  })
  fc.assert(
    fc.property(history, (cursor) => {
      expect(decodeHistoryCursor(encodeHistoryCursor(cursor))).toEqual(cursor)
    }),
  )
})
it('a forged cursor with a right checksum is refused, not thrown at', () => {
  for (const body of ['e{{', '{}', '[', 'null', '["e"]', '["e",1,2,3]']) {
    const bytes = Buffer.from(body)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(bytes))
    const forged = `v1.${Buffer.concat([sum, bytes]).toString('base64url')}`
    expect(decodeEventCursor(forged)).toBeUndefined()
    expect(decodeHistoryCursor(forged)).toBeUndefined()
  }
})
it('a cursor with any one character changed, added or dropped is refused', () => {
  const cursor = encodeEventCursor({ journal: 'journal-1', sequence: 42, hint: 7 })
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom('A', 'b', '0', '-', '', '=', ' '), (at, character) => {
      const forged = cursor.slice(0, at) + character + cursor.slice(at + 1)
      if (forged !== cursor) expect(decodeEventCursor(forged)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
  fc.assert(fc.property(fc.string(), (garbage) => decodeEventCursor(`v1.${garbage}`) === undefined))
})
it('a time of issue is rounded up, by less than an hour', () => {
  const instant = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') })
  fc.assert(
    fc.property(instant, (now) => {
      const rounded = issueTime(now) - now
      expect(rounded).toBeGreaterThanOrEqual(0)
      expect(rounded).toBeLessThan(3_600_000)
      expect(issueTime(issueTime(now))).toBe(issueTime(now))
    }),
  )
})
