import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release, Series } from '../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { accepted, candidate, flowSeries, testSeries } from '../support/releases.ts'

const months = ['2023', '2024', '2025'].flatMap((year) => periodsOfYear('M', year))
const quarters = ['2022', '2023', '2024', '2025'].flatMap((year) => periodsOfYear('Q', year))
const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', seasonal_adjustment: 'seasonally_adjusted' })

/** Feeds figures in the order given, each judged against what is on record, and returns the current derived releases. */
function feed(inputs: readonly { series: Series; period: string; value: string }[]) {
  const state = nothingDerived()
  const primary = new Map<string, Release>()
  const made: Release[] = []
  for (const { series, period, value } of inputs) {
    const place = `${series.id} ${period}`
    const known = primary.get(place)
    if (known?.figures.value === value) continue
    const release = accepted(candidate(series, period, { value }), known)
    primary.set(place, release)
    made.push(...deriveFrom(state, [release]))
  }
  const current = new Map(made.map((release) => [`${release.series.id} ${release.period}`, release.figures]))
  return { made, current, primary }
}
const indexed = (series: Series, periods: readonly string[], value: (i: number) => string) =>
  periods.map((period, i) => ({ series, period, value: value(i) }))

describe('derivations', () => {
  it('reads only quarterly volumes for growth, and only months for years', () => {
    const monthly = testSeries({ indicator: 'gdp-volume' })
    expect(feed(indexed(monthly, months, (i) => String(100 + i))).made).toEqual([])
    const value = testSeries({ indicator: 'gdp', frequency: 'Q', unit: 'EUR' })
    expect(feed(indexed(value, quarters, (i) => String(100 + i))).made).toEqual([])
    const annual = flowSeries('trade-exports', { frequency: 'A' })
    expect(feed(indexed(annual, ['2023', '2024'], () => '10')).made).toEqual([])
  })
  it('makes a trade summary of each two flows, under the datasets of both', () => {
    const flow = (indicator: 'trade-exports' | 'trade-imports', dataset: string, value: string) => ({
      series: flowSeries(indicator, { dataset }),
      period: '2024-01',
      value,
    })
    const { made } = feed([
      flow('trade-imports', 'B', '1'),
      flow('trade-imports', 'A', '2'),
      flow('trade-exports', 'A', '5'),
      flow('trade-exports', 'C', '9'),
    ])
    expect(made.map(({ series, figures }) => [series.dataset, figures.balance])).toEqual([
      ['A', '3'],
      ['A+B', '4'],
      ['C+A', '7'],
      ['C+B', '8'],
    ])
  })
  it('computes inflation against a year, a month and December before', () => {
    const { made } = feed(indexed(testSeries(), months.slice(0, 15), (i) => String(100 + i)))
    const march = made.find(({ period }) => period === '2024-03')
    // 114 against 102 (2023-03), 113 (2024-02) and 111 (2023-12).
    expect(march?.figures).toEqual({ year_over_year: '11.8', month_over_month: '0.9', year_to_date: '2.7' })
    expect(made.map(({ period }) => period)).toEqual(['2024-01', '2024-02', '2024-03'])
    expect(march?.inputs).toHaveLength(4)
  })
  it('computes growth, with the year to date over the same quarters of the year before', () => {
    const { made } = feed(indexed(volume, quarters.slice(0, 6), (i) => String(100 + 10 * i)))
    const q2 = made.findLast(({ period }) => period === '2023-Q2')
    // 150 against 110 and 140; 140 + 150 against 100 + 110.
    expect(q2?.figures).toEqual({ year_over_year: '36.4', quarter_over_quarter: '7.1', year_to_date: '38.1' })
    expect(q2?.series.annualization).toBe('not_annualized')
  })
  it('leaves the year to date out where a quarter is unknown', () => {
    const known = ['2022-Q2', '2023-Q1', '2023-Q2'].map((period) => ({ series: volume, period, value: '100' }))
    expect(feed(known).made.map(({ figures }) => figures)).toEqual([
      { year_over_year: '0.0', quarter_over_quarter: '0.0' },
    ])
  })
  it('makes a year of twelve months and a trade summary of both flows, in one pass', () => {
    const exports = indexed(flowSeries('trade-exports'), periodsOfYear('M', '2024'), () => '10')
    const imports = indexed(flowSeries('trade-imports'), periodsOfYear('M', '2024'), () => '7.5')
    const { made } = feed([...exports, ...imports])
    const annual = made.filter(({ period }) => period === '2024')
    expect(annual.map(({ series, figures }) => [series.indicator, figures])).toEqual([
      ['trade-exports', { value: '120' }],
      ['trade-imports', { value: '90' }],
      ['trade', { exports: '120', imports: '90', balance: '30' }],
    ])
    expect(made.filter(({ series }) => series.indicator === 'trade' && series.frequency === 'M')).toHaveLength(12)
  })
  it('does not pair flows of different currencies, sources or countries', () => {
    const one = { series: flowSeries('trade-exports'), period: '2024-01', value: '1' }
    for (const other of [
      { unit: 'EUR' },
      { source: 'OTHER' },
      { country: 'CAN' },
      { seasonal_adjustment: 'seasonally_adjusted' as const },
    ]) {
      expect(feed([one, { series: flowSeries('trade-imports', other), period: '2024-01', value: '1' }]).made).toEqual(
        [],
      )
    }
  })
  it('never mixes old levels with new ones when a whole series is revised at once', () => {
    const state = nothingDerived()
    const publish = (factor: number, known: readonly Release[] = []) =>
      quarters
        .slice(0, 8)
        .map((period, i) => accepted(candidate(volume, period, { value: String((100 + i) * factor) }), known[i]))
    const first = publish(1)
    const before = deriveFrom(state, first)
    expect(before.length).toBe(4)
    // All levels doubled: no rate changes, so nothing derived is revised, not even for a moment.
    expect(deriveFrom(state, publish(2, first))).toEqual([])
  })
  it('keeps the inflation of a rebased index apart from that of the old one', () => {
    const rebased = testSeries({ base_period: '2020' })
    const { made } = feed([
      ...indexed(testSeries(), months.slice(0, 13), (i) => String(100 + i)),
      ...indexed(rebased, months.slice(0, 13), (i) => String(50 + i)),
    ])
    expect(new Set(made.map(({ series }) => series.id)).size).toBe(2)
    expect(made.every(({ revises }) => revises === null)).toBe(true)
  })

  it('leaves out what could not be served, and goes on', () => {
    const state = nothingDerived()
    const large = accepted(candidate(flowSeries('trade-exports'), '2024-01', { value: '9'.repeat(45) }))
    const small = accepted(candidate(flowSeries('trade-imports'), '2024-01', { value: `0.${'1'.repeat(38)}` }))
    const next = accepted(candidate(flowSeries('trade-imports'), '2024-02', { value: '1' }))
    const other = accepted(candidate(flowSeries('trade-exports'), '2024-02', { value: '2' }))
    expect(deriveFrom(state, [large, small, next, other]).map(({ figures }) => figures.balance)).toEqual(['1'])
  })

  const arrival = fc
    .array(
      fc.record({
        series: fc.constantFrom(testSeries(), volume, flowSeries('trade-exports'), flowSeries('trade-imports')),
        at: fc.nat(),
        value: fc.integer({ min: 1, max: 500 }).map((n) => (n / 10).toFixed(1)),
      }),
      { minLength: 40, maxLength: 160 },
    )
    .map((list) =>
      list.map(({ series, at, value }) => {
        const periods = series.frequency === 'Q' ? quarters.slice(0, 8) : months.slice(0, 16)
        return { series, period: periods[at % periods.length] ?? '', value }
      }),
    )
  it('gives late, unordered and revised inputs what a full recomputation of the final figures gives', () => {
    fc.assert(
      fc.property(arrival, fc.infiniteStream(fc.nat()), (arrived, shuffle) => {
        const { current, primary } = feed(arrived)
        const final = [...primary.values()].map(({ series, period, figures }) => ({
          series,
          period,
          value: figures.value ?? '',
        }))
        for (const input of final) Object.assign(input, { rank: shuffle.next().value })
        const inAnotherOrder = final.toSorted((a, b) => (a as { rank?: number }).rank! - (b as { rank?: number }).rank!)
        expect(new Map([...feed(inAnotherOrder).current].sort())).toEqual(new Map([...current].sort()))
      }),
      { numRuns: 60 },
    )
  })
  it('gives the same records again when the same input is replayed', () => {
    fc.assert(
      fc.property(arrival, (arrived) => {
        expect(feed(arrived).made).toEqual(feed(arrived).made)
      }),
      { numRuns: 20 },
    )
  })
})
