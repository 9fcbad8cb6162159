import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveFrom, nothingDerived } from '../../../domain/derive/fold.ts'
import { PeriodPrints } from '../../../domain/derive/period-prints.ts'
import { documents, publicationsOf } from '../../support/dated-documents.ts'

it('prints that were packed are those that they were, and are packed again alike', () => {
  fc.assert(
    fc.property(documents, ({ inOrder }) => {
      const state = nothingDerived()
      for (const published of publicationsOf(inOrder)) deriveFrom(state, published)
      for (const { periods } of state.prints.values()) {
        const packed = periods.packed()
        const again = new PeriodPrints(packed)
        for (const [i, period] of periods.periods().entries()) {
          if (i % 2 === 0) expect(again.get(period)).toEqual(periods.get(period))
          expect(again.has(period)).toBe(true)
        }
        expect(again.has('2000-01')).toBe(false)
        expect(again.periods().sort()).toEqual(periods.periods().sort())
        expect([...again.packed()].sort()).toEqual([...packed].sort())
      }
    }),
    { numRuns: 20 },
  )
})
