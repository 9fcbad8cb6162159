import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { rollAll } from './support/candle-rolls.ts'
import { startFaultyProxy } from './support/faulty-proxy.ts'
import type { RebuildChild } from './support/rebuild-child.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { append, project, rows, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const child = fileURLToPath(new URL('./support/rebuild-child.ts', import.meta.url))

const tablesLike = async ({ client }: World, name: string) =>
  (await rows<{ name: string }>(client, `SHOW TABLES LIKE '${name}%'`)).map(({ name }) => name).sort()

/** Runs a rebuild in another process, and kills it before the statement number `nth` from EXCHANGE on. */
async function rebuildKilledAt(table: RebuildChild['table'], nth: number, { journalDir, storeUrl, database }: World) {
  const statements: string[] = []
  const proxy = await startFaultyProxy(storeUrl, (statement) => {
    if (statements.length > 0 || statement.startsWith('EXCHANGE')) statements.push(statement)
    return statements.length > nth && rebuilding.kill('SIGKILL')
  })
  onTestFinished(() => proxy.close())
  const options: RebuildChild = { table, journalDir, storeUrl: proxy.url, database }
  const rebuilding = spawn(node, [child, JSON.stringify(options)], { stdio: 'inherit' })
  const [, killedBy] = await once(rebuilding, 'exit')
  expect(killedBy).toBe('SIGKILL')
}

/** Number of differences that a rebuild finds after another one was killed before a statement from EXCHANGE on. */
const moments = [
  ['before the tables are exchanged', 0, 1],
  ['once they are exchanged', 1, 0],
  ['before the old table has its name', 2, 0],
] as const

describe.each(moments)('a rebuild that is killed %s', (_, nth, differences) => {
  test('is finished by the next one, which keeps the old table under its name', async () => {
    const made = await world()
    const { journal, client } = made
    await append(journal, 'releases', [0, 1, 2].map(releaseNumber))
    await project(vintages, made)
    const wrong = `ALTER TABLE vintages UPDATE revises = 'wrong' WHERE _offset = 1 SETTINGS mutations_sync = 1`
    await client.command({ query: wrong })
    await rebuildKilledAt('vintages', nth, made)
    const { comparison } = await rebuild(vintages, { journal, client, signal })
    expect(comparison).toMatchObject({ rows: 3, differences })
    expect(await tablesLike(made, 'vintages')).toEqual(['vintages', 'vintages_replaced'])
    const replaced = await rows<{ revises: string }>(client, 'SELECT revises FROM vintages_replaced WHERE _offset = 1')
    expect(replaced).toEqual([{ revises: 'wrong' }])
    // A third one has nothing left to finish.
    await rebuild(vintages, { journal, client, signal })
    expect(await rows(client, 'SELECT revises FROM vintages_replaced WHERE _offset = 1')).toEqual(replaced)
  })

  test('is finished for candles, too', async () => {
    const made = await world()
    const { journal, client } = made
    await appendTicks(journal, [tick('XAU-USD', '1', Date.now() - 3_600_000)])
    await project(ticks, made)
    await rollAll(made)
    await client.command({
      query: `ALTER TABLE candles UPDATE high = '99' WHERE symbol = 'XAU-USD' SETTINGS mutations_sync = 1`,
    })
    await rebuildKilledAt('candles', nth, made)
    const { comparison } = await rebuildCandles({ journal, client, signal })
    expect(comparison).toMatchObject({ rows: 1, differences })
    expect(await tablesLike(made, 'candles')).toEqual(['candles', 'candles_replaced'])
    const replaced = `SELECT toString(high) AS high FROM candles_replaced WHERE symbol = 'XAU-USD'`
    expect(await rows(client, replaced)).toEqual([{ high: '99' }])
  })
})
