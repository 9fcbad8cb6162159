/** The users that docs/clickhouse.md has an administrator make can do what Almanac does, and no more. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { Projector } from '../../projections/projector.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { sqlViews } from '../../projections/sql-views/views.ts'
import { rowsOf, runStatement } from '../../projections/table.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { views } from '../../projections/views/index.ts'
import { quarantineQueries } from '../../projections/views/quarantine/query.ts'
import { read } from '../../projections/views/read.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { eventNumber, rejectedNumber, releaseNumber } from '../support/journal-records.ts'
import { type EngineAs, type Rights, startEngineAs } from './support/engine-as.ts'
import { send } from './support/send.ts'
import { append, project } from './support/world.ts'

const page = readFileSync(new URL('../../docs/clickhouse.md', import.meta.url), 'utf8')
const statements = [...page.matchAll(/```sql\n(.*?)```/gs)]
  .flatMap(([, sql = '']) => sql.split(';'))
  .map((sql) => sql.replace(/\s+/g, ' ').trim())
  .filter(Boolean)

/** The page's rights of a user, on the one that the engine has. */
function rightsOf(user: string): Rights {
  const profile = statements.find((sql) => sql.includes(`CREATE USER IF NOT EXISTS ${user} `))?.match(/PROFILE '(\w+)'/)
  const made = statements.find((sql) => sql.includes(`PROFILE IF NOT EXISTS ${profile?.[1]} SETTINGS`)) ?? ''
  const settings = [...made.matchAll(/(\w+) = (\w+)(?: MAX (\w+))?/g)]
  return {
    grants: statements.filter((sql) => sql.endsWith(` TO ${user}`)).map((sql) => sql.replace(/ TO \w+$/, '')),
    settings: settings.map(([, name = '', value = '', max]) => ({ name, value, max })),
  }
}

let dir = ''
let journal: TypedJournal
let engine: EngineAs
let client: ClickHouseClient
const become = async (rights: Rights, database = 'almanac') => {
  await client?.close()
  await engine?.close()
  engine = await startEngineAs(join(dir, 'store'), rights)
  client = openClickHouse({ url: `${engine.url}/${database}` })
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-users-'))
  journal = await TypedJournal.open(await openEmbeddedJournal({ dir: join(dir, 'journal') }), localRegistry())
  const numbers = [...Array(20).keys()]
  await append(
    journal,
    'releases',
    numbers.map((n) => releaseNumber(n)),
  )
  await append(journal, 'events', numbers.map(eventNumber))
  await append(journal, 'quarantine', [rejectedNumber(1)], Date.now())
})
afterAll(async () => {
  await client?.close()
  await engine?.close()
  await journal?.close()
  rmSync(dir, { recursive: true })
})

describe('in this order,', () => {
  test('the administrator’s statements are ClickHouse’s own SQL', async () => {
    await become({ grants: ['GRANT ALL ON *.*'], settings: [] }, 'default')
    expect(statements[0]).toContain('CREATE DATABASE')
    for (const sql of statements) await client.command({ query: `EXPLAIN AST ${sql}` })
    await client.command({ query: statements[0] ?? '' })
  })

  test('the writer projects, rolls and rebuilds, and touches nothing else', async () => {
    await become(rightsOf('almanac'))
    for (const view of views) await project(view, { journal, client })
    const stop = new AbortController()
    const roller = new CandleRoller({ journal, client })
    const rolling = roller.run(stop.signal)
    await roller.caughtUp
    stop.abort()
    await rolling
    const options = { journal, client, signal: AbortSignal.timeout(15_000) }
    expect(await rebuild(vintages, options)).toMatchObject({ comparison: { rows: 20, differences: 0 } })
    await rebuildCandles(options)
    for (const sql of [
      'CREATE DATABASE other',
      'ALTER TABLE vintages DELETE WHERE 1',
      'CREATE TABLE default.t (a Int8)',
    ])
      await expect(runStatement(client, sql, {}), sql).rejects.toMatchObject({ kind: 'rejected', code: '497' })
  })

  test('the reader reads all that is asked for, within its limits, and changes nothing', async () => {
    const reader = rightsOf('almanac_reader')
    expect(reader.grants).toEqual(['GRANT SELECT ON almanac.*'])
    await become(reader)
    expect(await client.ping({ select: true })).toEqual({ success: true })
    const { bounds, page } = eventQueries(client)
    expect((await bounds())?.last.sequence).toBe((await page({ from: 0, limit: 100 })).events.at(-1)?.sequence)
    const history = vintageQueries(client)
    expect(await history.watermark()).toBe(19)
    expect(await history.byIds([releaseNumber(1).release_id])).toHaveLength(1)
    expect(await quarantineQueries(client).rejectedSince(0)).toHaveLength(1)
    for (const view of views)
      expect(await new Projector(view, { journal, readModel: clickHouseReadModel(client) }).progress()).toMatchObject({
        lag: 0,
      })

    await expect(runStatement(client, 'TRUNCATE TABLE vintages', {})).rejects.toMatchObject({ code: '497' })
    const temporary = 'CREATE TEMPORARY TABLE t (a Int8)'
    await expect(runStatement(client, temporary, {})).rejects.toMatchObject({ kind: 'rejected' })
    await expect(runStatement(client, 'SET readonly = 0', {})).rejects.toMatchObject({ code: '164' })
    const over = { seconds: 301, megabytes: 1, rows: 1 }
    await expect(read(client, 'SELECT 1', {}, over)).rejects.toMatchObject({ code: '452' })
  })

  // A view reads with the rights of its creator, who is the engine's one user. That the SQL user may read the views
  // without any right on the tables is therefore shown on the embedded store (store-reader.integration.test.ts).
  test('the SQL user has a grant for each view, reads no table and drops nothing', async () => {
    const sql = rightsOf('reader')
    expect(sql.grants).toEqual(sqlViews.map(({ name }) => `GRANT SELECT ON almanac.${name}`))
    await become(sql)
    expect(
      await rowsOf(client, "SELECT count() AS n FROM system.columns WHERE database = 'almanac' AND name = 'value'", {}),
    ).toEqual([{ n: '2' }])
    await expect(rowsOf(client, 'SELECT count() FROM vintages', {})).rejects.toMatchObject({ code: '497' })
    // By hand, because our client asks for quotes itself.
    const { text } = await send(engine.url, "SELECT toDecimal256('123456789012345678901.5', 18) AS value FORMAT JSON")
    expect(text).toContain('"value": "123456789012345678901.5"')
    await expect(runStatement(client, 'DROP VIEW figure_vintages', {})).rejects.toMatchObject({ kind: 'rejected' })
  })

  test('with readonly = 1 it could ask nothing', async () => {
    await become({ ...rightsOf('almanac_reader'), settings: [{ name: 'readonly', value: '1' }] })
    await expect(vintageQueries(client).watermark()).rejects.toMatchObject({ kind: 'rejected', code: '164' })
  })
})
