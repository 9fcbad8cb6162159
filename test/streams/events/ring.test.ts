import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EncodedEvent, weightOf } from '../../../streams/events/encoded-event.ts'
import { Ring } from '../../../streams/events/ring.ts'

const event = (sequence: number, bytes: number): EncodedEvent => ({
  sequence,
  offset: 2 * sequence,
  family: 'trade',
  country: null,
  type: 'any',
  frame: new Uint8Array(bytes),
})

it('a ring holds the newest events that fit, each under its sequence', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 100, maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 500 }), (bytes, from) => {
      const ring = new Ring(10_000)
      const all: EncodedEvent[] = []
      for (const [i, size] of bytes.entries()) {
        ring.push(event(from + i, size))
        all.push(event(from + i, size))
        const kept: number[] = []
        let left = 10_000
        for (const one of all.toReversed()) {
          left -= weightOf(one)
          if (left < 0 && kept.length > 0) break
          kept.unshift(one.sequence)
        }
        expect([ring.first, ring.size]).toEqual([kept[0], kept.length])
        for (const sequence of kept) expect(ring.at(sequence)?.sequence).toBe(sequence)
        expect(ring.at(from + i + 1)).toBeUndefined()
      }
    }),
    { numRuns: 50 },
  )
})
