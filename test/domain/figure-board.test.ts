import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { derivedId } from '../../domain/ids.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { accepted, candidate, flowSeries, testSeries } from '../support/releases.ts'

const rate = (over: Parameters<typeof testSeries>[0], period: string, value: string): Release =>
  accepted(candidate(testSeries({ indicator: 'unemployment', unit: 'percent', ...over }), period, { rate: value }))
const boardOf = (releases: readonly Release[]) => {
  const board = new FigureBoard()
  for (const release of releases) board.apply(release)
  return board
}

describe('FigureBoard', () => {
  it('answers latest with the greatest period, however late an earlier one arrives', () => {
    const board = boardOf([rate({}, '2025-03', '4.1'), rate({}, '2025-01', '4.3')])
    expect(board.latest('USA', 'unemployment')?.period).toBe('2025-03')
    expect(board.at('USA', 'unemployment', '2025-01')?.figures.rate).toBe('4.3')
    expect(board.at('USA', 'unemployment', '2025-02')).toBeUndefined()
    expect(board.latest('CAN', 'unemployment')).toBeUndefined()
  })
  it('answers latest at the highest frequency, and each period at its own', () => {
    const board = boardOf([
      rate({ frequency: 'A' }, '2025', '4.0'),
      rate({ frequency: 'Q' }, '2024-Q4', '4.2'),
      rate({}, '2023-03', '4.1'),
    ])
    expect(board.latest('USA', 'unemployment')?.period).toBe('2023-03')
    expect(board.at('USA', 'unemployment', '2025')?.figures.rate).toBe('4.0')
    expect(board.at('USA', 'unemployment', '2024-Q4')?.figures.rate).toBe('4.2')
  })
  it('serves a published series rather than a derived one, then by source, adjustment and base', () => {
    const one = flowSeries('trade-exports', { frequency: 'A' })
    const derived = accepted(
      candidate(flowSeries('trade-exports', { frequency: 'A', derivation: 'year_from_months' }), '2024', {
        value: '1',
      }),
    )
    const published = accepted(candidate(one, '2024', { value: '2' }))
    expect(boardOf([derived, published]).latest('USA', 'trade-exports')?.figures.value).toBe('2')
    const [oecd, fred] = [rate({ source: 'OECD' }, '2025-03', '5'), rate({ source: 'FRED' }, '2025-03', '6')]
    expect(boardOf([oecd, fred]).latest('USA', 'unemployment')?.figures.rate).toBe('6')
    const [raw, adjusted] = [
      rate({}, '2025-03', '7'),
      rate({ seasonal_adjustment: 'seasonally_adjusted' }, '2025-03', '8'),
    ]
    expect(boardOf([raw, adjusted]).latest('USA', 'unemployment')?.figures.rate).toBe('8')
  })
  it('hides no period that only another series has', () => {
    const annual = { frequency: 'A' } as const
    const published = accepted(candidate(flowSeries('trade-exports', annual), '2017', { value: '1' }))
    const made = { ...annual, derivation: 'year_from_months' }
    const derived = ['2016', '2017', '2018'].map((y) =>
      accepted(candidate(flowSeries('trade-exports', made), y, { value: '2' })),
    )
    const board = boardOf([...derived, published])
    expect(['2016', '2017', '2018'].map((y) => board.at('USA', 'trade-exports', y)?.figures.value)).toEqual([
      '2',
      '1',
      '2',
    ])
    expect([derived[0], derived[1], published].map((r) => r && board.isAnswer(r))).toEqual([true, false, true])
  })
  it('answers latest with the newest period of any series, because that is the newest figure', () => {
    const board = boardOf([
      rate({ source: 'FRED' }, '2025-02', '6'),
      rate({ source: 'OECD' }, '2025-02', '5'),
      rate({ source: 'OECD' }, '2025-03', '7'),
    ])
    expect(board.latest('USA', 'unemployment')?.figures.rate).toBe('7')
    expect(board.at('USA', 'unemployment', '2025-02')?.figures.rate).toBe('6')
  })
  it('answers each period of an index from the newest base that has it', () => {
    const index = (base_period: string, period: string, value: string, over = {}) =>
      accepted(candidate(testSeries({ base_period, base_value: '100', ...over }), period, { value }))
    const old = index('2010', '2014-12', '108.1')
    const overlap = index('2010', '2015-01', '108.3')
    const rebased = index('2015', '2015-01', '99.8')
    const elsewhere = index('2015', '2014-11', '99.1', { source: 'ZZZ' })
    const board = boardOf([old, overlap, rebased, elsewhere])
    const values = ['2014-11', '2014-12', '2015-01'].map((period) => board.at('USA', 'cpi', period)?.figures.value)
    expect(values).toEqual(['99.1', '108.1', '99.8'])
    expect([old, overlap, rebased, elsewhere].map((release) => board.isAnswer(release))).toEqual([
      true,
      false,
      true,
      true,
    ])
  })
  it('names the countries of an indicator, and as periods exactly those that it answers', () => {
    const index = (base_period: string, period: string, over = {}) =>
      accepted(candidate(testSeries({ base_period, base_value: '100', ...over }), period, { value: '101' }))
    const periods = ['2014-12', '2015-01', '2015-02', '2016-01']
    const board = boardOf([
      ...['2014-12', '2015-01'].map((period) => index('2010', period)),
      ...['2016-01', '2015-02'].map((period) => index('2015', period)),
      index('2015', '2015-01', { country: 'CAN' }),
      rate({ country: 'AUS' }, '2015-01', '4.1'),
    ])
    expect(board.countries('cpi')).toEqual(['CAN', 'USA'])
    expect(board.countries('gdp')).toEqual([])
    expect(board.periods('USA', 'cpi', 'M')).toEqual(periods.filter((period) => board.at('USA', 'cpi', period)))
    expect(board.periods('USA', 'cpi', 'M')).toEqual(periods)
    expect(board.periods('USA', 'cpi', 'A')).toEqual([])
  })
  it('answers no period with a release that lacks a figure of the body, and makes no event of it', () => {
    const growth = (source: string, period: string, figures: Record<string, string>) =>
      accepted(
        candidate(testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent', source }), period, figures),
      )
    const both = { year_over_year: '1.1', quarter_over_quarter: '0.3' }
    const alone = growth('FRED', '2025-Q3', { year_over_year: '1.0' })
    const board = new FigureBoard()
    expect(eventOfRelease(board, growth('FRED', '2025-Q2', both), 1)?.type).toBe('economics.release.published')
    expect(eventOfRelease(board, alone, 2)).toBeUndefined()
    expect(board.latest('USA', 'gdp-growth')?.period).toBe('2025-Q2')
    expect(board.partial('USA', 'gdp-growth', 'Q')).toEqual([alone])
    expect([...board.releases()]).toContain(alone)
    // Another source has all of it, so that one answers; then the first one has, too.
    const other = growth('OECD', '2025-Q3', both)
    expect(eventOfRelease(board, other, 3)?.type).toBe('economics.release.published')
    expect(board.at('USA', 'gdp-growth', '2025-Q3')).toEqual(other)
    expect(board.partial('USA', 'gdp-growth', 'Q')).toEqual([])
    const whole = growth('FRED', '2025-Q3', both)
    const event = eventOfRelease(board, whole, 4)
    expect(event?.type).toBe('economics.release.published')
    expect(JSON.parse(event?.data ?? '')).not.toHaveProperty('previous')
  })
  it('is the same whatever the order in which series arrive', () => {
    const releases = [
      rate({ source: 'OECD' }, '2025-03', '5'),
      rate({ source: 'FRED' }, '2025-02', '6'),
      rate({ source: 'ZZZ' }, '2025-02', '6'),
      rate({ seasonal_adjustment: 'seasonally_adjusted', source: 'OECD' }, '2025-04', '8'),
      rate({ derivation: 'some' }, '2025-05', '9'),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(releases, { minLength: 5 }), (order) => {
        expect(boardOf(order).latest('USA', 'unemployment')).toEqual(boardOf(releases).latest('USA', 'unemployment'))
      }),
    )
  })
})

describe('derivedId', () => {
  it('keeps parts apart and is stable', () => {
    expect(derivedId('x', 'ab', 'c')).not.toBe(derivedId('x', 'a', 'bc'))
    expect(derivedId('rel', 'USA.cpi', '2025-09', '', 'é\ud800')).toBe('rel_0AEQNBQM1DH6DAMA8G82CB6M3H')
    expect(derivedId('evt', 'a')).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
})

it('an earlier print that becomes known late is not current', () => {
  const current = rate({}, '2025-03', '4.1')
  const late = { ...rate({}, '2025-03', '3.9'), release_id: 'rel_late', late: true }
  expect(boardOf([current, late]).latest('USA', 'unemployment')?.figures.rate).toBe('4.1')
})

it('after the figure of the newest period is withdrawn, the period before it is the latest again', () => {
  const withdrawn = { ...rate({}, '2025-03', '4.1'), release_id: 'rel_withdrawn', figures: {} }
  const board = boardOf([rate({}, '2025-01', '4.3'), rate({}, '2025-02', '4.2'), rate({}, '2025-03', '4.1'), withdrawn])
  expect(board.newest('USA', 'unemployment', 'M')).toBe('2025-02')
  expect(board.latest('USA', 'unemployment')?.period).toBe('2025-02')
})
