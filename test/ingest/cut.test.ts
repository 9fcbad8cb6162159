import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, startOf, startOfBytes } from '../../ingest/cut.ts'

/** Texts of characters of one to four bytes, well-formed as everything that came from UTF-8 is. */
const text = fc.string({ unit: 'binary', maxLength: 400 })
const isUtf8 = (bytes: Uint8Array): boolean => Buffer.from(new TextDecoder().decode(bytes)).equals(bytes)

describe('a text is cut', () => {
  it('to the bytes that it may have, on a character’s border, and marked', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 16, max: 600 }), (whole, limit) => {
        const cut = cutText(whole, limit)
        const size = Buffer.byteLength(whole)
        if (size <= limit) {
          expect(cut).toBe(whole)
          return
        }
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit)
        expect(cut).toMatch(/…\[cut\]$/)
        const kept = cut.slice(0, -'…[cut]'.length)
        expect(whole.startsWith(kept)).toBe(true)
        expect(kept.isWellFormed()).toBe(true)
        // No more is cut than one character that didn't fit.
        expect(Buffer.byteLength(cut)).toBeGreaterThan(limit - 4)
      }),
      { numRuns: 2_000 },
    )
  })
  it('without a mark too', () => {
    fc.assert(
      fc.property(text, fc.nat(600), (whole, limit) => {
        const start = startOf(whole, limit)
        expect(whole.startsWith(start)).toBe(true)
        expect(start.isWellFormed()).toBe(true)
        expect(Buffer.byteLength(start)).toBeLessThanOrEqual(limit)
      }),
    )
  })
})

it('bytes are cut on a character’s border if they are UTF-8, and anywhere else if not', () => {
  fc.assert(
    fc.property(text, fc.nat(600), (whole, limit) => {
      const bytes = Buffer.from(whole)
      const start = startOfBytes(bytes, limit)
      expect(isUtf8(start)).toBe(true)
      expect(start.length).toBeLessThanOrEqual(limit)
      expect(start.length).toBeGreaterThanOrEqual(Math.min(bytes.length, limit - 3))
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, limit) => {
      const start = startOfBytes(bytes, limit)
      expect(Buffer.from(bytes).subarray(0, start.length).equals(Buffer.from(start))).toBe(true)
      expect(start.length).toBeGreaterThanOrEqual(Math.min(bytes.length, Math.max(0, limit - 3)))
    }),
  )
})
