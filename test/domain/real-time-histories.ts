import fc from 'fast-check'
import { addDays } from '../../domain/day.ts'
import type { DatedValue } from '../../domain/real-time.ts'

/** Values of one period, by the days from which they were the answer. */
export const of = (
  period: string,
  ...values: readonly (readonly [day: string, value: string | null])[]
): DatedValue[] => values.map(([valid_from, value]) => ({ period, value, valid_from }))

/** Values of a few periods, in the order of a history; several may be of one day, and some repeat the one before. */
export const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 })
  .chain((months) =>
    fc.tuple(
      ...months
        .toSorted((a, b) => a - b)
        .map((month) =>
          fc
            .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('1.5', '1.50', '2', null)), {
              maxLength: 8,
            })
            .map((values) =>
              of(
                `2020-${String(month).padStart(2, '0')}`,
                ...values
                  .toSorted(([a], [b]) => a - b)
                  .map(([day, value]) => [addDays('2021-02-25', day), value] as const),
              ),
            ),
        ),
    ),
  )
  .map((periods) => periods.flat())

/** The days on which values change, and some before and after. */
export const days = Array.from({ length: 15 }, (_, i) => addDays('2021-02-23', i))
export const someDay = fc.constantFrom(...days)

/** What was answered for each period at the end of a day, by the definition: the last value of that day or before. */
export const answersOn = (values: readonly DatedValue[], day: string): Map<string, string | null> =>
  new Map(values.filter(({ valid_from }) => valid_from <= day).map(({ period, value }) => [period, value]))
