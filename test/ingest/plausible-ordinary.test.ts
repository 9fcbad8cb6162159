import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shiftPeriod } from '../../domain/period.ts'
import { judge } from '../../domain/plausibility/checks.ts'
import { seriesView, type ValueKind } from '../../domain/plausibility/view.ts'
import { seriesOf } from '../../domain/series.ts'
import { randomFrom } from '../support/random.ts'
import {
  figure,
  heldBeside,
  heldPricesBeside,
  type SampleSeries,
  samplePrices,
  sampleSeries,
  totalOf,
} from './support/sample-record.ts'

/** What must not be held: ordinary publications, first documents of any country, and history as it was. */
const series = (await sampleSeries()).filter(({ periods }) => periods.length >= 36)
const random = randomFrom(4)
const index = (length: number): number => Math.floor(random() * length)
const pick = <T>(all: readonly T[]): T => {
  const one = all[index(all.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
const isShare = ({ series: { indicator } }: SampleSeries) =>
  indicator === 'unemployment' || indicator === 'labour-force-participation'
/** A value as it might be revised, or as another office might have it. */
const near = (one: SampleSeries, value: number, by: number): number =>
  isShare(one) ? Math.max(0, value + by * (random() * 10 - 5)) : value * (1 + by * (random() * 2 - 1))
const cut = (one: SampleSeries, from: number, to: number): SampleSeries => ({
  ...one,
  periods: one.periods.slice(from, to),
  values: one.values.slice(from, to),
})
const itemsOf = ({ series, periods, values }: SampleSeries) =>
  periods.map((period, i) => figure(series, period, values[i] ?? 0))

/** The next period, with some of those before revised a little. */
function nextPeriod(one: SampleSeries): number {
  const end = 24 + index(one.periods.length - 24)
  const stated = cut(one, end - 1 - index(24), end + 1)
  const values = stated.values.map((value, i) => (i < stated.values.length - 1 ? near(one, value, 0.01) : value))
  return totalOf(heldBeside([cut(one, 0, end)], itemsOf({ ...stated, values })))
}
/** A new seasonal adjustment of all periods, or a benchmark that moves all of a level by up to 15 %. */
function wholeRevision(one: SampleSeries): number {
  const benchmark = one.series.base_period === '' && !isShare(one) ? 1 + 0.3 * (random() - 0.5) : 1
  const values = one.values.map((value) => near(one, value * benchmark, 0.02))
  return totalOf(heldBeside([one], itemsOf({ ...one, values })))
}
/** The first document of another source of the same measure. */
function secondSource(one: SampleSeries): number {
  const { id: _, ...members } = one.series
  const other = { ...one, series: seriesOf({ ...members, source: 'OTHER' }) }
  const values = one.values.map((value) => near(one, value, 0.2))
  return totalOf(heldBeside([one], itemsOf({ ...other, values })))
}
/** The first document of a new country: 350 periods that move by steps of a real series, in a random order. */
function randomWalk(one: SampleSeries): number {
  const steps = one.values.slice(1).map((value, i) => {
    const before = one.values[i] ?? value
    return isShare(one) ? value - before : value / before
  })
  const values = [one.values[0] ?? 1]
  while (values.length < 350) {
    const last = values.at(-1) ?? 1
    values.push(isShare(one) ? Math.min(95, Math.max(0.1, last + pick(steps))) : last * pick(steps))
  }
  const periods = values.map((_, i) => shiftPeriod(one.periods[0] ?? '', i))
  return totalOf(heldBeside([], itemsOf({ ...one, periods, values })))
}

it('holds at most one of 1,000 ordinary publications', () => {
  const held: string[] = []
  for (let i = 0; i < 1_000; i++) {
    const one = pick(series)
    const publication = [nextPeriod, wholeRevision, secondSource, randomWalk][i % 4] ?? nextPeriod
    const count = publication(one)
    if (count > 0) held.push(`${publication.name} of ${one.series.id}: ${count}`)
  }
  expect(held.slice(1)).toEqual([])
})

it('holds nothing of the bundled sample, whatever part of it is on record', async () => {
  for (const one of series) {
    const end = index(one.periods.length)
    const others = series.filter((other) => other !== one)
    expect(heldBeside([...others, cut(one, 0, end)], itemsOf(one)), one.series.id).toEqual([])
    expect(heldBeside([...others, cut(one, end, one.periods.length)], itemsOf(one)), one.series.id).toEqual([])
    expect(heldBeside(others, itemsOf(one)), one.series.id).toEqual([])
  }
  for (const prices of await samplePrices()) {
    const end = index(prices.length)
    expect(heldPricesBeside(prices.slice(0, end), prices), prices[0]?.symbol).toEqual([])
    expect(heldPricesBeside(prices.slice(end), prices), prices[0]?.symbol).toEqual([])
  }
})

const history = readFileSync(join(import.meta.dirname, '../fixtures/plausibility/history.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
const wild = Map.groupBy(history, ([name]) => name)

it.each([...wild.keys()])('holds nothing of %s, read at once or period by period', (name) => {
  const rows = wild.get(name) ?? []
  // Cast: the fixture's second column.
  const kind = rows[0]?.[1] as ValueKind
  const values = rows.map(([, , at = '', value]) => ({ at, value: Number(value) }))
  expect(judge(seriesView(kind, values, []))).toEqual([])
  for (let i = 1; i < values.length; i++) {
    expect(judge(seriesView(kind, values.slice(i, i + 1), values.slice(0, i))), values[i]?.at).toEqual([])
  }
})
