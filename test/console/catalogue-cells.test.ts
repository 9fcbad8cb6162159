import { describe, expect, it } from 'vitest'
import { catalogueCells, catalogueShows, catalogueTable } from '../../console/browser/catalogue-cells.js'
import { filterWords, hasWords } from '../../console/browser/filter-words.js'
import { readViewAddress } from '../../console/browser/view-address.js'
import { facts } from '../../console/facts.ts'
import type { CatalogEntry } from '../../contracts/catalog.ts'

const entry = (over: Partial<CatalogEntry>): CatalogEntry => ({
  series: 'USA.gdp.Q.FRED.GDP',
  country: 'USA',
  country_name: 'United States',
  indicator: 'gdp',
  indicator_name: 'GDP',
  publisher: 'U.S. Bureau of Economic Analysis, through FRED',
  source: 'FRED',
  dataset: 'GDP',
  licence: 'public domain',
  unit: 'USD',
  multiplier: '1',
  frequency: 'Q',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'annualized',
  base_period: '',
  base_value: '',
  derivation: '',
  is_served: true,
  first_period: '2000-Q1',
  last_period: '2026-Q2',
  latest_period: '2026-Q2',
  periods_ended_since: 1,
  observations: 106,
  vintages: 1023,
  last_released_on: '2026-07-30',
  last_released_on_basis: 'copy',
  last_recorded_at: '2026-11-29T02:26:55.000Z',
  next_period: '2026-Q3',
  next_expected_on: null,
  next_expected_on_basis: null,
  days_late: null,
  link: null,
  last_fetched_at: null,
  ...over,
})
const cellOf = (...series: CatalogEntry[]) => {
  const [cell] = catalogueCells(series, facts, '2026-11-29').values()
  if (!cell) throw new Error('no cell')
  return cell
}

describe('a cell of the catalogue', () => {
  it.each([
    [{ periods_ended_since: 0 }, 'current', 'the last full quarter'],
    [{ periods_ended_since: 1 }, 'current', '1 quarter old'],
    [{ periods_ended_since: 3 }, 'current', '3 quarters old'],
    [{ periods_ended_since: 4 }, 'old', '4 quarters old'],
    // Its next quarter is over for 333 days, and for 243: the bound is 274.
    [{ next_period: '2025-Q4', periods_ended_since: 4 }, 'ended', '4 quarters old, probably ended'],
    [{ next_period: '2026-Q1', periods_ended_since: 3 }, 'current', '3 quarters old'],
    [
      { next_period: '2025-Q1', next_expected_on: '2025-06-01', days_late: 546 },
      'late',
      '1 quarter old, next 546 days late',
    ],
    [{ days_late: 0 }, 'current', '1 quarter old'],
    [{ days_late: 1 }, 'late', '1 quarter old, next 1 day late'],
    [{ days_late: 31, periods_ended_since: 9 }, 'late', '9 quarters old, next 31 days late'],
  ] as const)('of %j is %s, in words: %s', (over, state, age) => {
    expect(cellOf(entry(over))).toMatchObject({
      state,
      age,
      span: 'since Q1 2000, 1,023 prints',
      basis: 'date of a copy',
    })
  })

  it('says on which day its dataset was last fetched, and in words that no fetch is known', () => {
    expect(cellOf(entry({ last_fetched_at: '2026-11-28T23:30:00.000Z' })).fetched).toBe('fetched 28 Nov 2026')
    expect(cellOf(entry({ last_fetched_at: null })).fetched).toBe('no fetch on record')
  })

  it('has the frequency with the newest figure first, of equal ones the finest, and no series that is not served', () => {
    const year = entry({ frequency: 'A', latest_period: '2026' })
    const quarter = entry({ latest_period: '2026-Q4' })
    const month = entry({ frequency: 'M', latest_period: '2026-11' })
    const unserved = entry({ frequency: 'M', latest_period: '2026-12', is_served: false })
    const { entry: first, others } = cellOf(year, month, unserved, quarter)
    expect([first, ...others]).toEqual([quarter, year, month])
  })

  it('is found by the beginnings of its words, whatever their order and signs', () => {
    const cell = cellOf(entry({ periods_ended_since: 5 }), entry({ frequency: 'A', latest_period: '2020' }))
    for (const sought of [
      '',
      'united gross',
      'GDP, usa!',
      'fred copy',
      'old',
      'quarterly',
      'annual',
      'economic bureau',
    ])
      expect(hasWords(cell, sought), sought).toBe(true)
    for (const sought of ['germany', 'united germany', 'ross', 'late', 'monthly'])
      expect(hasWords(cell, sought), sought).toBe(false)
    expect(filterWords(' Germany:  prices?')).toBe('germany prices')
  })

  it('can show each of its parts at an address', () => {
    for (const show of Object.keys(catalogueShows))
      expect(readViewAddress(`?view=catalogue&show=${show}`)).toMatchObject({ params: { show }, unread: [] })
  })

  it('goes into a file with what is shown, and no more', () => {
    const cell = cellOf(entry({}), entry({ frequency: 'A', latest_period: '2020' }))
    const spans = catalogueTable([cell], 'span')
    expect(spans.columns).toEqual([
      ...['country', 'country_name', 'indicator', 'frequency', 'latest_period', 'periods_ended_since', 'days_late'],
      ...catalogueShows.span.members,
    ])
    expect(spans.rows).toHaveLength(1)
    expect(spans.rows[0]).toMatchObject({ latest_period: '2026-Q2', vintages: 1023 })
    expect(spans.rows[0]).not.toHaveProperty('publisher')
    // Other frequencies have rows of their own where they are shown.
    expect(catalogueTable([cell], 'frequencies').rows.map(({ frequency }) => frequency)).toEqual(['Q', 'A'])
    const all = catalogueTable([cell], 'all')
    expect(all.rows).toHaveLength(2)
    expect(all.columns).toEqual(
      expect.arrayContaining(['publisher', 'last_released_on_basis', 'last_recorded_at', 'last_fetched_at']),
    )
  })
})
