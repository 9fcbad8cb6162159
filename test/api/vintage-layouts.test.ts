import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { laidOut } from '../../api/vintage-layouts.ts'
import type { SeriesObservationList, VintageList } from '../../contracts/histories.ts'
import { startOfPeriod } from '../../domain/period.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

const VINTAGES = '/v1/economics/CAN/gdp-growth/vintages'
const growth = { country: 'CAN', indicator: 'gdp-growth', unit: 'percent', frequency: 'Q' } as const
const series = [testSeries(growth), testSeries({ ...growth, source: 'OTHER' })]

const print = fc.record({
  series: fc.constantFrom(...series),
  period: fc.constantFrom('2023-Q3', '2023-Q4', '2024-Q1'),
  day: fc.constantFrom('2024-05-01', '2024-06-15', '2024-07-01', '2024-07-02', '2024-09-30'),
  figures: fc.constantFrom(['year_over_year'], ['year_over_year', 'quarter_over_quarter']),
  value: fc.integer({ min: -40, max: 40 }).map((tenths) => (tenths / 10).toFixed(1)),
  isWithdrawn: fc.constantFrom(true, false, false, false),
})

type Vintage = VintageList['vintages'][number]
const idOf = ({ series: id, transformation }: Vintage) => `${id}:${transformation}`

describe('vintages in another layout', () => {
  let served: World
  let vintages: readonly Vintage[]
  beforeAll(async () => {
    served = await world()
    for (const drawn of fc.sample(print, { numRuns: 250, seed: 5 })) {
      const { series: of, period, day, figures, value, isWithdrawn } = drawn
      const values = isWithdrawn ? {} : Object.fromEntries(figures.map((figure) => [figure, value]))
      const over = { released: { on: day, basis: 'publisher' }, ...(isWithdrawn ? { printed: null } : {}) } as const
      try {
        served.releases.accept(of, period, values, undefined, over)
      } catch {
        // Unchanged, without a figure that is on record, or withdrawn though it is not.
      }
    }
    vintages = (await ask(served.app, `${VINTAGES}?limit=1000`)).json<VintageList>().vintages
  })
  const rows = async (query: string): Promise<string[][]> => {
    const { statusCode, body, headers } = await ask(served.app, `${VINTAGES}?${query}`)
    expect(statusCode, body).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    return parse(body, { delimiter: query.includes('semicolon') ? ';' : ',' })
  }
  /** What the vintages had for an id and a period at the end of a day. */
  const answerOn = (id: string, start: string, day: string): string => {
    const figure = id.split(':').at(-1)
    const last = vintages.findLast(
      ({ period, transformation, valid_from }) =>
        startOfPeriod(period) === start && transformation === figure && valid_from <= day,
    )
    return last && idOf(last) === id ? (last.value ?? '') : ''
  }

  it('have as long rows the answer of each id from each day on, and an end where there is another one', async () => {
    const [header, ...body] = await rows('layout=long')
    expect(header).toEqual(['time', 'pub_date', 'value', 'id'])
    expect(new Set(body.map(([, , , id]) => id)).size).toBe(4)
    expect(new Set(body.map(([time, day, , id]) => `${time} ${day} ${id}`)).size).toBe(body.length)
    for (const [time = '', day = '', value, id = ''] of body) expect(value).toBe(answerOn(id, time, day))
    // Each vintage at the end of its day is a row.
    for (const { period, valid_from, ...vintage } of vintages) {
      if (
        vintage.value === null ||
        answerOn(idOf({ period, valid_from, ...vintage }), startOfPeriod(period), valid_from) === ''
      )
        continue
      expect(body.map(([time, day, , id]) => [time, day, id])).toContainEqual([
        startOfPeriod(period),
        valid_from,
        idOf({ period, valid_from, ...vintage }),
      ])
    }
    expect(body.filter(([, , value]) => value === '').length).toBeGreaterThan(5)
  })

  it('are a matrix whose cell is the answer of its id on its day', async () => {
    const [[first, ...columns] = [], ...body] = await rows('layout=matrix')
    expect([first, body.map(([period]) => period)]).toEqual(['period', ['2023-Q3', '2023-Q4', '2024-Q1']])
    expect(columns.length).toBeGreaterThan(10)
    for (const [period = '', ...cells] of body) {
      for (const [i, column] of columns.entries()) {
        const [, id = '', ...day] = /^(.*)_(\d{4})(\d\d)(\d\d)$/.exec(column) ?? []
        expect(cells[i], `${period} ${column}`).toBe(answerOn(id, startOfPeriod(period), day.join('-')))
      }
    }
    // No day on which a value changed is missing.
    const days = new Set(columns.map((column) => column.slice(-8)))
    expect(days).toEqual(new Set(vintages.map(({ valid_from }) => valid_from.replaceAll('-', ''))))
  })

  it('have the range, the period and the style that are asked for, and the figures of a day', async () => {
    const { app } = served
    const [, ...matrix] = await rows('layout=matrix&start=2023-Q4&end=2023&csv_style=semicolon')
    expect(matrix.map(([period]) => period)).toEqual(['2023-Q4'])
    expect(matrix[0]?.slice(1).filter((cell) => cell !== '')).toContainEqual(expect.stringMatching(/^-?\d,\d$/))
    const [, ...long] = await rows('layout=long&period=2024-Q1')
    expect(new Set(long.map(([time]) => time))).toEqual(new Set(['2024-01-01']))
    const first = '/v1/economics/CAN/gdp-growth/observations?print=first&limit=1000'
    const { observations } = (await ask(app, first)).json<SeriesObservationList>()
    for (const { period, transformation, value } of observations) {
      const known = vintages.find((one) => one.period === period && one.transformation === transformation && one.value)
      expect(value).toBe(known?.value)
    }
    expect(observations).toHaveLength(6)
  })

  it.each([
    ['layout=long&limit=10', 'leave out limit, cursor and format=json'],
    ['layout=matrix&format=json', 'leave out limit, cursor and format=json'],
    ['layout=matrix&cursor=v1.x', 'leave out limit, cursor and format=json'],
    ['layout=wide', 'layout: "wide" is not one of long, matrix'],
  ])('are refused with %s', async (query, detail) => {
    const { problem } = await ask(served.app, `${VINTAGES}?${query}`)
    expect(problem.code).toBe('invalid_query')
    expect(problem.detail).toContain(detail)
  })

  it('that are too large say how they can be split', async () => {
    const values = Array.from({ length: 800 }, (_, i) => ({
      period: String(1000 + i),
      value: '1',
      valid_from: `${1001 + i}-01-01`,
    }))
    const large = laidOut('matrix', new Map([['ID', values]]), { frequency: 'A', style: 'comma' })
    await expect(large).rejects.toThrow(/800 periods of 800 vintages, more than 500000 values.*start=1000&end=1624/)
  })
})

describe('the prints of a history', () => {
  let served: World
  beforeAll(async () => {
    served = await world()
    const cpi = testSeries({ country: 'CAN' })
    for (const [period, value, on] of [
      ['2024-01', '120.0', '2024-02-20'],
      ['2024-01', '120.4', '2024-03-20'],
      ['2024-02', '121.0', '2024-03-20'],
      ['2024-03', '121.5', '2024-04-20'],
    ] as const)
      served.releases.accept(cpi, period, { value }, undefined, { released: { on, basis: 'publisher' } })
  })
  const CPI = '/v1/economics/CAN/cpi/observations'
  const read = async (query: string) =>
    (await ask(served.app, `${CPI}?${query}`))
      .json<SeriesObservationList>()
      .observations.map(({ period, value, released_on }) => [period, value, released_on].join(' '))

  it('are counted, page by page, in a range and as of a day', async () => {
    const first = ['2024-01 120.0 2024-02-20', '2024-02 121.0 2024-03-20', '2024-03 121.5 2024-04-20']
    for (const print of ['first', '1']) expect(await read(`print=${print}`)).toEqual(first)
    for (const print of ['second', '2']) expect(await read(`print=${print}`)).toEqual(['2024-01 120.4 2024-03-20'])
    for (const print of ['third', '99']) expect(await read(`print=${print}`)).toEqual([])
    expect(await read('print=1&as_of=2024-03-31&start=2024-02')).toEqual(first.slice(1, 2))
    const { next_cursor } = (await ask(served.app, `${CPI}?print=first&limit=2`)).json<SeriesObservationList>()
    expect(await read(`limit=2&cursor=${next_cursor}`)).toEqual(first.slice(2))
    expect(await read(`print=1&limit=2&cursor=${next_cursor}`)).toEqual(first.slice(2))
    const { problem } = await ask(served.app, `${CPI}?print=2&cursor=${next_cursor}`)
    expect(problem).toMatchObject({ code: 'cursor_mismatch', detail: expect.stringContaining('print') })
    const csv = await ask(served.app, `${CPI}?print=first&format=csv`)
    expect(csv.body.split('\r\n')[1]).toContain(',120.0,')
  })

  it.each(['print=0', 'print=100', 'print=fourth', 'print=-1', 'print=', 'print=1&units=pc1', 'print=1&sort=desc'])(
    'are refused for %s',
    async (query) => {
      const { problem } = await ask(served.app, `${CPI}?${query}`)
      expect(problem.code).toBe('invalid_query')
      expect(problem.detail).toContain('print')
    },
  )
})
