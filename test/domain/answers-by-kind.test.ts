import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answersByKind } from '../../domain/answers-by-kind.ts'

/** An answer of one figure and period: its day, value and kind. */
type Drawn = { readonly day: number; readonly value: string | null; readonly kind: string }
const dayText = (day: number): string => `2024-01-${String(day).padStart(2, '0')}`

const answersOf = (drawn: readonly Drawn[]) =>
  drawn
    .toSorted((a, b) => a.day - b.day)
    .map(({ day, value, kind }) => ({ period: '2023', number: 1, value, valid_from: dayText(day), kind }))
const kindOf = ({ kind }: { readonly kind: string }) => kind

const drawn: fc.Arbitrary<Drawn> = fc.record({
  day: fc.integer({ min: 1, max: 12 }),
  value: fc.constantFrom('1.0', '2.5', null),
  kind: fc.constantFrom('index_2010', 'index_2015'),
})

describe('answersByKind', () => {
  it('says of each kind on each day what the answers say', () => {
    fc.assert(
      fc.property(fc.array(drawn), fc.integer({ min: 1, max: 13 }), (entries, day) => {
        const answers = answersOf(entries)
        const answer = answers.findLast(({ valid_from }) => valid_from <= dayText(day))
        const found = answersByKind(answers, kindOf)
        for (const kind of ['index_2010', 'index_2015']) {
          const newest = found.findLast((one) => one.kind === kind && one.validFrom <= dayText(day))
          const expected = answer?.kind === kind ? answer.value : null
          expect(newest?.value ?? null).toBe(expected)
        }
      }),
    )
  })

  it('has one entry of a kind for each day, each until the day before the next', () => {
    fc.assert(
      fc.property(fc.array(drawn), (entries) => {
        const found = answersByKind(answersOf(entries), kindOf)
        for (const ofKind of Map.groupBy(found, ({ kind }) => kind).values()) {
          expect(ofKind[0]?.value).not.toBeNull()
          ofKind.forEach(({ validFrom, validTo }, i) => {
            const next = ofKind[i + 1]
            const lastDay = next && dayText(Number(next.validFrom.slice(-2)) - 1)
            expect(validTo).toBe(lastDay)
            expect(validTo === undefined || validTo >= validFrom).toBe(true)
          })
        }
      }),
    )
  })

  it('ends a value where another kind takes its place, and where it is withdrawn', () => {
    const answers = answersOf([
      { day: 1, value: '1.0', kind: 'a' },
      { day: 3, value: '9.0', kind: 'b' },
      { day: 5, value: null, kind: 'b' },
    ])
    const found = answersByKind(answers, kindOf).map(({ kind, value, validFrom, validTo }) => [
      kind,
      value,
      validFrom,
      validTo,
    ])
    expect(found).toEqual([
      ['a', '1.0', '2024-01-01', '2024-01-02'],
      ['a', null, '2024-01-03', undefined],
      ['b', '9.0', '2024-01-03', '2024-01-04'],
      ['b', null, '2024-01-05', undefined],
    ])
  })
})
