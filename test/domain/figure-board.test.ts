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
  it('answers with the newest period that is left, in whatever order the periods came', () => {
    const [first, middle, last] = [rate({}, '2025-01', '4.3'), rate({}, '2025-02', '4.2'), rate({}, '2025-03', '4.1')]
    const withdrawal = accepted(
      { ...candidate(first.series, '2025-03', { rate: '4.1' }), printed: null },
      last,
      '2026-02-01T00:00:00.000Z',
    )
    const voided = { ...last, release_id: 'rel_voids', figures: {}, voids: last.release_id }
    for (const end of [withdrawal, voided]) {
      const board = boardOf([last, middle, first, end])
      expect(board.latest('USA', 'unemployment')?.period).toBe('2025-02')
      expect(board.newest('USA', 'unemployment', 'M')).toBe('2025-02')
    }
    // The end of an older period does not change the newest one.
    const older = { ...voided, period: '2025-01', voids: first.release_id }
    expect(boardOf([last, first, middle, older]).newest('USA', 'unemployment', 'M')).toBe('2025-03')
    expect(boardOf([]).inHistory('USA', 'unemployment', '2025-01')).toBeUndefined()
    expect(boardOf([first]).inHistory('USA', 'unemployment', 'no period')).toBeUndefined()
    expect(boardOf([first]).at('USA', 'unemployment', 'no period')).toBeUndefined()
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
  it('gives what is in force of a series by period, also after each further release', () => {
    const [full, march] = [rate({}, '2025-01', '4.3'), rate({}, '2025-03', '4.1')]
    const board = boardOf([march, full])
    const { id } = full.series
    const figures = () => board.inForce(id).map(({ period, figures }) => `${period} ${figures.rate}`)
    expect(figures()).toEqual(['2025-01 4.3', '2025-03 4.1'])
    board.apply(rate({}, '2025-02', '4.2'))
    expect(figures()).toEqual(['2025-01 4.3', '2025-02 4.2', '2025-03 4.1'])
    board.apply({ ...full, figures: {} })
    expect(figures()).toEqual(['2025-02 4.2', '2025-03 4.1'])
    expect(board.inForce('USA.none')).toEqual([])
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

describe('what takes the place of figures', () => {
  const figure = (period: string, value: string, over: Partial<Release> = {}): Release => ({
    ...rate({}, period, value),
    release_id: `rel_${period}_${value}`,
    ...over,
  })
  const withdrawn = (period: string): Release => figure(period, '0', { figures: {} })

  it('a withdrawal is named for its period, until there is a figure again', () => {
    const gone = withdrawn('2025-02')
    const releases = [figure('2025-01', '4.3'), figure('2025-02', '4.2'), gone]
    const withdrawal = (board: FigureBoard, period: string) => board.withdrawal('USA', 'unemployment', period)
    const board = boardOf(releases)
    expect(withdrawal(board, '2025-02')).toBe(gone)
    expect([withdrawal(board, '2025-01'), withdrawal(board, '2025-03'), withdrawal(board, 'never')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([...board.releases()]).toEqual([releases[0], gone])
    expect(board.size).toBe(1)
    const back = boardOf([...releases, figure('2025-02', '4.1')])
    expect(withdrawal(back, '2025-02')).toBeUndefined()
    expect([...back.releases()].map(({ release_id }) => release_id)).toEqual(['rel_2025-01_4.3', 'rel_2025-02_4.1'])
  })

  it('of a period that another series answers, no withdrawal is named', () => {
    const board = boardOf([withdrawn('2025-02'), rate({ source: 'OECD' }, '2025-02', '5')])
    expect(board.withdrawal('USA', 'unemployment', '2025-02')).toBeUndefined()
  })

  it('a figure that never was true leaves nothing, and the period before it is the latest', () => {
    const voids = figure('2025-03', '0', { figures: {}, voids: 'rel_2025-03_4.1' })
    const figures = [figure('2025-03', '4.1'), figure('2025-01', '4.3'), figure('2025-02', '4.2')]
    const board = boardOf([...figures, voids])
    expect(board.at('USA', 'unemployment', '2025-03')).toBeUndefined()
    expect(board.newest('USA', 'unemployment', 'M')).toBe('2025-02')
    expect(board.withdrawal('USA', 'unemployment', '2025-03')).toBeUndefined()
    expect(board.size).toBe(2)
    const earlier = boardOf([...figures, { ...voids, period: '2025-01' }])
    expect(earlier.newest('USA', 'unemployment', 'M')).toBe('2025-03')
  })

  it('a series of which nothing ever was true is forgotten, and a country with its last one', () => {
    const voided = (release: Release): Release => ({
      ...release,
      release_id: 'rel_voids',
      figures: {},
      voids: release.release_id,
    })
    const [own, other] = [rate({}, '2025-03', '4.1'), rate({ source: 'OECD' }, '2025-03', '5')]
    const german = rate({ country: 'DEU' }, '2025-03', '3')
    const board = boardOf([own, other, german])
    board.apply(voided(own))
    expect(board.servedSeries('USA', 'unemployment', 'M')?.id).toBe(other.series.id)
    expect(board.countries('unemployment')).toEqual(['DEU', 'USA'])
    board.apply(voided(other))
    expect(board.servedSeries('USA', 'unemployment', 'M')).toBeUndefined()
    expect(board.countries('unemployment')).toEqual(['DEU'])
    board.apply(own)
    expect(board.servedSeries('USA', 'unemployment', 'M')?.id).toBe(own.series.id)
    expect(board.countries('unemployment')).toEqual(['DEU', 'USA'])
    // One period of two is still there.
    const two = boardOf([own, rate({}, '2025-02', '4.2'), voided(own)])
    expect(two.countries('unemployment')).toEqual(['USA'])
  })

  it('the latest is the newest that is left, in whatever order figures came', () => {
    const board = boardOf([figure('2025-02', '4.2'), figure('2025-03', '4.1'), figure('2025-01', '4.3')])
    board.apply(withdrawn('2025-03'))
    expect(board.newest('USA', 'unemployment', 'M')).toBe('2025-02')
    board.apply(withdrawn('2025-01'))
    expect(board.newest('USA', 'unemployment', 'M')).toBe('2025-02')
  })

  it('a release that lacks a figure gives way to its withdrawal, and to one that has all', () => {
    const growth = (period: string, figures: Record<string, string>) => ({
      ...accepted(
        candidate(testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' }), period, {
          year_over_year: '1.0',
        }),
      ),
      figures,
    })
    const alone = { year_over_year: '1.0' }
    const board = boardOf([growth('2025-Q3', alone), growth('2025-Q1', alone), growth('2025-Q2', alone)])
    const partial = () => board.partial('USA', 'gdp-growth', 'Q').map(({ period }) => period)
    expect(partial()).toEqual(['2025-Q1', '2025-Q2', '2025-Q3'])
    expect(board.size).toBe(3)
    board.apply(growth('2025-Q1', {}))
    board.apply(growth('2025-Q2', { ...alone, quarter_over_quarter: '0.3' }))
    expect(partial()).toEqual(['2025-Q3'])
    expect([...board.releases()].map(({ period }) => period)).toEqual(['2025-Q2', '2025-Q3', '2025-Q1'])
  })

  it('the time of what is on record is that of the newest release, a late one too', () => {
    const at = (day: string, over: Partial<Release> = {}) =>
      figure('2025-01', '4.3', { recorded_at: `2026-01-${day}T00:00:00.000Z`, ...over })
    expect(new FigureBoard().recordedAt).toBe('')
    expect(boardOf([at('02'), at('03'), at('01')]).recordedAt).toBe('2026-01-03T00:00:00.000Z')
    expect(boardOf([at('02'), at('04', { late: true })]).recordedAt).toBe('2026-01-04T00:00:00.000Z')
  })
})
