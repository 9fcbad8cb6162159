import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aggregationMethods, unitCodes } from '../../contracts/transformations.ts'
import { onDays, realTimeObservations } from '../../domain/real-time.ts'
import { computedPeriods, realTimeComputer } from '../../domain/real-time-computing.ts'
import { aggregated } from '../../domain/transform/aggregate.ts'
import type { HistoryFigure } from '../../domain/transform/figure.ts'
import { transformer } from '../../domain/transform/transform.ts'
import { answersOn, days, histories, of } from './real-time-histories.ts'

const figure = (period: string, value: string): HistoryFigure => ({
  period,
  value,
  number: 1,
  place: 1,
  released_on: '2021-01-01',
  released_on_basis: 'publisher',
})

it('a computed value of a day is computed from the values of that day', () => {
  const computations = fc.record({
    from: fc.constant('M' as const),
    to: fc.constantFrom('M' as const, 'Q' as const, 'A' as const),
    method: fc.constantFrom(...aggregationMethods),
    units: fc.constantFrom(...unitCodes),
  })
  let compared = 0
  fc.assert(
    fc.property(histories, computations, (values, computation) => {
      const { to, method, units } = computation
      const observations = realTimeObservations(values)
      const compute = realTimeComputer(observations, computation)
      const computed = computedPeriods(observations, computation).flatMap(compute)
      for (const day of days) {
        const found = onDays(computed, [day]).flatMap(({ period, value }) => (value === null ? [] : [[period, value]]))
        const known = [...answersOn(values, day)].flatMap(([period, value]) =>
          value === null ? [] : [figure(period, value)],
        )
        const history = { answered: known, own: known }
        const made = to === 'M' ? history : aggregated(history, to, method)
        const expected = made.answered
          .map(transformer(made, units, to))
          .flatMap(({ period, value }) => (value === null ? [] : [[period, value]]))
        compared += expected.length
        expect(found).toEqual(expected)
      }
    }),
    { numRuns: 200 },
  )
  expect(compared).toBeGreaterThan(100)
})

it('an aggregate begins with its first part, and has a value once it has all', () => {
  const observations = realTimeObservations([
    ...of('2020-01', ['2020-02-10', '1']),
    ...of('2020-02', ['2020-03-10', '2']),
    ...of('2020-03', ['2020-04-10', '3'], ['2020-05-10', '6']),
  ])
  const computation = { from: 'M', to: 'Q', method: 'avg', units: 'lin' } as const
  const quarter = realTimeComputer(observations, computation)('2020-Q1')
  expect(quarter.map(({ date, realtimeStart, value }) => [date, realtimeStart, value])).toEqual([
    ['2020-01-01', '2020-02-10', null],
    ['2020-01-01', '2020-04-10', '2'],
    ['2020-01-01', '2020-05-10', '3'],
  ])
})

it('looks at few observations on each day, however many there were before', () => {
  const start = Date.UTC(2000, 0, 20)
  const prints = Array.from({ length: 500 }, (_, i): [string, string] => [
    new Date(start + i * 86_400_000).toISOString().slice(0, 10),
    String(100 + i),
  ])
  let looks = 0
  const counted = realTimeObservations([...of('1998-12', ...prints), ...of('1999-12', ...prints)]).map((each) => ({
    ...each,
    get value() {
      looks++
      return each.value
    },
  }))
  const computed = realTimeComputer(counted, { from: 'M', to: 'M', method: 'avg', units: 'chg' })('1999-12')
  expect(computed).not.toEqual([])
  expect(looks / prints.length).toBeLessThan(10)
})
