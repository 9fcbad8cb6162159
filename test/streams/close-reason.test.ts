import fc from 'fast-check'
import { expect, it } from 'vitest'
import { closeReason } from '../../streams/close-reason.ts'

it('is the code alone where there are no words', () => expect(closeReason('revoked')).toBe('revoked'))

it('has the words behind the code, cut at a character where they are too long for a close frame', () => {
  expect(closeReason('invalid_frame', 'No.')).toBe('invalid_frame: No.')
  const cut = closeReason('invalid_frame', '€'.repeat(100))
  expect(cut).toBe(`invalid_frame: ${'€'.repeat(36)}`)
  expect(closeReason('x', '🚢'.repeat(100))).toBe(`x: ${'🚢'.repeat(30)}`)
})

it('fits into a close frame and is well formed, whatever the words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (words) => {
      const reason = closeReason('invalid_frame', words)
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
      expect(reason.isWellFormed()).toBe(true)
      expect(`invalid_frame: ${words}`.toWellFormed().startsWith(reason)).toBe(true)
    }),
  )
})
