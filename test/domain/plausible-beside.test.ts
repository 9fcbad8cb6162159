import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { mistakableFor, suspicionBeside, suspicionOfSameFigures } from '../../domain/plausible-beside.ts'
import { testSeries } from '../support/releases.ts'

const exports = testSeries({ indicator: 'trade-exports', unit: 'USD' })
const rate = testSeries({ indicator: 'unemployment', unit: 'percent' })
const cpi = testSeries()
const growth = testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' })
const another = ({ id: _, ...series }: Series, over: Partial<Omit<Series, 'id'>> = {}): Series =>
  testSeries({ ...series, source: 'OTHER', ...over })

const memberOf: Readonly<Record<string, string>> = { unemployment: 'rate', 'gdp-growth': 'year_over_year' }
const member = ({ indicator }: Series) => memberOf[indicator] ?? 'value'
const periodAt = (i: number) => shiftPeriod('2000-01', i)

/** Judges values from January 2000 on beside other series from then on. */
function judge(
  series: Series,
  values: readonly number[],
  ...others: readonly (readonly [Series, readonly number[]])[]
) {
  // Without the holes of a sparse array.
  const stated = values.flatMap((value, i) => [{ period: periodAt(i), figures: { [member(series)]: value } }])
  const beside = others.map(([other, recorded]) => {
    const known = new Map(recorded.flatMap((value, i) => [[periodAt(i), value]]))
    return { series: other, recorded: (period: string) => known.get(period) }
  })
  return suspicionBeside(series, stated, beside, true)
}

const levels = fc.array(fc.double({ min: 60, max: 140, noNaN: true }), { minLength: 1, maxLength: 60 })
/** A factor for each figure, as two sources that count differently have it. */
const noise = fc.array(fc.double({ min: 0.85, max: 1.15, noNaN: true }), { minLength: 60, maxLength: 60 })
const by = (values: readonly number[], factors: readonly number[]) =>
  values.map((value, i) => value * (factors[i] ?? 1))

describe('a series of which nothing is on record', () => {
  it('is believed beside a source that says nearly the same, and held beside one at a multiple', () => {
    fc.assert(
      fc.property(levels, noise, fc.constantFrom(1_000, 10, 4, 0.25, 0.1), (values, factors, times) => {
        const stated = by(values, factors)
        expect(judge(exports, stated, [another(exports), values])).toBeUndefined()
        const multiplied = stated.map((value) => value * times)
        expect(judge(exports, multiplied, [another(exports), values])).toMatchObject({
          reason: 'held_contradiction',
          detail: expect.stringMatching(/^value: \d+ figures are about [\d.]+ times those of .*OTHER/),
          periods: { size: values.length },
        })
        // One that agrees is enough, in any order.
        const agreeing = [another(exports, { dataset: 'B' }), multiplied] as const
        expect(judge(exports, multiplied, [another(exports), values], agreeing)).toBeUndefined()
        expect(judge(exports, multiplied, agreeing, [another(exports), values])).toBeUndefined()
        // One that cannot tell is not: an index moves with any multiple.
        const index = another(exports, { unit: 'index', base_period: '2015', base_value: '100' })
        expect(judge(exports, multiplied, [index, multiplied], [another(exports), values])).toBeDefined()
      }),
    )
  })

  it('is not compared with amounts of another currency', () => {
    const values = Array.from({ length: 40 }, (_, i) => 100 + i)
    const rising = values.map((value, i) => value * 4 * (1 + i / 1_000))
    expect(judge(exports, rising, [another(exports, { unit: 'EUR' }), values])).toBeUndefined()
  })

  it('is compared with amounts at an annual rate', () => {
    const annual = another(exports, { annualization: 'annualized' })
    const values = Array.from({ length: 40 }, (_, i) => 100 + i)
    const times = (factor: number) => values.map((value) => value * factor)
    expect(judge(exports, values, [annual, times(12)])).toBeUndefined()
    expect(judge(annual, times(12), [exports, values])).toBeUndefined()
    for (const factor of [1, 144])
      expect(judge(exports, values, [annual, times(factor)])).toMatchObject({ reason: 'held_contradiction' })
  })

  it.each([
    [1, 3.2, undefined],
    [1, 3.3, /^value: 2000-03 is 330, and 2000-02 is 100 in those of .*OTHER/],
    [24, 8.9, undefined],
    [24, 9.1, /^value: 2002-02 is 910, and 2000-02 is 100 in those of /],
    [121, 1_000, undefined],
  ])(
    'is compared with the nearest figure, %i months on, if there is no common one: %d times',
    (gap, factor, detail) => {
      const values: number[] = []
      values[gap + 1] = 100 * factor
      const found = judge(exports, values, [another(exports), [100, 100]])
      if (detail) expect(found).toMatchObject({ reason: 'held_contradiction', detail: expect.stringMatching(detail) })
      else expect(found).toBeUndefined()
    },
  )

  it('is excused by no source with older figures', () => {
    const long: number[] = []
    long[30] = 1_000
    const ended = another(exports, { dataset: 'ENDED' })
    // Ten times the nearest figure, and within the bound of one that is 29 months older.
    const recent: number[] = []
    recent[29] = 100
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const others = [[another(exports), recent] as const, [ended, [100]] as const]
      const found = judge(exports, long, ...order.flatMap((i) => (others[i] ? [others[i]] : [])))
      expect(found).toMatchObject({
        detail: expect.stringContaining('2002-07 is 1000, and 2002-06 is 100 in those of'),
      })
    }
    // Nor by one if another has the period itself.
    const common: number[] = []
    common[30] = 100
    expect(judge(exports, long, [ended, [100]], [another(exports), common])).toMatchObject({
      detail: expect.stringContaining('1 figures are about 10 times those of'),
    })
  })

  it('is compared with the next figure, too', () => {
    const later: number[] = []
    later[12] = 6.1
    expect(judge(rate, [63], [another(rate), later])).toMatchObject({
      detail: expect.stringContaining('rate: 2000-01 is 63, and 2001-01 is 6.1 in those of'),
    })
    expect(judge(rate, [9.1], [another(rate), later])).toBeUndefined()
  })

  it('is held at a tenfold rate, not at a small rate that is three times another one', () => {
    const rates = Array.from({ length: 30 }, (_, i) => 4 + (i % 5) / 10)
    const tenfold = rates.map((value) => value * 10)
    expect(judge(rate, tenfold, [another(rate), rates])).toMatchObject({ reason: 'held_contradiction' })
    expect(judge(rate, [0.7, 0.8, 0.7], [another(rate), [0.2, 0.2, 0.1]])).toBeUndefined()
  })

  it('is held if it has the changes of an index in the place of its level, on whatever base', () => {
    const index = Array.from({ length: 60 }, (_, i) => 100 * 1.002 ** i * (1 + Math.sin(i) / 100))
    const other = another(cpi, { base_period: '1982', base_value: '100' })
    const changes = index.map((_, i) => 3 + 2 * Math.sin(i / 6))
    expect(judge(cpi, changes, [other, index])).toMatchObject({
      reason: 'held_contradiction',
      detail: expect.stringMatching(/^value: \d+ figures do not move with those of /),
    })
    expect(
      judge(
        cpi,
        index.map((value) => value * 2.1),
        [other, index],
      ),
    ).toBeUndefined()
  })

  it('is believed where too little can be compared: no figure, zero, rates of change', () => {
    expect(judge(exports, [0, 0], [another(exports), [100, 101]])).toBeUndefined()
    expect(judge(exports, [1_000, 1_010, 1_020], [another(exports), []])).toBeUndefined()
    expect(judge(growth, [20, 21, 19], [another(growth), [2, 2.1, 1.9]])).toBeUndefined()
  })
})

describe('figures that are those of another indicator', () => {
  const nominal = testSeries({ indicator: 'gdp', frequency: 'Q', unit: 'USD' })
  const real = another(nominal, { indicator: 'gdp-volume', dataset: 'GDPC1' })
  const figures = Array.from({ length: 12 }, (_, i) => 1_000 + i * 7)
  const quarterAt = (i: number) => shiftPeriod('2000-Q1', i)
  const recordOf = (values: readonly number[]) => {
    const known = new Map(values.map((value, i) => [quarterAt(i), value]))
    return (period: string) => known.get(period)
  }
  const sameAs = (values: readonly number[], other: Series, own: readonly number[] = []) =>
    suspicionOfSameFigures(
      real,
      values.map((value, i) => ({ period: quarterAt(i), figures: { value } })),
      recordOf(own),
      [{ series: other, recorded: recordOf(figures) }],
    )

  it('are held whole, also if a few differ', () => {
    expect(mistakableFor('gdp-volume')).toEqual(['gdp'])
    expect(mistakableFor('gdp')).toEqual(['gdp-volume'])
    expect(mistakableFor('cpi')).toEqual([])
    expect(sameAs([...figures, 1], nominal)).toEqual({
      reason: 'held_contradiction',
      detail: `value: 12 of 12 figures are those of ${nominal.id}.`,
      periods: new Set([...figures, 1].map((_, i) => quarterAt(i))),
    })
  })

  it('are believed if they are few, in another unit, on record already, or equal only for a year', () => {
    expect(sameAs(figures.slice(0, 7), nominal)).toBeUndefined()
    expect(sameAs(figures, { ...nominal, unit: 'EUR' })).toBeUndefined()
    // A person has approved them.
    expect(sameAs([...figures, 1], nominal, figures)).toBeUndefined()
    expect(
      sameAs(
        figures.map((value, i) => (i < 8 ? value : value * 1.01)),
        nominal,
      ),
    ).toBeUndefined()
  })
})
