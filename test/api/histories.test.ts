import { describe, expect, it } from 'vitest'
import type { ObservationList, VintageList } from '../../contracts/histories.ts'
import { historyOperations } from '../../contracts/history-operations.ts'
import { decodeHistoryCursor, encodeHistoryCursor } from '../../domain/history-cursor.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

const rate = (over: Parameters<typeof testSeries>[0] = {}) =>
  testSeries({ indicator: 'unemployment', unit: 'percent', ...over })

/** Each entry as text: period, what it measures, value. */
const shown = async ({ app }: World, url: string): Promise<string[]> => {
  const response = await ask(app, `/v1/economics/${url}`)
  expect(response.statusCode, `${url} ${response.body}`).toBe(200)
  const { observations, vintages } = response.json<Partial<ObservationList & VintageList>>()
  return (observations ?? vintages ?? []).map(
    ({ period, measure, transformation, value, unit }) =>
      `${period} ${measure}${transformation && ` ${transformation}`} ${value} ${unit}`,
  )
}
const cursorOf = async ({ app }: World, url: string) =>
  (await ask(app, `/v1/economics/${url}`)).json<{ next_cursor: string }>().next_cursor

describe('histories', () => {
  it('are served for every indicator, with what each figure measures', async () => {
    const served = await world()
    expect(historyOperations).toHaveLength(18)
    expect(await shown(served, 'USA/cpi/observations')).toEqual(['2025-10 cpi 325.1 index', '2025-11 cpi 325.4 index'])
    expect(await shown(served, 'USA/inflation/observations?start=2025-11')).toEqual([
      '2025-11 inflation year_over_year 2.7 percent',
      '2025-11 inflation month_over_month 0.1 percent',
      '2025-11 inflation year_to_date 2.6 percent',
    ])
    expect(await shown(served, 'USA/gdp-growth/observations')).toEqual([
      '2025-Q3 gdp_growth year_over_year 2.1 percent',
      '2025-Q3 gdp_growth quarter_over_quarter 0.5 percent',
    ])
    expect(await shown(served, 'USA/trade/observations?end=2025-10')).toEqual([
      '2025-10 merchandise_exports 302000000000 USD',
      '2025-10 merchandise_imports 348900000000 USD',
      '2025-10 merchandise_balance -46900000000 USD',
    ])
    for (const path of ['gdp', 'unemployment', 'labour-force-participation', 'trade/imports']) {
      expect((await shown(served, `USA/${path}/observations`)).length, path).toBeGreaterThan(0)
    }
  })

  it('end a page between two figures of a period where the limit says so', async () => {
    const served = await world()
    const all = await shown(served, 'USA/inflation/observations')
    for (const list of ['observations', 'vintages']) {
      const url = `USA/inflation/${list}?limit=2`
      const rest = `USA/inflation/${list}?limit=2&cursor=${await cursorOf(served, url)}`
      const pages = [await shown(served, url), await shown(served, rest)]
      expect(pages.flat(), list).toEqual(all.slice(0, 4))
    }
  })

  it('are of the frequency of the latest figure, or of the one that is asked for', async () => {
    const served = await world()
    served.releases.accept(rate({ frequency: 'A' }), '2024', { rate: '4.0' })
    served.releases.accept(rate({ frequency: 'Q' }), '2025-Q3', { rate: '4.3' })
    expect(await shown(served, 'USA/unemployment/observations?start=2025-11')).toEqual([
      '2025-11 unemployment 4.6 percent',
    ])
    expect(await shown(served, 'USA/unemployment/observations?frequency=A')).toEqual(['2024 unemployment 4.0 percent'])
    expect(await shown(served, 'USA/unemployment/observations?frequency=Q&start=2025-07')).toEqual([
      '2025-Q3 unemployment 4.3 percent',
    ])
    expect(await shown(served, 'USA/unemployment/observations?frequency=Q&start=2025-08')).toEqual([])
    expect(await shown(served, 'USA/unemployment/vintages?period=2024')).toEqual(['2024 unemployment 4.0 percent'])
    const { problem } = await ask(served.app, '/v1/economics/USA/trade/imports/observations?frequency=A')
    expect(problem).toMatchObject({
      code: 'no_complete_publication',
      detail: 'trade-imports of USA (United States) is not published for years. Published: months 2025-10 to 2025-11.',
    })
    // Also where there is only one.
    expect(await shown(served, 'USA/cpi/observations?frequency=M')).toEqual(await shown(served, 'USA/cpi/observations'))
    expect((await ask(served.app, '/v1/economics/USA/cpi/observations?frequency=Q')).problem).toMatchObject({
      code: 'invalid_query',
      detail:
        'query parameter frequency: cpi is published for months: give aggregation_method (avg, sum or eop) to make quarters of them',
    })
  })

  it('show what was known on a day', async () => {
    const served = await world()
    const at = (day: string) => `${day}T09:00:00.000Z`
    served.releases.accept(testSeries({ country: 'DEU' }), '2025-01', { value: '120.3' }, at('2025-02-13'))
    served.releases.accept(testSeries({ country: 'DEU' }), '2025-02', { value: '120.8' }, at('2025-03-14'))
    served.releases.accept(testSeries({ country: 'DEU' }), '2025-01', { value: '120.4' }, at('2025-03-14'))
    const known = (day: string) => shown(served, `DEU/cpi/observations?as_of=${day}`)
    // Before the first date nothing is known, which is not the same as nothing.
    expect((await ask(served.app, '/v1/economics/DEU/cpi/observations?as_of=2025-02-12')).problem).toMatchObject({
      code: 'no_dated_evidence',
      detail: expect.stringMatching(
        /^No figure of cpi of DEU \(Germany\) is dated 2025-02-12 or before\. .*2025-02-13/,
      ),
    })
    expect(await known('2025-02-13')).toEqual(['2025-01 cpi 120.3 index'])
    expect(await known('2025-03-14')).toEqual(['2025-01 cpi 120.4 index', '2025-02 cpi 120.8 index'])
    // The day has begun somewhere on earth.
    expect((await known('2026-11-22')).length).toBe(2)
  })

  it('take a cursor only of their own operation and with all of its filters', async () => {
    const served = await world()
    const url = 'USA/inflation/observations?as_of=2026-02-01&limit=2'
    const cursor = await cursorOf(served, url)
    const code = async (at: string) => (await ask(served.app, `/v1/economics/${at}`)).problem
    expect(await shown(served, `USA/inflation/observations?cursor=${cursor}`)).toHaveLength(4)
    expect(await shown(served, `USA/inflation/observations?cursor=${cursor}&as_of=2026-02-01`)).toHaveLength(4)
    expect(await code(`USA/inflation/observations?cursor=${cursor}&as_of=2026-02-02`)).toMatchObject({
      code: 'cursor_mismatch',
      detail: 'The cursor was made for as_of 2026-02-01: send it with exactly this, or alone.',
    })
    for (const other of ['inflation/vintages', 'cpi/observations', 'trade/exports/observations']) {
      expect((await code(`USA/${other}?cursor=${cursor}`))?.code, other).toBe('cursor_invalid')
    }
    const ofPeriod = await cursorOf(served, 'USA/inflation/vintages?period=2025-10&limit=2')
    const issued = decodeHistoryCursor(ofPeriod) ?? expect.fail()
    const elsewhere = encodeHistoryCursor({ ...issued, after: { ...issued.after, offset: 1 } })
    expect(await code(`USA/inflation/vintages?cursor=${elsewhere}`)).toMatchObject({ code: 'cursor_expired' })
    expect(await shown(served, `USA/inflation/vintages?cursor=${ofPeriod}&period=2025-10`)).toHaveLength(1)
    expect((await code(`USA/inflation/vintages?cursor=${ofPeriod}&period=2025-11`))?.code).toBe('cursor_mismatch')
  })
})

describe('vintages', () => {
  it('are every value of a period, oldest first, page by page from one snapshot', async () => {
    const served = await world()
    const first = served.releases.board.at('USA', 'cpi', '2025-10')
    const revise = (value: string) =>
      served.releases.accept(testSeries(), '2025-10', { value }, `2026-02-0${value.at(-1)}T00:00:00.000Z`)
    const [second, third] = [revise('325.2'), revise('325.3')]
    const url = 'USA/cpi/vintages?period=2025-10'
    const response = await ask(served.app, `/v1/economics/${url}`)
    const { vintages, as_of } = response.json<VintageList>()
    expect(vintages[0]).toEqual({
      country: 'USA',
      measure: 'cpi',
      value: '325.1',
      unit: 'index',
      transformation: '',
      period: '2025-10',
      valid_from: '2026-01-15',
      released_on: '2026-01-15',
      series: testSeries().id,
      source: 'TEST',
      base_period: '2015',
      base_value: '100',
      seasonal_adjustment: 'not_seasonally_adjusted',
      annualization: 'not_annualized',
      released_on_basis: 'first_seen',
      release_id: first?.release_id,
      revises: null,
      recorded_at: '2026-01-15T12:00:00.000Z',
    })
    expect(vintages.map(({ release_id, revises }) => [release_id, revises])).toEqual([
      [first?.release_id, null],
      [second.release_id, first?.release_id],
      [third.release_id, second.release_id],
    ])
    expect(as_of).toBe('2026-02-03T00:00:00.000Z')
    const cursor = await cursorOf(served, `${url}&limit=2`)
    revise('325.4')
    expect(await shown(served, `USA/cpi/vintages?cursor=${cursor}`)).toEqual(['2025-10 cpi 325.3 index'])
    expect(await shown(served, url)).toHaveLength(4)
  })

  it('are a table in CSV, one row for each value', async () => {
    const { app } = await world()
    const { body } = await ask(app, '/v1/economics/USA/inflation/vintages?format=csv')
    const [header, first, ...rest] = body.trim().split('\r\n')
    expect(header).toBe(
      'country,measure,value,unit,transformation,period,series,source,base_period,base_value,seasonal_adjustment,annualization,valid_from,released_on,released_on_basis,release_id,revises,recorded_at',
    )
    expect(first).toMatch(
      /^USA,inflation,2\.7,percent,year_over_year,2025-10,USA\.inflation\.M\.[^,]+,TEST,,,not_seasonally_adjusted,not_annualized,2026-01-15,2026-01-15,first_seen,rel_\w{26},,2026-01-15T12:00:00\.000Z$/,
    )
    expect(rest).toHaveLength(5)
  })

  it('say what is published instead of a period without a figure', async () => {
    const { app } = await world()
    const { problem } = await ask(app, '/v1/economics/USA/cpi/vintages?period=1900-01')
    expect(problem).toMatchObject({
      code: 'no_complete_publication',
      detail:
        'cpi of USA (United States) is not published for 1900-01. Published: months 2025-10 to 2025-11. Nearest: 2025-10.',
    })
  })
})
