import { describe, expect, test } from 'vitest'
import { described } from '../../cli/commands/verify.ts'
import { compareTables } from '../../projections/compare.ts'
import { createTable } from '../../projections/migrate.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { verify } from '../../projections/verify.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { change, fill, releases, tablesOf } from './support/vintage-tables.ts'
import { append, runProjector, useWorlds } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const COUNT = 1_000

const filled = async () => fill(await world(), COUNT)

describe('verify', () => {
  test('finds the table alike while a projector adds to it', async () => {
    const { journal, client } = await filled()
    const running = runProjector(vintages, { journal, client, intervalMs: 10 })
    const checking = verify(vintages, { journal, client, signal })
    for (let n = COUNT; n < COUNT + 50; n++) await append(journal, 'releases', [releaseNumber(n)])
    const { rows: compared, behind: _, ...found } = await checking
    expect(found).toEqual({ differences: 0, examples: [], beyond: [], repeated: 0 })
    expect(compared).toBeGreaterThanOrEqual(COUNT)
    await running.stop()
    expect(await tablesOf(client)).toEqual(['vintages'])
  })

  test('says how far the table is behind, because it compares only what the table has reached', async () => {
    const { journal, client } = await filled()
    const at = Date.now() - 90_000
    await append(journal, 'releases', releases(COUNT, 20), at)
    await append(journal, 'releases', releases(COUNT + 20, 1), at + 60_000)
    const found = await verify(vintages, { journal, client, signal })
    expect(found).toMatchObject({ rows: COUNT, differences: 0, behind: { records: 21, since: at } })
    expect(described('vintages', found, at + 90_400)).toBe(
      'vintages: 1,000 rows, equal to the journal as far as it had come; it was 21 records behind, the oldest recorded 90 seconds ago',
    )
    expect((await rebuild(vintages, { journal, client, signal })).comparison).toEqual(found)
    const whole = await verify(vintages, { journal, client, signal })
    expect(whole).toMatchObject({ rows: COUNT + 21, behind: { records: 0, since: null } })
    expect(described('vintages', whole)).toBe('vintages: 1,021 rows, equal to the journal')
  })

  test('counts a row that is there twice as a repeat, not as a difference', async () => {
    const { journal, client } = await filled()
    await client.command({ query: 'SYSTEM STOP MERGES vintages' })
    await client.command({ query: 'INSERT INTO vintages SELECT * FROM vintages WHERE _offset = 50' })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({
      rows: COUNT,
      differences: 0,
      repeated: 1,
    })
  })

  test('finds a row that is missing, one too many and one that is changed', async () => {
    const { journal, client } = await filled()
    await client.command({
      query: 'INSERT INTO vintages SELECT * REPLACE (1 AS _index) FROM vintages WHERE _offset = 60',
    })
    await change(client, 'DELETE WHERE _offset = 7')
    await change(client, `UPDATE revises = '' WHERE _offset = 9`)
    const { differences, examples } = await verify(vintages, { journal, client, signal })
    expect(differences).toBe(3)
    expect(examples).toMatchObject([
      { offset: 7, index: 0, ours: undefined },
      { offset: 9, index: 0 },
      { offset: 60, index: 1, theirs: undefined },
    ])
    expect(examples[1]?.ours).toBe(examples[1]?.theirs?.replace('null', '""'))
  })

  test('a second comparison of the same table says so, and drops the copy of one that was killed', async () => {
    const { journal, client } = await filled()
    const left = 'vintages_0123abcd_verified'
    await client.command({ query: `CREATE TABLE ${left} ENGINE = MergeTree ORDER BY _offset AS vintages` })
    const other = await journal.claim('verify/vintages')
    const second = verify(vintages, { journal, client, signal, patienceMs: 100 })
    await expect(second).rejects.toMatchObject({ code: 'verify_running' })
    expect(await tablesOf(client)).toEqual(['vintages', left])
    await other.release()
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT, differences: 0 })
    expect(await tablesOf(client)).toEqual(['vintages'])
  })
})

describe('compareTables', () => {
  test('finds the same in slices of any size', async () => {
    const { journal, client } = await world()
    await createTable(client, vintages, 'vintages', journal)
    for (const table of ['ours', 'theirs']) {
      // An engine that leaves duplicate rows alone.
      await client.command({
        query: `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY _offset EMPTY AS SELECT * FROM vintages`,
      })
      // Every third offset is a row; some of them lie far out.
      await client.command({
        query: `INSERT INTO ${table} (series, _offset) SELECT toString(number), if(number < 20000, number * 3, number * 1e9)
          FROM numbers(20010)`,
      })
    }
    const tables = { ours: 'ours', theirs: 'theirs' }
    const range = { partition: 0, from: 0, through: 2 ** 50 }
    const compare = (sliceRows?: number) => compareTables(client, vintages, tables, [range], sliceRows)
    expect(await compare()).toEqual({ rows: 20_010, differences: 0, examples: [], repeated: 0 })
    await client.command({ query: `INSERT INTO ours (series, _offset) VALUES ('twice', 1), ('20', 60), ('twice', 4)` })
    await client.command({
      query: 'ALTER TABLE theirs DELETE WHERE _offset IN (9, 20003e9) SETTINGS mutations_sync = 1',
    })
    const found = await compare()
    expect(found).toMatchObject({ rows: 20_012, differences: 4, repeated: 1 })
    expect(found.examples.map(({ offset }) => offset)).toEqual([1, 4, 9, 20_003e9])
    for (const sliceRows of [1, 1_000, 7_777]) expect(await compare(sliceRows)).toEqual(found)
    const part = await compareTables(client, vintages, tables, [{ partition: 0, from: 2, through: 8 }])
    expect(part).toMatchObject({ rows: 3, differences: 1 })
  })
})
