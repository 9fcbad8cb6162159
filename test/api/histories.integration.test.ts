import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namingOf, type SeriesObservationList, type VintageList } from '../../contracts/histories.ts'
import type { Frequency, Release, Series } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { append, project, rows, useWorlds } from '../projections/support/world.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { ask, world } from './support.ts'

const stored = useWorlds()

const countries = ['CAN', 'USA'] as const
const days = ['2024-05-01', '2024-06-15', '2024-06-16', '2025-01-31']
const periodsOf: Readonly<Record<Frequency, readonly string[]>> = {
  M: ['2023-11', '2023-12', '2024-01', '2024-02'],
  Q: ['2023-Q3', '2023-Q4', '2024-Q1'],
  A: ['2021', '2022', '2023'],
}
const rateSeries = (country: string, over: Partial<Omit<Series, 'id'>>) =>
  testSeries({ indicator: 'unemployment', country, unit: 'percent', ...over })
const flows = (country: string, over: Partial<Omit<Series, 'id'>>) =>
  testSeries({ indicator: 'trade', country, unit: 'USD', ...over })

const growth = (country: string, over: Partial<Omit<Series, 'id'>>) =>
  testSeries({ indicator: 'gdp-growth', country, unit: 'percent', ...over })

/** A release of one of several series of an indicator, some of which are comparable and some not. */
const print = fc.record({
  country: fc.constantFrom(...countries),
  indicator: fc.constantFrom('unemployment', 'trade', 'gdp-growth'),
  /** Which of its figures a release of growth has. */
  rates: fc.constantFrom(
    ['year_over_year'],
    ['quarter_over_quarter'],
    ['year_over_year', 'quarter_over_quarter'],
    ['year_over_year', 'quarter_over_quarter'],
  ),
  frequency: fc.constantFrom('M', 'Q', 'A'),
  over: fc.constantFrom<Partial<Omit<Series, 'id'>>>(
    {},
    { source: 'OECD' },
    { source: 'FRED' },
    { seasonal_adjustment: 'seasonally_adjusted' },
    { derivation: 'made' },
    { unit: 'CAD' },
  ),
  period: fc.nat(3),
  value: fc.integer({ min: 1, max: 40 }).map(String),
  isWithdrawn: fc.constantFrom(true, false, false, false, false),
  released: fc.constantFrom(...days),
})

/** The releases that ingest would accept of these prints, in order. */
function releasesOf(prints: readonly (typeof print extends fc.Arbitrary<infer P> ? P : never)[]): Release[] {
  const known = new Map<string, KnownRelease>()
  return prints.flatMap(({ isWithdrawn, ...drawn }) => {
    const { country, indicator, rates, frequency, over, period: place, value, released } = drawn
    const isTrade = indicator === 'trade'
    const own = indicator === 'gdp-growth' ? 'Q' : isTrade && frequency === 'Q' ? 'M' : frequency
    const period = periodsOf[own][place]
    const series = { unemployment: rateSeries, trade: flows, 'gdp-growth': growth }[indicator](country, {
      ...over,
      frequency: own,
    })
    if (!period || (!isTrade && over.unit)) return []
    const figures = {
      unemployment: { rate: value },
      trade: { exports: value, imports: value, balance: '0' },
      // The first quarter never has but one of its rates.
      'gdp-growth': Object.fromEntries((place === 0 ? rates.slice(0, 1) : rates).map((rate) => [rate, value])),
    }[indicator]
    const key = `${series.id}/${period}`
    try {
      const when = { released: { on: released, basis: 'publisher' } } as const
      const claimed = candidate(series, period, isWithdrawn ? {} : figures, when)
      const printed = isWithdrawn ? { printed: null } : {}
      const release = accepted({ ...claimed, ...printed }, known.get(key), `2026-01-15T12:00:00.000Z`)
      known.set(key, asKnown(release, known.get(key)))
      return [release]
    } catch {
      // Unchanged, without a rate that is on record, or withdrawn though it is not.
      return []
    }
  })
}

/** Everything that is asked here, with the answers of a board that has only the releases known on a day. */
const releases = releasesOf(fc.sample(print, { numRuns: 600, seed: Number(process.env.ALMANAC_TEST_SEED ?? 11) }))
const redated = new Set(releases.map(({ redates }) => redates))
/** The prints in the order of publication, without those whose date another one corrects. */
const prints = releases
  .filter(({ release_id }) => !redated.has(release_id))
  .sort((a, b) => (a.released_on < b.released_on ? -1 : a.released_on > b.released_on ? 1 : 0))
const boardOn = (day: string): FigureBoard => {
  const board = new FigureBoard()
  for (const release of prints) if (release.released_on <= day) board.apply({ ...release, late: false })
  return board
}
/** The board that a node has. */
const boardNow = (): FigureBoard => {
  const board = new FigureBoard()
  for (const release of releases) board.apply(release)
  return board
}

async function served() {
  const { journal, client } = await stored()
  await append(journal, 'releases', releases)
  await project(vintages, { journal, client })
  const figures = boardNow()
  const { app, ...rest } = await world({
    figures,
    history: vintageQueries(client),
    journalReaches: (offset) => offset <= releases.length * 2,
  })
  const read = async <L extends { readonly next_cursor: string | null }>(path: string): Promise<L[]> => {
    const pages: L[] = []
    for (let url: string | undefined = path; url; ) {
      const response = await ask(app, url)
      expect(response.statusCode, `${url} ${response.body}`).toBe(200)
      const list = response.json<L>()
      pages.push(list)
      const { next_cursor } = list
      url = next_cursor ? `${path.split('?')[0]}?limit=10&cursor=${next_cursor}` : undefined
    }
    return pages
  }
  return { app, figures, read, client, ...rest }
}

/** What a history has of a period: the answer of a request for it, or a release that lacks a figure. */
function inHistory(board: FigureBoard, { country, indicator, frequency }: (typeof cases)[number]): Release[] {
  const whole = board.periods(country, indicator, frequency).flatMap((period) => {
    return board.at(country, indicator, period) ?? []
  })
  const all = [...whole, ...board.partial(country, indicator, frequency)]
  return all.sort((a, b) => (a.period < b.period ? -1 : 1))
}

const cases = countries.flatMap((country) => [
  ...(['M', 'Q', 'A'] as const).map((frequency) => ({ country, indicator: 'unemployment', frequency }) as const),
  ...(['M', 'A'] as const).map((frequency) => ({ country, indicator: 'trade', frequency }) as const),
  { country, indicator: 'gdp-growth', frequency: 'Q' } as const,
])
const named: Readonly<Record<(typeof cases)[number]['indicator'], readonly string[]>> = {
  unemployment: ['rate'],
  trade: ['exports', 'imports', 'balance'],
  'gdp-growth': ['year_over_year', 'quarter_over_quarter'],
}

describe('histories on the real store', () => {
  test('have the n-th print of each period, as the vintages do, page by page and as of any day', async () => {
    const { read } = await served()
    let compared = 0
    for (const { country, indicator, frequency } of cases) {
      const path = `/v1/economics/${country}/${indicator}`
      const own = indicator === 'gdp-growth' ? '' : `frequency=${frequency}&`
      const vintages = (await read<VintageList>(`${path}/vintages?${own}limit=100`)).flatMap((page) => page.vintages)
      for (const [nth, day] of [
        [1, undefined],
        [2, undefined],
        [3, '2024-06-16'],
        [1, '2024-06-15'],
      ] as const) {
        const known = vintages.filter(({ value, valid_from }) => value !== null && (!day || valid_from <= day))
        const figures = Map.groupBy(known, ({ period, measure, transformation }) =>
          [period, measure, transformation].join(' '),
        )
        const expected = [...figures.values()].flatMap((values) =>
          values[nth - 1]?.release_id ? [values[nth - 1]] : [],
        )
        if (expected.length === 0) continue
        const asked = `${path}/observations?${own}print=${nth}&limit=3${day ? `&as_of=${day}` : ''}`
        const found = (await read<SeriesObservationList>(asked)).flatMap((page) => page.observations)
        const textOf = (one: (typeof found)[number] | (typeof expected)[number]) =>
          one && [one.period, one.measure, one.transformation, one.value, one.series, one.released_on].join(' ')
        expect(found.map(textOf), asked).toEqual(expected.map(textOf))
        compared += found.length
      }
    }
    expect(compared).toBeGreaterThan(50)
  })

  test('are the columns of a panel, now and as of any day', async () => {
    const { app, read } = await served()
    let [compared, split] = [0, 0]
    for (const frequency of ['M', 'Q', 'A'] as const) {
      for (const day of [undefined, ...days]) {
        const asked = [
          ...countries.map((country) => `country=${country}`),
          ...Object.keys(named).map((indicator) => `indicator=${indicator}`),
          `frequency=${frequency}`,
          ...(day ? [`as_of=${day}`] : []),
        ]
        const { body, statusCode } = await ask(app, `/v1/panel?${asked.join('&')}`)
        expect(statusCode, body).toBe(200)
        const [header = [], ...rows] = body
          .trim()
          .split('\r\n')
          .map((line) => line.split(','))
        for (const country of countries) {
          for (const [indicator, figures] of Object.entries(named)) {
            const own = indicator === 'gdp-growth' ? '' : `frequency=${frequency}&`
            const path = `/v1/economics/${country}/${indicator}/observations`
            const isServed = cases.some((one) => one.indicator === indicator && one.frequency === frequency)
            const url = `${path}?${own}limit=10${day ? `&as_of=${day}` : ''}`
            const isKnown = isServed && (await ask(app, url)).statusCode === 200
            const pages = isKnown ? await read<SeriesObservationList>(url) : []
            const observations = pages.flatMap((page) => page.observations)
            for (const figure of figures) {
              const name = [country, indicator, ...(figures.length > 1 ? [figure] : [])].join('.')
              // Values of another unit have a column of their own, behind that of the others.
              const own = header.flatMap((column, i) => (column === name || column.startsWith(`${name} (`) ? i : []))
              expect(own.length, `${country} ${indicator} ${figure}`).toBeGreaterThan(0)
              split += own.length - 1
              const { measure, transformation } = namingOf(indicator as 'trade', figure)
              const expected = observations
                .filter((one) => one.measure === measure && one.transformation === transformation)
                .map(({ period, value }) => `${period} ${value}`)
              const shown = rows.flatMap((row) => own.flatMap((i) => (row[i] ? `${row[0]} ${row[i]}` : [])))
              expect(shown, `${country} ${indicator} ${figure} ${frequency} ${day}`).toEqual(expected)
              compared += expected.length
            }
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(100)
    expect(split).toBeGreaterThan(0)
  })

  test('show period by period what a request for the period answers, now and as of any day', async () => {
    const { read, app } = await served()
    const boards = new Map(days.map((day) => [day, boardOn(day)]))
    let [compared, partial] = [0, 0]
    const latest = new Set<string>()
    for (const [n, each] of cases.entries()) {
      const { country, indicator, frequency } = each
      const path = `/v1/economics/${country}/${indicator}`
      // Two of the days with each case, all four with each country.
      for (const day of [undefined, days[n % 2], days[2 + (n % 2)]]) {
        const board = (day === undefined ? undefined : boards.get(day)) ?? boardNow()
        const byFrequency = indicator === 'gdp-growth' ? '' : `frequency=${frequency}&`
        const query = `${byFrequency}limit=10${day ? `&as_of=${day}` : ''}`
        const { statusCode } = await ask(app, `${path}/observations?${query}`)
        if (statusCode === 404) {
          expect(inHistory(boardOn('9999-12-31'), each)).toEqual([])
          continue
        }
        const shown = (await read<SeriesObservationList>(`${path}/observations?${query}`)).flatMap(
          (page) => page.observations,
        )
        const expected = inHistory(board, each).flatMap(({ period, figures, series, released_on }) =>
          named[indicator].flatMap((figure) =>
            figures[figure] === undefined
              ? []
              : {
                  period,
                  value: figures[figure],
                  unit: series.unit,
                  series: series.id,
                  source: series.source,
                  released_on,
                },
          ),
        )
        expect(
          shown.map(({ period, value, unit, series, source, released_on }) => ({
            period,
            value,
            unit,
            series,
            source,
            released_on,
          })),
          `${path}?${query}`,
        ).toEqual(expected)
        compared += expected.length
        if (day !== undefined) continue
        // Without a period, the answer is the last entry of the history that a body can give.
        if (board.latest(country, indicator)?.series.frequency === frequency) {
          const { period } = (await ask(app, path)).json()
          expect(period).toBe(shown.findLast((entry) => board.at(country, indicator, entry.period))?.period)
          latest.add(frequency)
          const whole = await read<SeriesObservationList>(`${path}/observations?limit=10`)
          expect(whole.flatMap(({ observations }) => observations)).toEqual(shown)
        }
        for (const period of new Set(shown.map((each) => each.period))) {
          const body = (await ask(app, `${path}?period=${period}`)).json()
          if (!board.at(country, indicator, period)) {
            expect(body.detail).toContain(`${period} is published without`)
            partial++
            continue
          }
          const own = shown.filter((each) => each.period === period).map(({ value }) => value)
          expect(own).toEqual(named[indicator].map((figure) => body[figure]))
        }
      }
    }
    expect(compared).toBeGreaterThan(80)
    expect(partial).toBeGreaterThan(0)
    expect(latest).toEqual(new Set(['M', 'Q']))
  })

  test('are of the best frequency that has figures on the day, where all of a better one were withdrawn', async () => {
    const { journal, client } = await stored()
    const [months, years] = [rateSeries('CAN', { frequency: 'M' }), rateSeries('CAN', { frequency: 'A' })]
    const on = (day: string) => ({ released: { on: day, basis: 'publisher' } }) as const
    const print = accepted(candidate(months, '2024-01', { rate: '5' }, on('2024-05-01')), undefined)
    const year = accepted(candidate(years, '2023', { rate: '6' }, on('2024-05-01')), undefined)
    const withdrawal = accepted(
      { ...candidate(months, '2024-01', {}, on('2024-06-15')), printed: null },
      asKnown(print, undefined),
    )
    const all = [print, year, withdrawal]
    await append(journal, 'releases', all)
    await project(vintages, { journal, client })
    const figures = new FigureBoard()
    for (const release of all) figures.apply(release)
    const { app } = await world({ figures, history: vintageQueries(client), journalReaches: () => true })
    const periods = async (query: string) => {
      const { observations } = (await ask(app, `/v1/economics/CAN/unemployment/observations${query}`)).json()
      return observations.map(({ period }: { period: string }) => period)
    }
    expect(await periods('?as_of=2024-06-14')).toEqual(['2024-01'])
    expect(await periods('?as_of=2024-06-15')).toEqual(['2023'])
    expect(await periods('')).toEqual(['2023'])
    expect(await periods('?as_of=2024-06-15&frequency=M')).toEqual([])
    expect(await periods('?as_of=2024-06-15&start=2024-02')).toEqual([])
  })

  test('are the rows that SQL calls served, also where a figure stands alone', async () => {
    const { figures, client } = await served()
    const sql = `SELECT country, indicator, series, period, measure, value_text AS value FROM current_figures
      WHERE is_served ORDER BY country, indicator, frequency, period, measure`
    const expected = cases
      .toSorted((a, b) =>
        `${a.country} ${a.indicator} ${a.frequency}` < `${b.country} ${b.indicator} ${b.frequency}` ? -1 : 1,
      )
      .flatMap((each) =>
        inHistory(figures, each).flatMap(({ series, period, figures: values }) => {
          const { country, indicator } = each
          const members = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
          return members.map(([measure, value]) => ({ country, indicator, series: series.id, period, measure, value }))
        }),
      )
    expect(expected.some(({ period, ...of }) => !figures.at(of.country, of.indicator, period))).toBe(true)
    expect(expected.length).toBeGreaterThan(40)
    expect(await rows(client, sql)).toEqual(expected)
  })

  test('have as vintages what they were on each day, with every print of the series that answered', async () => {
    const { read } = await served()
    const seen = { taken: 0, ended: 0, revised: 0, compared: 0 }
    for (const each of cases) {
      const { country, indicator, frequency } = each
      if (inHistory(boardOn('9999-12-31'), each).length === 0) continue
      const path = `/v1/economics/${country}/${indicator}/vintages`
      const query = indicator === 'gdp-growth' ? '' : `frequency=${frequency}&`
      const shown = (await read<VintageList>(`${path}?${query}limit=10`)).flatMap((page) => page.vintages)
      const figures = Map.groupBy(shown, ({ period, measure, transformation }) =>
        [period, measure, transformation].join(),
      )
      for (const entries of figures.values()) {
        expect(entries).toEqual(
          entries.toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : 0)),
        )
        for (const [i, { value, valid_from, released_on, release_id, series }] of entries.entries()) {
          const print = prints.find((one) => one.release_id === release_id)
          expect(print).toMatchObject({ series: { id: series }, released_on })
          if (valid_from > released_on) seen.taken++
          if (value === null) seen.ended++
          if (value !== null && i > 0 && entries[i - 1]?.series === series) seen.revised++
        }
      }
      for (const day of days) {
        const known = inHistory(boardOn(day), each).flatMap(({ period, figures: values, series, release_id }) =>
          named[indicator].flatMap((figure) =>
            values[figure] === undefined ? [] : { period, value: values[figure], series: series.id, release_id },
          ),
        )
        const last = [...figures.values()].flatMap(
          (entries) => entries.findLast(({ valid_from }) => valid_from <= day) ?? [],
        )
        expect(
          last.flatMap(({ period, value, series, release_id }) =>
            value === null ? [] : { period, value, series, release_id },
          ),
          `${path} as of ${day}`,
        ).toEqual(known)
        // No print of the day is missing, of the series that answers at its end.
        for (const { period, series } of known) {
          const own = prints.filter(
            (one) => one.series.id === series && one.period === period && one.released_on === day,
          )
          const ids = shown
            .filter((one) => one.period === period && one.valid_from === day)
            .map((one) => one.release_id)
          expect(ids).toEqual(expect.arrayContaining(own.map(({ release_id }) => release_id)))
        }
        seen.compared += known.length
      }
      const period = shown[0]?.period
      const single = (await read<VintageList>(`${path}?period=${period}&limit=10`)).flatMap((page) => page.vintages)
      expect(single).toEqual(shown.filter((entry) => entry.period === period))
    }
    expect(seen.taken).toBeGreaterThan(5)
    expect(seen.ended).toBeGreaterThan(5)
    expect(seen.revised).toBeGreaterThan(50)
    expect(seen.compared).toBeGreaterThan(100)
  })
})
