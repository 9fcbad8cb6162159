import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SeriesObservationList, VintageList } from '../../contracts/histories.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { testSeries } from '../support/releases.ts'
import { turnsOf } from '../support/turns.ts'
import { ask, type World, world } from './support.ts'

/** The n-th prints of histories, and vintages as tables. */

const cpi = testSeries({ country: 'DEU' })
const rebased = testSeries({ country: 'DEU', base_period: '2020' })
const path = '/v1/economics/DEU/cpi'
const at = (day: string) => `${day}T09:00:00.000Z`

describe('prints of a history', () => {
  let served: World
  beforeAll(async () => {
    served = await world()
    const accept = (period: string, value: string | undefined, day: string, series = cpi) =>
      value === undefined
        ? served.releases.accept(series, period, {}, at(day), { printed: null })
        : served.releases.accept(series, period, { value }, at(day))
    accept('2025-01', '120.3', '2025-02-13')
    accept('2025-02', '120.8', '2025-03-14')
    accept('2025-01', '120.4', '2025-03-14')
    accept('2025-01', undefined, '2025-04-15')
    accept('2025-01', '120.50', '2025-05-15')
    // Ranks before the other, and goes on with one of its months.
    accept('2025-02', '100.0', '2025-06-13', rebased)
    accept('2025-03', '100.7', '2025-06-13', rebased)
  })
  const list = async (query: string) => {
    const { body, statusCode } = await ask(served.app, `${path}/observations?${query}`)
    expect(statusCode, body).toBe(200)
    return JSON.parse(body) as SeriesObservationList
  }
  const shown = async (query: string) =>
    (await list(query)).observations.map(({ period, value, released_on }) => `${period} ${value} ${released_on}`)

  it('are counted as the vintages are, withdrawals left out', async () => {
    const first = ['2025-01 120.3 2025-02-13', '2025-02 120.8 2025-03-14', '2025-03 100.7 2025-06-13']
    expect(await shown('print=first')).toEqual(first)
    expect(await shown('print=1')).toEqual(first)
    expect(await shown('print=second')).toEqual(['2025-01 120.4 2025-03-14', '2025-02 100.0 2025-06-13'])
    expect(await shown('print=third')).toEqual(['2025-01 120.50 2025-05-15'])
    expect(await shown('print=4')).toEqual([])
    const { vintages } = (await ask(served.app, `${path}/vintages`)).json<VintageList>()
    const [answers] = [Map.groupBy(vintages, ({ period }) => period)]
    for (const number of [1, 2, 3, 4]) {
      const own = [...answers.values()].flatMap(
        (ofPeriod) => ofPeriod.filter(({ value }) => value !== null)[number - 1] ?? [],
      )
      expect((await list(`print=${number}`)).observations.map(({ value, series }) => [value, series])).toEqual(
        own.map(({ value, series }) => [value, series]),
      )
    }
  })

  it('are those that were known on a day, within a range, page by page and as CSV', async () => {
    expect(await shown('print=second&as_of=2025-06-12')).toEqual(['2025-01 120.4 2025-03-14'])
    expect(await shown('print=second&as_of=2025-03-13')).toEqual([])
    expect(await shown('print=first&start=2025-02&end=2025-02')).toEqual(['2025-02 120.8 2025-03-14'])
    const page = await list('print=first&limit=2')
    expect(page.observations).toHaveLength(2)
    expect((await list(`cursor=${page.next_cursor}&limit=2`)).observations.map(({ value }) => value)).toEqual(['100.7'])
    expect((await list(`cursor=${page.next_cursor}&print=first`)).observations).toHaveLength(1)
    const { problem } = await ask(served.app, `${path}/observations?cursor=${page.next_cursor}&print=2`)
    expect(problem.code).toBe('cursor_mismatch')
    const { body } = await ask(served.app, `${path}/observations?print=first&format=csv`)
    const rows: Record<string, string>[] = parse(body, { columns: true })
    expect(rows.map(({ period, value }) => `${period} ${value}`)).toEqual([
      ...['2025-01 120.3', '2025-02 120.8', '2025-03 100.7'],
    ])
    const past = await ask(served.app, `/asof/2025-03-13${path}/observations?print=first`)
    expect(past.json<SeriesObservationList>().observations.map(({ period }) => period)).toEqual(['2025-01'])
  })

  it.each([
    ['print=0', 'query parameter print: "0" is not valid'],
    ['print=100', 'query parameter print: "100" is not valid'],
    ['print=last', 'first, second, third, or a number from 1 to 99'],
    ['print=1&units=pc1', 'leave out units, aggregation_method and sort'],
    ['print=1&frequency=Q&aggregation_method=avg', 'leave out units, aggregation_method and sort'],
    ['print=1&sort=desc', 'leave out units, aggregation_method and sort'],
  ])('are refused with %s', async (query, detail) => {
    const { problem } = await ask(served.app, `${path}/observations?${query}`)
    expect(problem.code).toBe('invalid_query')
    expect(problem.detail).toContain(detail)
  })

  const table = async (query: string) => {
    const { body, statusCode, headers } = await ask(served.app, `${path}/vintages?${query}`)
    expect(statusCode, body).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    return body.trimEnd().split('\r\n')
  }

  it('as a long table have a row for each value and day, and end where another series goes on', async () => {
    expect(await table('layout=long')).toEqual([
      'time,pub_date,value,id',
      `2025-01-01,2025-02-13,120.3,${cpi.id}`,
      `2025-01-01,2025-03-14,120.4,${cpi.id}`,
      `2025-01-01,2025-04-15,,${cpi.id}`,
      `2025-01-01,2025-05-15,120.50,${cpi.id}`,
      `2025-02-01,2025-03-14,120.8,${cpi.id}`,
      `2025-02-01,2025-06-13,,${cpi.id}`,
      `2025-02-01,2025-06-13,100.0,${rebased.id}`,
      `2025-03-01,2025-06-13,100.7,${rebased.id}`,
    ])
    expect((await table('layout=long&csv_style=semicolon&period=2025-03'))[1]).toBe(
      `2025-03-01;2025-06-13;100,7;${rebased.id}`,
    )
  })

  it('as a matrix have a column for each day on which something changed', async () => {
    expect(await table('layout=matrix&format=csv')).toEqual([
      'time,id,2025-02-13,2025-03-14,2025-04-15,2025-05-15,2025-06-13',
      `2025-01-01,${cpi.id},120.3,120.4,,120.50,120.50`,
      `2025-02-01,${cpi.id},,120.8,120.8,120.8,`,
      `2025-02-01,${rebased.id},,,,,100.0`,
      `2025-03-01,${rebased.id},,,,,100.7`,
    ])
    const past = await ask(served.app, `/asof/2025-03-13${path}/vintages?layout=matrix`)
    expect(past.body).toBe(`time,id,2025-02-13\r\n2025-01-01,${cpi.id},120.3\r\n`)
  })

  it('have an id for each figure of an indicator with several', async () => {
    const { body } = await ask(served.app, '/v1/economics/USA/inflation/vintages?layout=long&period=2025-11')
    const rows: { readonly id: string }[] = parse(body, { columns: true })
    const ids = rows.map(({ id }) => id.split(':')[1])
    expect(ids).toEqual(['year_over_year', 'month_over_month', 'year_to_date'])
  })

  it.each([
    ['layout=wide', 'is not one of long, matrix'],
    ['layout=long&format=json', 'leave out format=json, limit and cursor'],
    ['layout=long&limit=10', 'leave out format=json, limit and cursor'],
    ['layout=matrix&cursor=x', 'leave out format=json, limit and cursor'],
  ])('as a table are refused with %s', async (query, detail) => {
    const { problem } = await ask(served.app, `${path}/vintages?${query}`)
    expect(problem.code).toBe('invalid_query')
    expect(problem.detail).toContain(detail)
  })

  it('as a matrix that is too large say how it can be split', async () => {
    const own = await world()
    const years = testSeries({ country: 'DEU' })
    for (let i = 0; i < 720; i++) {
      const day = new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10)
      own.releases.accept(years, shiftPeriod('1960-01', i), { value: '1' }, at(day))
    }
    const { problem } = await ask(own.app, `${path}/vintages?layout=matrix`)
    expect(problem.detail).toContain('the matrix would have 720 rows of 720 days, which is 518400 values')
    const range = /start=(\S+)&end=(\d{4}-\d{2})/.exec(problem.detail)?.[0]
    expect(range).toBe('start=1960-01&end=2017-10')
    // Others are answered between the rows: no turn writes many more than 2,000 of the 481,636 values.
    const turns = await turnsOf(async () => {
      expect((await ask(own.app, `${path}/vintages?layout=matrix&${range}`)).statusCode).toBe(200)
      const observations = `/fred/series/observations?series_id=${encodeURIComponent(years.id)}&output_type=2`
      const window = 'realtime_start=1776-07-04&realtime_end=9999-12-31&observation_end=2017-10-01'
      expect((await ask(own.app, `${observations}&${window}`)).statusCode).toBe(200)
    })
    expect(turns).toBeGreaterThan(3 * 220)
  })
})
