import { beforeAll, describe, expect, it } from 'vitest'
import { testSeries } from '../support/releases.ts'
import { get, growthId, index, json, refusal, worldWithVintages } from './fred-support.ts'
import type { World } from './support.ts'

type Row = Readonly<Record<string, string>>
type Observations = { readonly count: number; readonly observations: readonly Row[] }

/** No test changes it. */
let served: World
beforeAll(async () => {
  served = await worldWithVintages()
})

const all = { realtime_start: '1776-07-04', realtime_end: '9999-12-31' }

/** The rows of an answer: date, first and last day, value. */
async function rows(query: Readonly<Record<string, string>>, id = index.id): Promise<(string | undefined)[][]> {
  const { observations } = await json<Observations>(served, 'series/observations', {
    series_id: id,
    ...query,
  })
  return observations.map(({ date, realtime_start, realtime_end, value }) => [
    date,
    realtime_start,
    realtime_end,
    value,
  ])
}

const september = [
  ['2025-09-01', '2025-10-10', '2025-11-09', '100.10'],
  ['2025-09-01', '2025-11-10', '9999-12-31', '100.4'],
]
const october = [
  ['2025-10-01', '2025-11-10', '2025-12-04', '101'],
  ['2025-10-01', '2025-12-05', '2026-01-14', '.'],
  ['2025-10-01', '2026-01-15', '9999-12-31', '101.5'],
]
const november = [['2025-11-01', '2025-12-10', '9999-12-31', '102']]

describe('observations by real-time period', () => {
  it('are all values with the days on which they were the newest, withdrawals included', async () => {
    expect(await rows(all)).toEqual([...september, ...october, ...november])
  })

  it('have their true first and last day, whatever the window', async () => {
    expect(await rows({ realtime_start: '2025-11-01', realtime_end: '2025-11-09' })).toEqual([september[0]])
    expect(await rows({ realtime_start: '2025-11-30', realtime_end: '2025-12-31' })).toEqual([
      september[1],
      ...october.slice(0, 2),
      ...november,
    ])
    expect(await rows({ realtime_end: '2025-11-15' })).toEqual([september[1], october[0]])
  })

  it('are those of today if no day is named', async () => {
    const today = [september[1], october[2], ...november]
    expect(await rows({})).toEqual(today)
    expect(await rows({ realtime_start: '9999-12-31', realtime_end: '9999-12-31' })).toEqual(today)
  })

  it('of vintage dates are those that were the newest on one of the days', async () => {
    expect(await rows({ vintage_dates: '2025-12-06,2025-10-20,2025-12-06' })).toEqual([
      ...september,
      ...october.slice(1, 2),
    ])
  })

  it('go on where another figure of the release was revised', async () => {
    expect(await rows(all, growthId)).toEqual([['2025-04-01', '2025-08-22', '9999-12-31', '0.2']])
  })

  it('are cut by the first days of their periods, in either order, in parts', async () => {
    const within = { ...all, observation_start: '2025-09-02', observation_end: '2025-10-31' }
    expect(await rows(within)).toEqual(october)
    expect(await rows({ ...all, sort_order: 'desc' })).toEqual([...november, ...october, ...september])
    expect(await rows({ ...all, sort_order: 'desc', offset: '1', limit: '2' })).toEqual(october.slice(0, 2))
    expect(await rows({ observation_start: '9999-12-31' })).toEqual([])
  })
})

describe('observations by vintage date', () => {
  it('have a column for each vintage of the window, and that of its first day', async () => {
    const query = { series_id: index.id, output_type: '2', realtime_start: '2025-10-20', realtime_end: '2025-12-31' }
    const { observations, count } = await json<Observations>(served, 'series/observations', query)
    const named = (values: Row) =>
      Object.fromEntries(Object.entries(values).map(([day, value]) => [`${index.id}_${day}`, value]))
    expect(count).toBe(3)
    expect(observations).toEqual([
      {
        date: '2025-09-01',
        ...named({ 20251020: '100.10', 20251110: '100.4', 20251205: '100.4', 20251210: '100.4' }),
      },
      { date: '2025-10-01', ...named({ 20251020: '.', 20251110: '101', 20251205: '.', 20251210: '.' }) },
      { date: '2025-11-01', ...named({ 20251020: '.', 20251110: '.', 20251205: '.', 20251210: '102' }) },
    ])
  })

  it('have names that XML allows', async () => {
    const query = { series_id: index.id, output_type: '2', vintage_dates: '2025-10-20' }
    const { body } = await get(served, '/fred/series/observations', query)
    const name = `${index.id.replace('=', '_')}_20251020`
    expect(body).toContain(`<observation date="2025-09-01" ${name}="100.10"/>`)
  })
})

describe('observations in other units or a lower frequency', () => {
  it('have the real-time periods of all values that they are computed from', async () => {
    expect(await rows({ ...all, units: 'chg', observation_start: '2025-10-01' })).toEqual([
      // 101 less 100.4, then withdrawn, then 101.5 less 100.4.
      ['2025-10-01', '2025-11-10', '2025-12-04', '0.6'],
      ['2025-10-01', '2025-12-05', '2026-01-14', '.'],
      ['2025-10-01', '2026-01-15', '9999-12-31', '1.1'],
      // November has nothing to compare with until October is back.
      ['2025-11-01', '2025-12-10', '2026-01-14', '.'],
      ['2025-11-01', '2026-01-15', '9999-12-31', '0.5'],
    ])
  })

  it('have no value where the period before, or a part of the period, is missing', async () => {
    expect(await rows({ units: 'pch', observation_end: '2025-09-30' })).toEqual([
      ['2025-09-01', '2025-10-10', '9999-12-31', '.'],
    ])
    expect(await rows({ frequency: 'q', aggregation_method: 'sum' })).toEqual([
      ['2025-07-01', '2025-10-10', '9999-12-31', '.'],
      ['2025-10-01', '2025-11-10', '9999-12-31', '.'],
    ])
  })

  it('are aggregated before they are changed, and say so', async () => {
    const months = testSeries({ country: 'ESP', base_period: '2015', base_value: '100' })
    for (const month of ['01', '02', '03', '04', '05', '06']) {
      served.releases.accept(months, `2025-${month}`, { value: `${100 + Number(month)}` }, '2025-08-10T00:00:00.000Z')
    }
    const query = { series_id: months.id, frequency: 'q', units: 'chg' }
    const { units, observations } = await json<Observations & { units: string }>(served, 'series/observations', query)
    expect(units).toBe('chg')
    expect(observations.map(({ date, value }) => [date, value])).toEqual([
      ['2025-01-01', '.'],
      // The averages are 102 and 105.
      ['2025-04-01', '3'],
    ])
  })
})

it('initial releases are the first values, of all time or of a window', async () => {
  const initial = [september[0], october[0], november[0]]
  expect(await rows({ output_type: '4' })).toEqual(initial)
  const window = { realtime_start: '2025-11-01', realtime_end: '2025-11-30' }
  expect(await rows({ output_type: '4', ...window })).toEqual([october[0]])
  expect(await rows({ output_type: '4', vintage_dates: '2025-12-10' })).toEqual([november[0]])
})

describe('a request for observations', () => {
  it.each([
    [{ realtime_begin: '2020-01-01' }, /^Unknown variable "realtime_begin"\. .*Known: series_id, realtime_start/],
    [{ observation_star: '2020-01-01' }, /Did you mean observation_start\?/],
    [{ series_id: '' }, /variable series_id is not set/],
    [{ realtime_start: '2025-02-30' }, /realtime_start is not valid: "2025-02-30"\. Use a day/],
    [{ realtime_start: '2026-12-01' }, /The latest day is 2026-11-22; 9999-12-31 stands/],
    [{ vintage_dates: '2025-01-01,2027-01-01' }, /vintage_dates is not valid: "2027-01-01"/],
    [{ realtime_start: '2025-03-01', realtime_end: '2025-02-01' }, /It is after realtime_end, 2025-02-01/],
    [{ vintage_dates: '2025-03-01', realtime_end: '2025-02-01' }, /exclude each other/],
    [{ observation_start: '2025-03-01', observation_end: '2025-02-01' }, /It is after observation_end/],
    [{ output_type: '3' }, /output_type is not valid: "3"\. Use 1, 2, 4/],
    [{ units: 'percent' }, /units is not valid: "percent"/],
    [{ frequency: 'w' }, /frequency is not valid: "w"\. Use a, q or m/],
    [{ frequency: 'constructor' }, /frequency is not valid: "constructor"/],
    [{ series_id: growthId, frequency: 'm' }, /frequency q, of which no higher one can be made/],
    [{ aggregation_method: 'median' }, /Use avg, sum, eop/],
    [{ aggregation_method: 'sum' }, /aggregation_method is not valid: "sum"\. Give it with a frequency/],
    [{ limit: '0' }, /Use an integer from 1 to 100000/],
    [{ limit: '1e3' }, /limit is not valid/],
    [{ offset: '-1' }, /offset is not valid/],
    [{ sort_order: 'up' }, /Use asc, desc/],
  ])('with %j is refused, with the reason', async (query, message) => {
    const { status, message: said } = await refusal(served, 'series/observations', {
      series_id: index.id,
      ...query,
    })
    expect(status).toBe(400)
    expect(said).toMatch(message)
  })

  it('takes what leaves the series as it is', async () => {
    const as = { units: 'lin', frequency: 'm', aggregation_method: 'eop', output_type: '1', api_key: 'K' }
    expect(await rows({ ...all, ...as })).toHaveLength(6)
  })
})
