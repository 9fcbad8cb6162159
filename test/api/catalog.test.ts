import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import { indicatorCodes } from '../../contracts/indicators.ts'
import { addDays } from '../../domain/day.ts'
import { FetchBoard } from '../../domain/fetch-board.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { flowSeries, testSeries } from '../support/releases.ts'
import { ask, bearer, quote, type World, world } from './support.ts'

const catalog = async ({ app }: World, query = '') =>
  (await ask(app, `/v1/catalog${query}`)).json<{ series: CatalogEntry[]; as_of: string | null }>()

describe('the catalogue', () => {
  it('has each series once, with its span, its counts and its last release', async () => {
    const served = await world()
    served.releases.accept(testSeries(), '2025-10', { value: '325.0' }, '2026-02-01T00:00:00.000Z')
    const { series, as_of } = await catalog(served, '?country=USA&indicator=cpi')
    expect(series).toEqual([
      expect.objectContaining({
        series: testSeries().id,
        country_name: 'United States',
        indicator_name: 'Consumer price index',
        source: 'TEST',
        is_served: true,
        first_period: '2025-10',
        last_period: '2025-11',
        observations: 2,
        vintages: 3,
        last_released_on: '2026-02-01',
        last_released_on_basis: 'first_seen',
        last_recorded_at: '2026-02-01T00:00:00.000Z',
        latest_period: '2025-11',
        periods_ended_since: 11,
        next_period: '2025-12',
        next_expected_on: '2026-01-31',
        days_late: 294,
        link: '/v1/economics/USA/cpi/observations?frequency=M',
      }),
    ])
    expect(as_of).toBe('2026-02-01T00:00:00.000Z')
  })

  it('says last of each series when its dataset was last fetched, and as of a day never', async () => {
    const fetches = new FetchBoard()
    fetches.apply({ source: 'TEST', dataset: testSeries().dataset, fetched_at: '2026-11-20T10:00:00.000Z' })
    const served = await world({ fetches })
    served.releases.accept(testSeries({ dataset: 'T2' }), '2025-10', { value: '325.0' }, '2026-02-01T00:00:00.000Z')
    const query = '?country=USA&indicator=cpi'
    const inJson = async (prefix = '') =>
      (await ask(served.app, `${prefix}/v1/catalog${query}`))
        .json<{ series: CatalogEntry[] }>()
        .series.map((entry) => [entry.dataset, Object.entries(entry).at(-1)])
    expect(await inJson()).toEqual([
      [testSeries().dataset, ['last_fetched_at', '2026-11-20T10:00:00.000Z']],
      ['T2', ['last_fetched_at', null]],
    ])
    for (const [, member] of await inJson('/asof/2026-11-22')) expect(member).toEqual(['last_fetched_at', null])
    const csv = (await ask(served.app, `/v1/catalog${query}&format=csv`)).body
    const columns: string[][] = parse(csv)
    expect(columns.map((row) => row.at(-1))).toEqual(['last_fetched_at', '2026-11-20T10:00:00.000Z', ''])
  })

  it('has a series whose figures were all withdrawn, without observations', async () => {
    const served = await world()
    const other = testSeries({ dataset: 'T2' })
    served.releases.accept(other, '2025-10', { value: '325.0' })
    served.releases.accept(other, '2025-10', {}, undefined, { printed: null })
    const { series } = await catalog(served, '?country=USA&indicator=cpi')
    const withdrawn = { observations: 0, vintages: 2, last_period: '2025-10' }
    expect(series.find(({ dataset }) => dataset === 'T2')).toMatchObject(withdrawn)
  })

  it('has no as_of where no series matches', async () => {
    const served = await world()
    expect(await catalog(served, '?country=BRA')).toEqual({ series: [], as_of: null })
  })

  it('links each series to its own history, whatever the frequency of the latest figure', async () => {
    const served = await world()
    const years = testSeries({
      indicator: 'unemployment',
      unit: 'percent',
      frequency: 'A',
    })
    served.releases.accept(years, '2024', { rate: '4.0' })
    const { series } = await catalog(served, '?country=USA&indicator=unemployment')
    const periods = await Promise.all(
      series.map(async ({ link }) => (await ask(served.app, link ?? '')).json().observations[0].period),
    )
    expect(periods.sort()).toEqual(['2024', '2025-10'])
  })

  it('shows alternatives and inputs as not served', async () => {
    const served = await world()
    const other = testSeries({ source: 'OTHER', base_period: '2010' })
    const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'USD' })
    served.releases.accept(other, '2025-10', { value: '99.1' })
    served.releases.accept(volume, '2025-Q3', { value: '1000' })
    const { series } = await catalog(served, '?indicator=cpi&indicator=gdp-volume')
    expect(series.map((each) => [each.series, each.is_served, each.link])).toEqual([
      [testSeries().id, true, '/v1/economics/USA/cpi/observations?frequency=M'],
      [other.id, false, null],
      [volume.id, false, null],
    ])
  })

  it('counts from the latest figure that is answered, also from an alternative, and the calendar agrees', async () => {
    const served = await world()
    served.now = '2026-01-20T12:00:00.000Z'
    const other = testSeries({ dataset: 'T2' })
    const print = served.releases.accept(other, '2025-12', { value: '99.1' })
    expect((await ask(served.app, '/v1/economics/USA/cpi')).json()).toMatchObject({ period: '2025-12' })
    const { series } = await catalog(served, '?indicator=cpi')
    const common = { latest_period: '2025-12', last_period: '2025-11', periods_ended_since: 0, next_period: '2026-01' }
    expect(series).toMatchObject([
      { ...common, series: testSeries().id, is_served: true },
      { series: other.id, is_served: false, latest_period: null, last_period: '2025-12', next_period: '2026-01' },
    ])
    const { entries } = (await ask(served.app, '/v1/calendar?country=USA&indicator=cpi')).json()
    expect(entries.slice(-2)).toMatchObject([
      { period: '2025-12', status: 'published', series: other.id, release_id: print.release_id },
      { period: '2026-01', status: 'expected', series: testSeries().id },
    ])
  })

  it('shows no exports or trade totals of a country where they are not public, and its imports', async () => {
    const served = await world()
    const flows = { exports: '3', imports: '2', balance: '1' }
    served.releases.accept(flowSeries('trade-imports', { country: 'CHN', unit: 'CNY' }), '2025-10', { value: '2' })
    served.releases.accept(testSeries({ indicator: 'trade', country: 'CHN', unit: 'CNY' }), '2025-10', flows)
    const { series } = await catalog(served)
    expect(series.filter(({ country }) => country === 'CHN').map(({ indicator }) => indicator)).toEqual([
      'trade-imports',
    ])
    const { body } = await ask(served.app, '/v1/catalog?format=csv')
    expect(body).not.toMatch(/CHN\.trade(?:-exports)?\./)
    const countries = (await ask(served.app, '/v1/catalog/countries')).json().countries
    expect(countries.find(({ code }: { code: string }) => code === 'CHN').indicators).toEqual(['trade-imports'])
    const indicators = (await ask(served.app, '/v1/catalog/indicators')).json().indicators
    for (const { code, countries } of indicators) expect(countries.includes('CHN'), code).toBe(code === 'trade-imports')
  })

  it('says when the next release is expected, and how late it is', async () => {
    const served = await world()
    const rate = testSeries({
      indicator: 'unemployment',
      country: 'JPN',
      unit: 'percent',
    })
    for (const [period, on] of [
      ['2026-07', '2026-08-28'],
      ['2026-08', '2026-09-29'],
      ['2026-09', '2026-10-30'],
    ] as const) {
      served.releases.accept(rate, period, { rate: '2.5' }, `${on}T00:00:00.000Z`, {
        released: { on, basis: 'publisher' },
      })
    }
    // The lags are 28, 29 and 30 days, and October ends on the 31st.
    const next = async () => (await catalog(served, '?country=JPN')).series[0]
    expect(await next()).toMatchObject({ next_period: '2026-10', next_expected_on: '2026-11-29', days_late: 0 })
    // The last second of the day in Japan.
    served.now = '2026-12-02T14:59:59.000Z'
    expect(await next()).toMatchObject({ next_expected_on: '2026-11-29', days_late: 3 })
    served.releases.statements.apply({
      change: 'cancelled',
      country: 'JPN',
      indicator: 'unemployment',
      period: '2026-10',
      series: rate.id,
      ...unknownDay,
      reason: 'no survey',
      recorded_at: served.now,
    })
    expect(await next()).toMatchObject({ next_period: '2026-11', next_expected_on: '2026-12-29', days_late: 0 })
  })

  it.each([
    ['more than two years after its day', 'SGP', '2024-10-31', '2026-11-01'],
    ['without a day, half a year after the end of its next period', 'ISL', null, '2025-01-30'],
  ])('calls a series ended %s, as the calendar does', async (_when, country, next_expected_on, lastDay) => {
    const served = await world()
    const rate = testSeries({ indicator: 'unemployment', country, unit: 'percent' })
    served.releases.accept(rate, '2024-06', { rate: '2.0' }, '2024-08-01T00:00:00.000Z')
    const shown = async (day: string) => {
      served.now = `${day}T04:00:00.000Z`
      const [entry] = (await catalog(served, `?country=${country}`)).series
      const { entries } = (await ask(served.app, `/v1/calendar?country=${country}`)).json()
      return { entry, pending: entries.filter(({ status }: { status: string }) => status !== 'published') }
    }
    const before = await shown(lastDay)
    expect(before.entry).toMatchObject({ next_period: '2024-07', next_expected_on })
    expect(before.pending[0]).toMatchObject({ period: '2024-07' })
    const { entry, pending } = await shown(addDays(lastDay, 1))
    const nothing = { next_expected_on: null, next_expected_on_basis: null, days_late: null }
    expect(entry).toMatchObject({ ...nothing, latest_period: '2024-06' })
    expect(pending).toEqual([])
  })

  it('keeps its ETag while nothing changes, and is free', async () => {
    const served = await world()
    const first = await ask(served.app, '/v1/catalog')
    served.now = '2026-11-21T23:59:00.000Z'
    const headers = { ...bearer(), 'if-none-match': String(first.headers.etag) }
    expect((await ask(served.app, { url: '/v1/catalog', headers })).statusCode).toBe(304)
    served.releases.accept(testSeries(), '2025-11', { value: '325.9' })
    expect((await ask(served.app, { url: '/v1/catalog', headers })).statusCode).toBe(200)
    expect(served.quota.used).toBe(0)
  })

  it('is the same as CSV', async () => {
    const served = await world()
    const { series } = await catalog(served)
    const { body } = await ask(served.app, '/v1/catalog?format=csv')
    const rows = parse<Record<string, string>>(body, { columns: true })
    expect(rows).toEqual(
      series.map((entry) =>
        Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value ?? '')])),
      ),
    )
  })

  it('is not served before the figures are in memory', async () => {
    const served = await world()
    served.ready = 'reading the journal'
    for (const path of ['', '/countries', '/indicators', '/instruments']) {
      expect((await ask(served.app, `/v1/catalog${path}`)).problem.code, path).toBe('unavailable')
    }
    expect((await ask(served.app, { url: '/v1/catalog/plans', headers: {} })).statusCode).toBe(200)
  })
})

describe('the lists beside it', () => {
  it('name the instruments with the staleness of their present source', async () => {
    const { app, prices } = await world()
    prices.apply(quote('XAG-USD', '31', { source: 'ECB' }))
    const { instruments } = (await ask(app, '/v1/catalog/instruments')).json()
    const of = (code: string) => instruments.find((each: { code: string }) => each.code === code)
    expect(of('WTI')).toMatchObject({ kind: 'commodity', unit: 'barrel', currency: 'USD', stale_after_seconds: 30 })
    expect(of('XAG')).toMatchObject({ stale_after_seconds: 345_600, market: 'COMMODITIES' })
    expect(of('NOK')).toMatchObject({ kind: 'currency', name: 'Norwegian Krone', stale_after_seconds: null })
  })

  it('name the plans to everyone, and what belongs to each', async () => {
    const { app } = await world()
    const { plans } = (await ask(app, { url: '/v1/catalog/plans', headers: {} })).json()
    expect(plans.map(({ code }: { code: string }) => code)).toEqual(['free', 'basic', 'pro'])
    expect(plans[0]).toMatchObject({ calls_per_month: 5000, prices_stream: false })
  })

  it.each(['countries', 'indicators', 'instruments', 'plans'])('come as CSV: %s', async (name) => {
    const { app } = await world()
    const entries: object[] = (await ask(app, `/v1/catalog/${name}`)).json()[name]
    const headers = { ...(name === 'plans' ? {} : bearer()), accept: 'text/csv' }
    const rows = parse(String((await ask(app, { url: `/v1/catalog/${name}`, headers })).body), { columns: true })
    const field = (value: unknown) => (Array.isArray(value) ? value.join(';') : String(value ?? ''))
    expect(rows).toEqual(
      entries.map((entry) => Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, field(value)]))),
    )
    expect(rows.length).toBeGreaterThan(0)
  })

  it.each([
    ['country=GER', 'Did you mean DEU (Germany)?'],
    ['indicator=gdpgrowth', 'Did you mean gdp-growth'],
    ['indicator=CPI', 'indicator: "CPI" is not an indicator here. Did you mean cpi (Consumer price index)?'],
    ['indicator=gdp_growth', 'Did you mean gdp-growth'],
    ['indicator=%F0%9F%98%80%22', String.raw`indicator: "😀\"" is not an indicator here. Known: cpi,`],
    ['indicator=', 'indicator is empty'],
    ['indicator=weather', `Known: ${indicatorCodes.join(', ')}.`],
    ['indicator=constructor', 'is not an indicator'],
  ])('refuse %s with what was meant', async (query, detail) => {
    const { app } = await world()
    const { problem } = await ask(app, `/v1/catalog?${query}`)
    expect(problem).toMatchObject({ code: 'invalid_query', detail: expect.stringContaining(detail) })
  })
})
