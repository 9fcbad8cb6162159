import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addPeriod, hasPeriod, type PeriodRuns, removePeriod } from '../../domain/period-runs.ts'

it('runs of periods have what was added and not removed since, in the fewest runs', () => {
  const step = fc.record({ adds: fc.boolean(), period: fc.integer({ min: 0, max: 12 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const runs: PeriodRuns = []
      const known = new Set<number>()
      for (const { adds, period } of steps) {
        if (adds) {
          addPeriod(runs, period)
          known.add(period)
        } else {
          removePeriod(runs, period)
          known.delete(period)
        }
      }
      const all = Array.from({ length: 13 }, (_, period) => period)
      expect(all.filter((period) => hasPeriod(runs, period))).toEqual(all.filter((period) => known.has(period)))
      const begins = all.filter((period) => known.has(period) && !known.has(period - 1))
      expect(runs.map(([first]) => first)).toEqual(begins)
    }),
  )
})
