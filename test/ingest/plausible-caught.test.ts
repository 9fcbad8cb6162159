import { expect, it } from 'vitest'
import type { Indicator } from '../../contracts/indicators.ts'
import { shiftPeriod } from '../../domain/period.ts'
import type { Item, Price } from '../../ingest/source.ts'
import { randomFrom } from '../support/random.ts'
import {
  figure,
  heldBeside,
  heldPricesBeside,
  missing,
  type SampleSeries,
  samplePrices,
  sampleSeries,
  totalOf,
} from './support/sample-record.ts'

/** Faults that must be caught, at ten places of the bundled sample each: none of the wrong values may be accepted. */
const PLACES = 10
const random = randomFrom(32)
const pick = <T>(all: readonly T[]): T => {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
const placesIn = <T>(all: readonly T[]): T[] => Array.from({ length: PLACES }, () => pick(all))

const series = await sampleSeries()
const prices = await samplePrices()
const of = (...indicators: Indicator[]) =>
  series.filter(({ series, periods }) => indicators.includes(series.indicator) && periods.length >= 24)
/** A series up to some period after its first 24, as it is on record when a document with the next period comes. */
const cutShort = (one: SampleSeries): SampleSeries => {
  const end = 24 + Math.floor(random() * (one.periods.length - 24))
  return { ...one, periods: one.periods.slice(0, end), values: one.values.slice(0, end) }
}
/** The whole history and one more period, and the newest period alone, each with its values changed. */
function documentsOf({ series, periods, values }: SampleSeries, change: (value: number) => number): Item[][] {
  const next = shiftPeriod(periods.at(-1) ?? '', 1)
  const all = [...periods, next].map((period, i) => figure(series, period, change(values[i] ?? values.at(-1) ?? 0)))
  return [all, all.slice(-1)]
}
const isCaught = (record: SampleSeries, documents: readonly Item[][]) =>
  documents.every((items) => totalOf(heldBeside([record], items)) === items.length)

const times = (factors: readonly number[], indicators: readonly Indicator[]) => () =>
  placesIn(of(...indicators)).map((one) => {
    const factor = pick(factors)
    const record = cutShort(one)
    return isCaught(
      record,
      documentsOf(record, (value) => value * factor),
    )
  })
/** The figures of one series are stated in the place of another one's, with both on record or only the true one. */
const insteadOf = (pairs: readonly (readonly [Indicator, Indicator])[]) => () => {
  const places = pairs.flatMap(([wrong, right]) =>
    of(wrong).flatMap((other) =>
      of(right).flatMap((one) =>
        one.series.country === other.series.country && one.series.frequency === other.series.frequency
          ? [{ one, other }]
          : [],
      ),
    ),
  )
  return placesIn(places).map(({ one, other }) => {
    const items = other.periods.map((period, i) => figure(one.series, period, other.values[i] ?? 0))
    return [[one, other], [other]].every((record) => totalOf(heldBeside(record, items)) === items.length)
  })
}
const multiplied = (all: readonly Price[], factor: number) =>
  all.map((price) => ({ ...price, printed: String(Number(price.printed) * factor) }))

it.each<[string, () => boolean[]]>([
  ['consumer prices times ten', times([10], ['cpi'])],
  ['amounts in thousands or millions', times([1e-3, 1e-6], ['gdp', 'trade-exports', 'trade-imports'])],
  [
    'dollars for cents',
    () =>
      placesIn(prices).map((all) => {
        const wrong = multiplied(all, pick([100, 0.01]))
        const isHeld = (record: readonly Price[], stated: readonly Price[]) =>
          totalOf(heldPricesBeside(record, stated)) === stated.length
        return isHeld(all, wrong) && isHeld(all.slice(0, -1), wrong.slice(-1)) && isHeld(all.slice(0, 12), wrong)
      }),
  ],
  [
    'an index on another base',
    () =>
      placesIn(of('cpi')).map((one) => {
        const record = cutShort(one)
        const factor = pick([0.42, 0.84, 1.3, 2.2])
        const [whole = []] = documentsOf(record, (value) => Math.round(value * factor * 100) / 100)
        return isCaught(record, [whole, whole.slice(-13)])
      }),
  ],
  ['nominal for real GDP', insteadOf([['gdp', 'gdp-volume']])],
  ['exports for imports', insteadOf([['trade-exports', 'trade-imports']])],
  [
    'prices by the pound for prices by the kilogram',
    () =>
      placesIn(prices).map((all) => {
        const wrong = multiplied(all, pick([2.2046, 1 / 2.2046]))
        return totalOf(heldPricesBeside(all.slice(0, -1), wrong)) === wrong.length
      }),
  ],
  [
    'an older undated file that rewrites history',
    () =>
      placesIn(of('cpi', 'gdp', 'trade-exports', 'unemployment')).map((record) => {
        const { series, periods, values } = record
        const older = periods.slice(0, -3).map((period, i) => figure(series, period, (values[i] ?? 0) * (1 - i / 1e4)))
        // The first figure is the same.
        return totalOf(heldBeside([record], older, { retrievedAt: null })) === older.length - 1
      }),
  ],
  [
    'nine tenths of a series withdrawn',
    () =>
      placesIn(series.filter(({ periods }) => periods.length >= 24)).map((one) => {
        const record = cutShort(one)
        const { series, periods, values } = record
        const items = periods.map((period, i) =>
          i < 0.9 * periods.length ? missing(series, period) : figure(series, period, values[i] ?? 0),
        )
        return totalOf(heldBeside([record], items)) === items.length
      }),
  ],
])('%s are held at every place', (_, caughtAt) => {
  const caught = caughtAt()
  expect(caught).toHaveLength(PLACES)
  expect(caught.filter((isCaught) => !isCaught)).toEqual([])
})

it('industrial production read as participation is held whole, and not only where it is above 100', () => {
  const [participation] = of('labour-force-participation')
  if (!participation) return expect.fail('no participation')
  // An index of 1,291 months, of which the last 131 are above 100.
  const items = Array.from({ length: 1_291 }, (_, i) =>
    figure(participation.series, shiftPeriod('1919-01', i), 5 + (95 * i) / 1_159.5),
  )
  expect(heldBeside([], items)).toEqual([['held_range', 1_291]])
})
