import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveFrom, nothingDerived } from '../../../domain/derive/fold.ts'
import { PeriodPrints } from '../../../domain/derive/period-prints.ts'
import { asKnown, type KnownRelease } from '../../../domain/prints.ts'
import { documents, publicationsOf } from '../../support/dated-documents.ts'

it('packed prints have the times of their records and their approvals, if these are kept', () => {
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.boolean()), ({ inOrder }, isApproved) => {
      const kept = new Map<string, KnownRelease>()
      const periods = new PeriodPrints()
      const approval = { held_for: 'held_jump', because: 'It is so.', input_id: 'inp_1' }
      for (const [i, release] of publicationsOf(inOrder).flat().entries()) {
        const recorded_at = new Date(i * 1_000).toISOString()
        const place = `${release.series.id} ${release.period}`
        const own = { ...release, recorded_at, ...(isApproved.next().value && { approval }) }
        kept.set(place, asKnown(own, kept.get(place)))
        periods.set(place, kept.get(place))
      }
      const again = new PeriodPrints(periods.pack())
      for (const [place, known] of kept) expect(again.get(place)).toEqual(known)
    }),
    { numRuns: 20 },
  )
})

it('prints that were packed are those that they were, and are packed again alike', () => {
  fc.assert(
    fc.property(documents, ({ inOrder }) => {
      const state = nothingDerived()
      for (const published of publicationsOf(inOrder)) deriveFrom(state, published)
      for (const { periods } of state.prints.values()) {
        const packed = new Map(periods.pack())
        const again = new PeriodPrints(packed)
        for (const [i, period] of periods.periods().entries()) {
          if (i % 2 === 0) expect(again.get(period)).toEqual(periods.get(period))
          expect(again.has(period)).toBe(true)
        }
        expect(again.has('2000-01')).toBe(false)
        expect(again.periods().sort()).toEqual(periods.periods().sort())
        expect([...again.pack()].sort()).toEqual([...packed].sort())
      }
    }),
    { numRuns: 20 },
  )
})

it('the same follows from prints that are packed now and then', () => {
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.boolean()), ({ inOrder }, isPacked) => {
      const [packed, plain] = [nothingDerived(), nothingDerived()]
      for (const published of publicationsOf(inOrder)) {
        if (isPacked.next().value) for (const { periods } of packed.prints.values()) periods.pack()
        expect(deriveFrom(packed, published)).toEqual(deriveFrom(plain, published))
      }
    }),
    { numRuns: 20 },
  )
})
