/** The views for SQL clients: each release and price once, exact, public only, before and after a rebuild. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Indicator } from '../../contracts/indicators.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { ensureSqlViews } from '../../projections/sql-views/ensure.ts'
import { sqlViews } from '../../projections/sql-views/views.ts'
import { events } from '../../projections/views/events/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { eventNumber, releaseNumber } from '../support/journal-records.ts'
import { append, project, rows, useWorlds } from './support/world.ts'

const world = useWorlds()

/** Release n of country and indicator, with the figures given. */
function release(n: number, country: string, indicator: Indicator, period: string, figures: Record<string, string>) {
  const made = releaseNumber(n)
  const series = { ...made.series, id: `${country}.${indicator}`, country, indicator }
  return { ...made, series, period, figures, published: figures }
}

test('figures: current ones, all vintages, exact, no export total that is not public', async () => {
  const { journal, client } = await world()
  const first = release(1, 'USA', 'gdp', '2025-Q3', { value: '31.10' })
  const second = { ...release(2, 'USA', 'gdp', '2025-Q3', { value: '31.25' }), revises: first.release_id }
  await append(journal, 'releases', [
    first,
    second,
    release(3, 'DEU', 'inflation', '2025-02', { year_over_year: '-0.1', month_over_month: '0.123456789012345678' }),
    release(4, 'USA', 'cpi', '1899', { value: '1.1234567890123456789' }),
    release(5, 'CHN', 'trade-exports', '2025-01', { value: '5' }),
    release(6, 'CHN', 'trade', '2025', { exports: '5', imports: '1', balance: '4' }),
    release(7, 'USA', 'trade-exports', '2025-01', { value: '7' }),
    release(8, 'CHN', 'trade-imports', '2025-01', { value: '8' }),
  ])
  await project(vintages, { journal, client })
  // The same rows once more, as two projectors write them; merging would hide what the views have to do.
  await client.command({ query: 'SYSTEM STOP MERGES vintages' })
  await client.command({ query: 'INSERT INTO vintages SELECT * FROM vintages' })
  expect(await rows(client, 'SELECT count() AS n FROM vintages WHERE NOT _marker')).toEqual([{ n: 16 }])

  const columns = 'country, indicator, measure, period, period_start, toString(value) AS value, value_text'
  const order = 'ORDER BY country, indicator, measure, recorded_at'
  const wanted = [
    ['CHN', 'trade-imports', 'value', '2025-01', '2025-01-01', '8', '8'],
    ['DEU', 'inflation', 'month_over_month', '2025-02', '2025-02-01', '0.123456789012345678', '0.123456789012345678'],
    ['DEU', 'inflation', 'year_over_year', '2025-02', '2025-02-01', '-0.1', '-0.1'],
    ['USA', 'cpi', 'value', '1899', null, null, '1.1234567890123456789'],
    ['USA', 'gdp', 'value', '2025-Q3', '2025-07-01', '31.25', '31.25'],
    ['USA', 'trade-exports', 'value', '2025-01', '2025-01-01', '7', '7'],
  ]
  const check = async () => {
    const current = await rows<object>(client, `SELECT ${columns} FROM current_figures ${order}`)
    expect(current.map((row) => Object.values(row))).toEqual(wanted)
    const gdp = "FROM figure_vintages WHERE indicator = 'gdp' ORDER BY recorded_at"
    expect(await rows(client, `SELECT toString(value) AS value, value_text, release_id, revises ${gdp}`)).toEqual([
      { value: '31.1', value_text: '31.10', release_id: first.release_id, revises: null },
      { value: '31.25', value_text: '31.25', release_id: second.release_id, revises: first.release_id },
    ])
    expect(await rows(client, 'SELECT count() AS n FROM figure_vintages')).toEqual([{ n: 7 }])
  }
  await check()
  await client.command({ query: 'SYSTEM START MERGES vintages' })
  await rebuild(vintages, { journal, client, signal: AbortSignal.timeout(15_000) })
  await check()
})

test('vintages: a print whose date was corrected is there once, by its better date', async () => {
  const { journal, client } = await world()
  const first = { ...release(1, 'USA', 'gdp', '2025-Q3', { value: '31.10' }), released_on: '2025-12-05' }
  const second = { ...release(2, 'USA', 'gdp', '2025-Q3', { value: '31.25' }), released_on: '2026-01-10' }
  const dated = { ...release(3, 'USA', 'gdp', '2025-Q3', { value: '31.25' }), released_on: '2026-01-03' }
  await append(journal, 'releases', [
    first,
    { ...second, revises: first.release_id },
    { ...dated, revises: first.release_id, redates: second.release_id },
  ])
  await project(vintages, { journal, client })
  const prints = await rows(
    client,
    'SELECT release_id, toString(released_on) AS on, redates FROM figure_vintages ORDER BY released_on, journal_offset',
  )
  expect(prints).toEqual([
    { release_id: first.release_id, on: '2025-12-05', redates: null },
    { release_id: dated.release_id, on: '2026-01-03', redates: second.release_id },
  ])
})

test('events: every one once, no marker', async () => {
  const { journal, client } = await world()
  await append(journal, 'events', [0, 1, 2].map(eventNumber))
  await project(events, { journal, client })
  await client.command({ query: 'INSERT INTO events SELECT * FROM events' })
  expect(await rows(client, 'SELECT sequence FROM published_events ORDER BY sequence')).toEqual(
    [1, 2, 3].map((sequence) => ({ sequence })),
  )
})

test('prices: exact, without positions and markers, and simulated ones are marked', async () => {
  const { client } = await world()
  const tableOf = async (name: string) =>
    (await readFile(new URL(`../../projections/views/${name}/table.sql`, import.meta.url), 'utf8')).replace(
      '{table:Identifier}',
      name,
    )
  for (const name of ['ticks', 'candles']) {
    await client.command({ query: await tableOf(name) })
    await ensureSqlViews(client, name)
  }
  await client.command({
    query: `INSERT INTO candles (symbol, source, minute, open, high, low, close, ticks, _offset) VALUES
      ('EUR-USD', 'ECB', '2026-01-02 10:00:00', '1.10', '1.2', '1', '1.15', 3, 4),
      ('EUR-USD', 'ECB', '2026-01-02 10:00:00', '1.10', '1.3', '1', '1.16', 4, 5), ('', '', 0, '', '', '', '', 0, 5)`,
  })
  await client.command({
    query: `INSERT INTO ticks (symbol, source, price, observed_at, appended_at, _offset, _marker) VALUES
      ('EUR-USD', 'simulator', '1.10', '2026-01-02', now(), 1, 0), ('', '', '', '2026-01-02', now(), 2, 1)`,
  })
  const candles =
    'SELECT symbol, toString(high) AS high, toString(close) AS close, ticks, is_simulated FROM price_candles'
  expect(await rows(client, candles)).toEqual([
    { symbol: 'EUR-USD', high: '1.3', close: '1.16', ticks: 4, is_simulated: false },
  ])
  const ticks = 'SELECT toString(price) AS price, price_text, is_simulated FROM price_ticks'
  expect(await rows(client, ticks)).toEqual([{ price: '1.1', price_text: '1.10', is_simulated: true }])
})

test('a view of another definition is made anew', async () => {
  const { journal, client } = await world()
  await project(events, { journal, client })
  await client.command({ query: "CREATE OR REPLACE VIEW published_events AS SELECT 1 AS old COMMENT 'an earlier one'" })
  await ensureSqlViews(client, 'events')
  expect(await rows(client, 'SELECT count() AS n FROM published_events')).toEqual([{ n: 0 }])
  expect(
    await rows(client, "SELECT count() AS n FROM system.columns WHERE table = 'published_events' AND name = 'old'"),
  ).toEqual([{ n: 0 }])
})

test('the embedded reader has a grant for each view and nothing else, and the page lists every column', async () => {
  const file = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const xml = /<reader>\s*<grants>(.*?)<\/grants>/s.exec(await file('projections/store/engine.xml'))?.[1] ?? ''
  const granted = [...xml.matchAll(/<query>(.*?)<\/query>/g)].map(([, query]) => query)
  expect(granted).toEqual(sqlViews.map(({ name }) => `GRANT SELECT ON default.${name}`))
  const page = await file('docs/sql.md')
  for (const { name, description, columns } of sqlViews) {
    expect(page).toContain(`### ${name}\n\n${description}.\n`)
    for (const [column, type, , says] of columns) expect(page).toContain(`| \`${column}\` | ${type} | ${says} |`)
  }
})

test('every example of the page is SQL that the views answer', async () => {
  const { client } = await world()
  for (const { table } of sqlViews) {
    const made = await readFile(new URL(`../../projections/views/${table}/table.sql`, import.meta.url), 'utf8')
    await client.command({ query: made.replace('{table:Identifier}', table) })
    await ensureSqlViews(client, table)
  }
  const page = await readFile(new URL('../../docs/sql.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql)
  expect(examples.length).toBeGreaterThan(4)
  for (const query of examples) await (await client.query({ query, format: 'JSONEachRow' })).json()
})
