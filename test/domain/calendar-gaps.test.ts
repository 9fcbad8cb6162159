import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release, Series } from '../../contracts/records.ts'
import { gapOf, gapReason, statedPeriods } from '../../domain/calendar-gaps.ts'
import { type GapStatus, StatementBoard } from '../../domain/calendar-statements.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { accepted, candidate, flowSeries, testSeries } from '../support/releases.ts'

const FIRST = '2023-01'
const MONTHS = 48
const AT_2027 = '2027-01-15T00:00:00.000Z'

/** A board with monthly figures, except those of `missing`, and with all that is derived from them. */
function published(all: readonly Series[], missing: readonly string[]) {
  const state = nothingDerived()
  const figures = new FigureBoard()
  const apply = (releases: readonly Release[]) => {
    for (const release of releases) figures.apply(release)
  }
  for (const series of all) {
    for (let i = 0; i < MONTHS; i++) {
      const period = shiftPeriod(FIRST, i)
      if (missing.includes(period)) continue
      const release = accepted(candidate(series, period, { value: String(100 + i) }), undefined, AT_2027)
      apply([release, ...deriveFrom(state, [release])])
    }
  }
  return figures
}

function stated(indicator: 'cpi' | 'trade-exports', periods: readonly string[], status: GapStatus = 'never_published') {
  const statements = new StatementBoard()
  for (const period of periods) {
    statements.apply({
      change: status,
      country: 'USA',
      indicator,
      period,
      series: 'any',
      ...unknownDay,
      reason: 'no survey',
      recorded_at: '2026-11-23T00:00:00.000Z',
    })
  }
  return statements
}

describe('a period that was never published', () => {
  const cpi = testSeries()
  const inflationOf = (figures: FigureBoard) => figures.servedSeries('USA', 'inflation', 'M') as Series

  it('is no gap of a rate that is on record all the same', () => {
    const statements = stated('cpi', ['2025-10'])
    const all = published([cpi], [])
    const inflation = inflationOf(all)
    const without = published([cpi], ['2025-10'])
    expect(gapOf({ figures: without, statements }, inflation, '2025-11')).toBeDefined()
    // Somebody publishes the rate although the index was not: it is served.
    const rate = all.at('USA', 'inflation', '2025-11')
    if (rate) without.apply(rate)
    expect(gapOf({ figures: without, statements }, inflation, '2025-11')).toBeUndefined()
  })

  it('is a gap of its own, and of the rates that compare with it', () => {
    const facts = { figures: published([cpi], ['2025-10']), statements: stated('cpi', ['2025-10']) }
    const inflation = inflationOf(facts.figures)
    const gaps = statedPeriods(facts, inflation).filter((period) => gapOf(facts, inflation, period))
    expect(gaps).toEqual(['2025-10', '2025-11', '2026-10'])
    expect(statedPeriods(facts, cpi)).toEqual(['2025-10'])
    const gap = gapOf(facts, inflation, '2026-10')
    expect(gap && gapReason(gap, { indicator: 'inflation', period: '2026-10' })).toBe(
      'needs cpi of 2025-10, which was never published: no survey',
    )
  })

  it('ends when its figure is published all the same, or the statement is taken back', () => {
    const facts = { figures: published([cpi], []), statements: stated('cpi', ['2025-10']) }
    expect(gapOf(facts, cpi, '2025-10')).toBeUndefined()
    expect(gapOf(facts, inflationOf(facts.figures), '2026-10')).toBeUndefined()
    const figures = published([cpi], ['2025-10'])
    const statements = stated('cpi', ['2025-10'])
    expect(gapOf({ figures, statements }, cpi, '2025-10')).toBeDefined()
    statements.apply({ ...restored, indicator: 'cpi', period: '2025-10' })
    expect(gapOf({ figures, statements }, cpi, '2025-10')).toBeUndefined()
  })
  const restored = {
    change: 'restored',
    country: 'USA',
    series: 'any',
    ...unknownDay,
    reason: null,
    recorded_at: '2026-11-23T00:00:01.000Z',
  } as const

  it('is not a gap of a rate that its office publishes itself', () => {
    const own = testSeries({ indicator: 'inflation', unit: 'percent' })
    const facts = { figures: published([cpi], ['2025-10']), statements: stated('cpi', ['2025-10']) }
    expect(gapOf(facts, own, '2025-11')).toBeUndefined()
  })

  it('reaches the year of its months, and the balance of that year', () => {
    const flows = [flowSeries('trade-exports'), flowSeries('trade-imports')]
    const facts = { figures: published(flows, ['2025-10']), statements: stated('trade-exports', ['2025-10']) }
    for (const [indicator, frequency, period] of [
      ['trade-exports', 'A', '2025'],
      ['trade', 'M', '2025-10'],
      ['trade', 'A', '2025'],
    ] as const) {
      const series = facts.figures.servedSeries('USA', indicator, frequency) as Series
      expect(statedPeriods(facts, series).filter((each) => gapOf(facts, series, each))).toEqual([period])
    }
  })

  it('is why exactly those rates are missing that could not be derived', () => {
    const month = fc.integer({ min: 13, max: MONTHS - 1 }).map((i) => shiftPeriod(FIRST, i))
    fc.assert(
      fc.property(fc.uniqueArray(month, { minLength: 1, maxLength: 4 }), (missing) => {
        const facts = { figures: published([cpi], missing), statements: stated('cpi', missing) }
        const inflation = inflationOf(facts.figures)
        if (!inflation) return
        for (let i = 12; i < MONTHS; i++) {
          const period = shiftPeriod(FIRST, i)
          const isMissing = facts.figures.at('USA', 'inflation', period) === undefined
          expect([period, gapOf(facts, inflation, period) !== undefined]).toEqual([period, isMissing])
          if (isMissing) expect(statedPeriods(facts, inflation)).toContain(period)
        }
      }),
      { numRuns: 40 },
    )
  })
})
