import fc from 'fast-check'
import { expect, it } from 'vitest'
import { observationsByVintage, vintageDates } from '../../domain/real-time.ts'
import { type VintageEntry, vintagesById } from '../../domain/vintage-layout.ts'

const idOf = ({ place, number }: VintageEntry) => `${place}:${number}`
const days = [1, 2, 3, 4, 5].map((day) => `2024-03-0${day}`)
const months = ['2024-01', '2024-02']

/** Answers of two figures in two months, by any of three series. */
const entries = fc
  .array(
    fc.record({
      period: fc.constantFrom(...months),
      number: fc.constantFrom(1, 2),
      place: fc.constantFrom(1, 2, 3),
      value: fc.constantFrom('1', '2.50', null),
      valid_from: fc.constantFrom(...days),
    }),
    { maxLength: 16 },
  )
  .map((drawn) => {
    const keyOf = ({ period, number, valid_from }: VintageEntry) => `${period} ${number} ${valid_from}`
    return drawn.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
  })

it('of all ids of a figure the one that answers a day has the value, and no other', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const ids = vintagesById(all, idOf)
      const changed = vintageDates(ids.flatMap(({ observations }) => observations))
      expect(changed.every((day) => days.includes(day))).toBe(true)
      for (const period of months) {
        for (const number of [1, 2]) {
          const own = all.filter((one) => one.period === period && one.number === number)
          const shown = ids
            .filter(({ id }) => id.endsWith(`:${number}`))
            .flatMap(({ id, observations }) =>
              observationsByVintage(observations, days)
                .filter(({ date }) => date === `${period}-01`)
                .flatMap(({ values }) => values.map((value, i) => ({ id, day: days[i], value }))),
            )
          for (const day of days) {
            const answer = own.findLast(({ valid_from }) => valid_from <= day)
            const expected = answer && answer.value !== null ? [{ id: idOf(answer), day, value: answer.value }] : []
            expect(shown.filter((one) => one.day === day && one.value !== null)).toEqual(expected)
          }
        }
      }
    }),
  )
})
