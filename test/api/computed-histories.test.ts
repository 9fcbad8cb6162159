import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countries } from '../../contracts/countries.ts'
import type { ObservationList, SeriesObservationList } from '../../contracts/histories.ts'
import type { Frequency } from '../../contracts/records.ts'
import { type AggregationMethod, aggregationMethods, unitCodes } from '../../contracts/transformations.ts'
import { decodeHistoryCursor } from '../../domain/history-cursor.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { monthRange } from '../../domain/period-range.ts'
import { aggregated } from '../../domain/transform/aggregate.ts'
import type { HistoryFigure } from '../../domain/transform/figure.ts'
import { transformer } from '../../domain/transform/transform.ts'
import { testSeries } from '../support/releases.ts'
import { ask, bearer, type World, world } from './support.ts'

/** Histories that are transformed, aggregated or read newest first. */

const CPI = '/v1/economics/CAN/cpi/observations'
const cpi = testSeries({ country: 'CAN' })
/** Ranks behind the other by its id. */
const rebased = testSeries({ country: 'CAN', base_period: '2005' })
/** Countries without figures in the world. */
const others = countries.map(({ alpha3 }) => alpha3).filter((code) => code !== 'USA')
const months = (from: string, count: number) => Array.from({ length: count }, (_, i) => shiftPeriod(from, i))

/** A world with months of an index that grows by one a month, and by `more`. */
async function served(more: (served: World) => void = () => {}): Promise<World> {
  const own = await world()
  for (const [i, period] of months('2023-01', 24).entries()) own.releases.accept(cpi, period, { value: `${100 + i}` })
  more(own)
  return own
}

const pageOf = async <L extends ObservationList = SeriesObservationList>({ app }: World, url: string): Promise<L> => {
  const response = await ask(app, url)
  expect(response.statusCode, `${url} ${response.body}`).toBe(200)
  return response.json<L>()
}
const textOf = ({ period, value, missing }: SeriesObservationList['observations'][number]): string =>
  `${period} ${value ?? missing}`
const shown = async (own: World, url: string) => (await pageOf(own, url)).observations.map(textOf)

/** All pages of a list. */
async function paged(own: World, url: string): Promise<SeriesObservationList['observations']> {
  const entries: SeriesObservationList['observations'] = []
  for (let at: string | null = url; at; ) {
    const { observations, next_cursor }: SeriesObservationList = await pageOf(own, at)
    entries.push(...observations)
    at = next_cursor === null ? null : `${url}&cursor=${next_cursor}`
  }
  return entries
}

describe('a history', () => {
  it('is transformed by units, and each entry says what it is', async () => {
    const own = await served()
    expect(await shown(own, `${CPI}?units=chg&end=2023-03`)).toEqual([
      '2023-01 no_predecessor',
      '2023-02 1',
      '2023-03 1',
    ])
    expect((await pageOf(own, `${CPI}?units=pc1&start=2024-01&end=2024-01`)).observations).toEqual([
      {
        country: 'CAN',
        measure: 'cpi',
        value: '12',
        unit: 'percent',
        transformation: 'pc1',
        period: '2024-01',
        series: cpi.id,
        source: 'TEST',
        base_period: '2015',
        base_value: '100',
        seasonal_adjustment: 'not_seasonally_adjusted',
        annualization: 'not_annualized',
        released_on: '2026-01-15',
        released_on_basis: 'first_seen',
      },
    ])
    // A change of a change, in percentage points.
    expect(
      (await pageOf(own, '/v1/economics/USA/inflation/observations?units=chg&start=2025-11')).observations,
    ).toMatchObject([
      { transformation: 'chg:year_over_year', unit: 'percentage_points' },
      { transformation: 'chg:month_over_month', unit: 'percentage_points' },
      { transformation: 'chg:year_to_date', unit: 'percentage_points' },
    ])
    const [log] = (await pageOf(own, `${CPI}?units=log&start=2023-01`)).observations
    expect(log).toMatchObject({ value: '4.60517018599', unit: 'log', transformation: 'log' })
  })

  it('is aggregated to a frequency that is not published, each entry with its method', async () => {
    const own = await served()
    const quarters = await pageOf(own, `${CPI}?frequency=Q&aggregation_method=avg&start=2024`)
    expect(quarters.observations.map(textOf)).toEqual(['2024-Q1 113', '2024-Q2 116', '2024-Q3 119', '2024-Q4 122'])
    expect(quarters.observations[0]).toMatchObject({ aggregation_method: 'avg', transformation: '', unit: 'index' })
    const years = (rest: string) => shown(own, `${CPI}?frequency=A&aggregation_method=${rest}`)
    expect(await years('sum')).toEqual(['2023 1266', '2024 1410'])
    expect(await years('eop')).toEqual(['2023 111', '2024 123'])
    expect(await years('eop&units=pch')).toEqual(['2023 no_predecessor', '2024 10.8108108108'])
    // A year is shown only if it lies within the range, and is computed from all of its months.
    expect(await years('sum&start=2023-02&end=2024-12')).toEqual(['2024 1410'])
    own.releases.accept(cpi, '2025-01', { value: '124' })
    expect(await years('sum&start=2024')).toEqual(['2024 1410', '2025 incomplete'])
  })

  it('is aggregated although the lower frequency is published, if a method is named', async () => {
    const own = await world()
    const rate = (frequency: Frequency) =>
      testSeries({ indicator: 'unemployment', unit: 'percent', country: 'CAN', frequency })
    own.releases.accept(rate('A'), '2024', { rate: '6.4' })
    for (const period of months('2024-01', 12)) own.releases.accept(rate('M'), period, { rate: period.slice(6) })
    const url = '/v1/economics/CAN/unemployment/observations?frequency=A'
    expect(await shown(own, url)).toEqual(['2024 6.4'])
    expect(await shown(own, `${url}&aggregation_method=eop`)).toEqual(['2024 2'])
  })

  it('is computed within the series that answers, and not across two', async () => {
    const own = await served(({ releases }) => {
      for (const period of months('2022-11', 4)) releases.accept(rebased, period, { value: '500' })
      for (const [i, period] of months('2024-11', 4).entries())
        releases.accept(rebased, period, { value: `${500 + i * 5}` })
    })
    expect(await shown(own, `${CPI}?units=chg&end=2023-02`)).toEqual([
      ...['2022-11 no_predecessor', '2022-12 0', '2023-01 other_series', '2023-02 1'],
    ])
    expect(await shown(own, `${CPI}?units=pc1&start=2023-11&end=2024-01`)).toEqual([
      ...['2023-11 other_series', '2023-12 other_series', '2024-01 12'],
    ])
    // The other series ends in 2024-12, and the one that goes on has a figure of that month too.
    expect(await shown(own, `${CPI}?units=pch&start=2024-12`)).toEqual([
      ...['2024-12 0.819672131148', '2025-01 0.990099009901', '2025-02 0.980392156863'],
    ])
    const panel = '/v1/panel?country=CAN&indicator=cpi&frequency=M&units=pch&start=2024-12'
    expect((await ask(own.app, panel)).body.split('\r\n').slice(1)).toEqual([
      ...['2024-12,0.819672131148', '2025-01,0.990099009901', '2025-02,0.980392156863', ''],
    ])
    expect(await shown(own, `${CPI}?units=pc1&start=2025`)).toEqual(['2025-01 other_series', '2025-02 other_series'])
    expect(await shown(own, `${CPI}?frequency=Q&aggregation_method=sum&end=2023-03`)).toEqual([
      ...['2022-Q4 incomplete', '2023-Q1 303'],
    ])
  })

  it('is computed from what was known on a day', async () => {
    const own = await served(({ releases }) => {
      releases.accept(cpi, '2024-01', { value: '101' }, '2026-03-01T00:00:00.000Z')
    })
    const january = (rest: string) => shown(own, `${CPI}?units=pch&start=2024-01&end=2024-02${rest}`)
    expect(await january('')).toEqual(['2024-01 -9.00900900901', '2024-02 11.8811881188'])
    expect(await january('&as_of=2026-02-01')).toEqual(['2024-01 0.900900900901', '2024-02 0.892857142857'])
    const { observations } = await pageOf(own, `${CPI}?units=pch&start=2024-02&end=2024-02`)
    // The later of the two figures that it is computed from.
    expect(observations).toMatchObject([{ released_on: '2026-03-01' }])
  })

  it('comes newest first', async () => {
    const own = await served()
    expect(await shown(own, `${CPI}?sort=desc&limit=2`)).toEqual(['2024-12 123', '2024-11 122'])
    expect(await shown(own, `${CPI}?sort=desc&limit=2&end=2023-02&units=chg`)).toEqual([
      '2023-02 1',
      '2023-01 no_predecessor',
    ])
    const inflation = '/v1/economics/USA/inflation/observations?limit=2&sort=desc'
    const entries = await paged(own, inflation)
    expect(entries.map(({ period, transformation }) => `${period} ${transformation}`)).toEqual([
      ...['2025-11 year_over_year', '2025-11 month_over_month', '2025-11 year_to_date'],
      ...['2025-10 year_over_year', '2025-10 month_over_month', '2025-10 year_to_date'],
    ])
  })

  it('has the same entries in pages as computed at once, whatever is asked for', async () => {
    const own = await world()
    const entries = fc.uniqueArray(
      fc.record({ month: fc.nat(40), value: fc.integer({ min: 1, max: 999 }), isRebased: fc.boolean() }),
      { minLength: 20, maxLength: 60, selector: ({ month, isRebased }) => `${month} ${isRebased}` },
    )
    const asked = fc.record({
      units: fc.constantFrom(...unitCodes),
      to: fc.constantFrom<readonly ['' | 'Q' | 'A', AggregationMethod | '']>(
        ['', ''],
        ...aggregationMethods.flatMap((method) => [['Q', method] as const, ['A', method] as const]),
      ),
      sort: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 9 }),
      start: fc.constantFrom('', '2021', '2021-05', '2021-Q3'),
      end: fc.constantFrom('', '2022', '2022-10'),
    })
    const unused = others.slice(0, 40)
    const numRuns = unused.length
    await fc.assert(
      fc.asyncProperty(entries, asked, async (figures, { units, to: [frequency, method], sort, limit, start, end }) => {
        // Each run has a country of its own: a world takes long to make.
        const code = unused.pop() ?? ''
        const [first, second] = [testSeries({ country: code }), testSeries({ country: code, base_period: '2005' })]
        for (const { month, value, isRebased } of figures) {
          own.releases.accept(isRebased ? second : first, shiftPeriod('2020-01', month), { value: `${value}` })
        }
        const url = `/v1/economics/${code}/cpi/observations?limit=`
        const dated = { number: 1, released_on: '2026-01-15', released_on_basis: 'first_seen' } as const
        const all = figures.map(({ month, value, isRebased }): HistoryFigure => {
          return { ...dated, period: shiftPeriod('2020-01', month), value: `${value}`, place: isRebased ? 2 : 1 }
        })
        const levels = (await pageOf(own, `${url}1000`)).observations
        const answered = levels.map(({ period, value, series }): HistoryFigure => {
          return { ...dated, period, value, place: series === first.id ? 1 : 2 }
        })
        const levelsOf = { answered, own: all }
        const computed = frequency === '' || method === '' ? levelsOf : aggregated(levelsOf, frequency, method)
        const bounds = monthRange(start, end)
        const within = (period: string) => {
          const own = monthRange(period, period)
          return own.start >= bounds.start && (end === '' || own.end <= bounds.end)
        }
        const transform = transformer(computed, units, frequency === '' ? 'M' : frequency)
        const expected = computed.answered.map(transform).filter(({ period }) => within(period))
        const query = new URLSearchParams({
          ...(units === 'lin' ? {} : { units }),
          ...(method === '' ? {} : { frequency, aggregation_method: method }),
          ...(start === '' ? {} : { start }),
          ...(end === '' ? {} : { end }),
          sort,
        })
        const found = (await paged(own, `${url}${limit}&${query}`)).map(textOf)
        const texts = expected.map(({ period, value, missing }) => `${period} ${value ?? missing}`)
        expect(found, String(query)).toEqual(sort === 'asc' ? texts : texts.toReversed())
      }),
      { numRuns, endOnFailure: true },
    )
  })

  it('keeps what is computed in its cursor, which is refused with anything else', async () => {
    const own = await served()
    const url = `${CPI}?frequency=Q&aggregation_method=avg&units=pch&sort=desc&limit=2`
    const { next_cursor } = await pageOf(own, url)
    expect(decodeHistoryCursor(next_cursor ?? '')).toMatchObject({ units: 'pch', aggregation: 'avg', sort: 'desc' })
    expect(await shown(own, `${CPI}?cursor=${next_cursor}&limit=1`)).toEqual(['2024-Q2 2.65486725664'])
    const { problem } = await ask(own.app, `${CPI}?cursor=${next_cursor}&units=pch`)
    expect(problem).toMatchObject({
      code: 'cursor_mismatch',
      detail:
        'The cursor was made for frequency Q, units pch, aggregation_method avg and sort desc: send it with exactly these, or alone.',
    })
  })

  it('is the same to the byte with the defaults by name', async () => {
    const own = await world()
    for (const path of ['trade/exports', 'cpi', 'inflation']) {
      const url = `/v1/economics/USA/${path}/observations`
      const { body } = await ask(own.app, url)
      expect((await ask(own.app, `${url}?units=lin&sort=asc`)).body).toBe(body)
      expect(body).not.toMatch(/missing|aggregation_method/)
    }
  })

  it('says what there is if nothing can be aggregated', async () => {
    const own = await world()
    const problem = async (url: string) => (await ask(own.app, `/v1/economics/${url}`)).problem
    expect(await problem('MYS/trade/exports/observations?frequency=A&aggregation_method=sum')).toMatchObject({
      code: 'no_complete_publication',
      detail: 'trade-exports of MYS (Malaysia) is not published for months. Published: years 2022 to 2024.',
    })
    expect((await problem('FRA/cpi/observations?frequency=A&aggregation_method=sum')).code).toBe(
      'no_complete_publication',
    )
    const early = 'USA/cpi/observations?frequency=A&aggregation_method=sum&as_of=1999-01-01'
    expect((await problem(early)).detail).toContain('The earliest day that can be asked for is 2026-01-15')
  })
})

describe('a computed history over MCP', () => {
  it('is what the tool for histories gives, and not that of the interface specification', async () => {
    const { app } = await served()
    const call = async (name: string, given: object): Promise<string> => {
      const params = { name, arguments: given }
      const { body } = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...bearer(), 'content-type': 'application/json' },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      })
      return JSON.parse(body).result.content[0].text
    }
    const asked = { country: 'CAN', units: 'pc1', sort: 'desc', limit: 1 }
    const text = await call('economics_list_observations', { indicator: 'cpi', ...asked })
    expect(JSON.parse(text).observations).toMatchObject([
      { period: '2024-12', value: '10.8108108108', unit: 'percent' },
    ])
    expect(await call('economics_get_trade_exports_history', { country: 'USA', units: 'pc1' })).toContain('units')
  })
})

describe('a computed history as CSV', () => {
  it('has columns for the method and for what is missing, and others have not', async () => {
    const own = await served()
    const lines = async (query: string) => (await ask(own.app, `${CPI}?format=csv&${query}`)).body.trim().split('\r\n')
    const [plain] = await lines('')
    const [header, first, second] = await lines('units=pch')
    expect(header).toBe(`${plain},aggregation_method,missing`)
    expect([first, second].map((line) => line?.split(',').at(-1))).toEqual(['no_predecessor', ''])
    expect(first).toMatch(/^CAN,cpi,,percent,pch,2023-01,/)
    const exports = await ask(own.app, '/v1/economics/USA/trade/exports/observations?units=pch&format=csv&end=2025-02')
    expect(exports.body.split('\r\n').slice(0, 3)).toEqual([
      'country,measure,value,unit,transformation,period,aggregation_method,missing',
      'USA,merchandise_exports,,percent,pch,2025-01,,no_predecessor',
      'USA,merchandise_exports,0.332225913621,percent,pch,2025-02,,',
    ])
  })

  it('is refused if it would be computed from too many figures', async () => {
    const own = await world()
    const figure = {
      number: 1,
      place: 1,
      value: '1',
      released_on: '2026-01-15',
      released_on_basis: 'publisher',
    } as const
    const many = Array.from({ length: 100_001 }, () => ({ period: '2025-10', ...figure }))
    const full = await world({
      figures: own.releases.board,
      history: { ...own.releases.history, observations: async ({ limit }) => many.slice(0, limit) },
      newestRecords: { of: () => undefined },
    })
    const url = '/v1/economics/USA/cpi/observations?frequency=A&aggregation_method=avg&format=csv'
    expect((await ask(full.app, url)).problem).toMatchObject({
      code: 'invalid_query',
      detail: expect.stringContaining('computed from more than 100000 figures: ask for a range'),
    })
  })
})

describe('CSV with semicolons', () => {
  it('has the same table with decimal commas in the columns of figures only, also on the next page', async () => {
    const own = await served(({ releases }) => {
      releases.accept(cpi, '2025-01', { value: '123.5' })
    })
    const get = async (query: string) => ask(own.app, `${CPI}?units=pch&start=2024-11&limit=2&${query}`)
    const [comma, semicolon] = [await get('format=csv'), await get('csv_style=semicolon')]
    expect(semicolon.headers['content-type']).toBe(comma.headers['content-type'])
    const rows = (text: string, delimiter: string): string[][] => parse(text, { delimiter, record_delimiter: '\r\n' })
    const expected = rows(comma.body, ',').map((row, i) =>
      row.map((cell, j) => (i > 0 && j === 2 ? cell.replace('.', ',') : cell)),
    )
    expect(rows(semicolon.body, ';')).toEqual(expected)
    expect(expected[1]?.slice(2, 7)).toEqual(['0,826446280992', 'percent', 'pch', '2024-11', cpi.id])
    const next = /<([^>]+)>; rel="next"/.exec(String(semicolon.headers.link))?.[1] ?? expect.fail()
    expect((await ask(own.app, next)).body.split('\r\n')[1]).toMatch(/^CAN;cpi;0,406504065041;percent;pch;2025-01;/)
  })

  it.each(['catalog', 'catalog/countries', 'calendar', 'prices/XAU-USD/candles', 'economics/USA/cpi/vintages'])(
    'is served for %s, and JSON if that is asked for',
    async (path) => {
      const { app } = await world()
      const url = `/v1/${path}?csv_style=semicolon`
      const { body, headers } = await ask(app, url)
      expect(headers['content-type']).toContain('text/csv')
      expect(body.split('\r\n')[0]).toMatch(/^\w+(;\w+)+$/)
      const json = await ask(app, `${url}&format=json`)
      expect(json.headers['content-type']).toContain('application/json')
    },
  )

  it('does not change a text that looks like a decimal', async () => {
    const own = await world()
    own.releases.accept(testSeries({ country: 'CAN', dataset: '1.5' }), '2025-10', { value: '2.5' })
    const { body } = await ask(own.app, { url: '/v1/catalog?csv_style=semicolon&country=CAN', headers: bearer() })
    expect(body).toContain(';1.5;')
  })
})
