import { expect, test } from 'vitest'
import { HealthWatch } from '../../cli/processes/health.ts'
import { faultOfReadModels, readingAfter, watchReadModels } from '../../cli/processes/read-models.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { ensureTable } from '../../projections/migrate.ts'
import { runStatement } from '../../projections/table.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { until, useWorlds } from '../projections/support/world.ts'

const world = useWorlds()

/** Runs a watch until `read_models` says something that `wanted` takes, and returns the report. */
async function reportOf(probe: () => Promise<string | undefined>, wanted: RegExp) {
  const stop = new AbortController()
  const watch = new HealthWatch({ journal: () => undefined, read_models: probe, access: () => undefined })
  const running = watch.run(stop.signal)
  await until(() => wanted.test(watch.report('1', '', true).read_models ?? ''))
  stop.abort()
  await running
  return watch.report('1', '', true)
}

test('a table that is dropped makes the service degraded and is named, by one query while all is well', async () => {
  const { client } = await world()
  for (const table of [...views, candles]) await ensureTable(client, table, { id: 'a journal', generations: [] })
  let queries = 0
  const query = client.query.bind(client)
  const counted = Object.assign(Object.create(client), {
    query: (...args: Parameters<typeof query>) => {
      queries += 1
      return query(...args)
    },
  }) as typeof client
  expect(await faultOfReadModels(counted)).toBeUndefined()
  expect(queries).toBe(1)
  const probe = () => faultOfReadModels(client)
  expect(await reportOf(probe, /^ok$/)).toMatchObject({ status: 'ok' })

  for (const table of [...views, candles]) {
    await runStatement(client, 'RENAME TABLE {table:Identifier} TO aside', { table: table.name })
    const said = await reportOf(probe, /^cannot/)
    expect(said).toMatchObject({ status: 'degraded', read_models: `cannot read ${table.name}` })
    await runStatement(client, 'RENAME TABLE aside TO {table:Identifier}', { table: table.name })
  }
  await runStatement(client, 'DROP TABLE events SYNC', {})
  await runStatement(client, 'DROP TABLE vintages SYNC', {})
  expect(await reportOf(probe, /^cannot/)).toMatchObject({ read_models: 'cannot read vintages, events' })
})

test('a table of another journal ends an api that reads it, that of the candles too', async () => {
  const { client } = await world()
  const ours = { id: 'ours', generations: [] }
  const other = { id: 'other', generations: [] }
  for (const table of views) await ensureTable(client, table, ours)
  const stop = new AbortController()
  const { done } = await watchReadModels(client, ours, stop.signal)
  stop.abort()
  await done
  await ensureTable(client, candles, other)
  const watch = watchReadModels(client, ours, stop.signal)
  await expect(watch).rejects.toThrow('table candles was filled from journal other, but this is journal ours')
})

test('a ClickHouse that is away is not told as a table that is missing', async () => {
  const away = openClickHouse({ url: 'http://127.0.0.1:1' })
  expect(await reportOf(() => faultOfReadModels(away), /^unavailable$/)).toMatchObject({ status: 'degraded' })
  await away.close()
})

test('a client reads nothing while its tables are being made anew, and says that they are away', async () => {
  const { client } = await world()
  for (const table of [...views, candles]) await ensureTable(client, table, { id: 'a journal', generations: [] })
  const tables = Promise.withResolvers<void>()
  const reader = readingAfter(tables.promise, client)
  expect(await reportOf(() => faultOfReadModels(reader), /^unavailable$/)).toMatchObject({ status: 'degraded' })
  tables.resolve()
  expect(await reportOf(() => faultOfReadModels(reader), /^ok$/)).toMatchObject({ status: 'ok' })
})
