import fc from 'fast-check'
import { expect, it } from 'vitest'
import { divide } from '../../domain/fixed-point.ts'
import { movingMedians } from '../../domain/moving-medians.ts'

type Values = readonly (bigint | undefined)[]

/** Median of what counts for a place, looked for and sorted anew. */
function medianFor(values: Values, at: number, step: number, nearest: number, farthest: number): bigint | undefined {
  const counted: bigint[] = []
  for (let back = nearest; back <= farthest; back += step) {
    const value = values[at - back]
    if (value !== undefined) counted.push(value)
  }
  counted.sort((a, b) => Number(a - b))
  const [below, above] = [counted[(counted.length - 1) >> 1], counted[counted.length >> 1]]
  return below === undefined || above === undefined ? undefined : divide(below + above, 2n)
}

it('is for each place the median of the values that count for it', () => {
  // Few different values, so that many are equal.
  const value = fc.option(fc.bigInt({ min: -9n, max: 9n }), { nil: undefined, freq: 4 })
  const window = fc.record({ step: fc.integer({ min: 1, max: 4 }), near: fc.nat(3), wide: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), window, (values, { step, near, wide }) => {
      const [nearest, farthest] = [step * (near + 1), step * (near + 1 + wide)]
      expect(movingMedians(values, { step, nearest, farthest })).toEqual(
        values.map((_, at) => medianFor(values, at, step, nearest, farthest)),
      )
    }),
  )
})
