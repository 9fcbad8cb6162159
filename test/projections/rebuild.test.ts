import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readMark } from '../../projections/migrate.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { verify } from '../../projections/verify.ts'
import { quarantine } from '../../projections/views/quarantine/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { rejectedNumber, releaseNumber } from '../support/journal-records.ts'
import { append, project, rows, runProjector, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const signal = AbortSignal.timeout(120_000)
const DAY = 86_400_000
const COUNT = 1_000

const releases = (from: number, count: number) => Array.from({ length: count }, (_, i) => releaseNumber(from + i))
const change = (client: World['client'], what: string) =>
  client.command({ query: `ALTER TABLE vintages ${what} SETTINGS mutations_sync = 1` })
const tablesOf = async (client: World['client']) =>
  (await rows<{ name: string }>(client, 'SHOW TABLES')).map(({ name }) => name).sort()

async function filled(): Promise<World> {
  const made = await world()
  await append(made.journal, 'releases', releases(0, COUNT))
  await project(vintages, made)
  return made
}

describe('verify', () => {
  test('finds the table alike while a projector adds to it', async () => {
    const { journal, client } = await filled()
    const running = runProjector(vintages, { journal, client, intervalMs: 10 })
    const checking = verify(vintages, { journal, client, signal })
    for (let n = COUNT; n < COUNT + 50; n++) await append(journal, 'releases', [releaseNumber(n)])
    const { rows: compared, ...found } = await checking
    expect(found).toEqual({ differences: 0, examples: [], beyond: [], repeated: 0 })
    expect(compared).toBeGreaterThanOrEqual(COUNT)
    await running.stop()
    expect(await tablesOf(client)).toEqual(['vintages'])
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
})

describe('rebuild', () => {
  test('equals the live table row for row, and the projector goes on behind it', async () => {
    const { journal, client } = await filled()
    const { comparison, takenOver } = await rebuild(vintages, { journal, client, signal })
    expect(comparison).toMatchObject({ rows: COUNT, differences: 0 })
    expect(takenOver).toBe(0)
    expect(await tablesOf(client)).toEqual(['vintages'])
    await append(journal, 'releases', releases(COUNT, 10))
    await project(vintages, { journal, client })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT + 10, differences: 0 })
  })

  test('puts right what was wrong, keeps the old table to look at, and readers never miss the table', async () => {
    const { journal, client } = await filled()
    await change(client, `UPDATE figures = map('value', '0') WHERE _offset = 5`)
    let reads = 0
    let done = false
    const reading = (async () => {
      while (!done) {
        const [table] = await rows<{ n: number }>(client, 'SELECT count() AS n FROM vintages')
        expect(table?.n).toBe(COUNT)
        reads++
      }
    })()
    const { comparison } = await rebuild(vintages, { journal, client, signal })
    done = true
    await reading
    expect(comparison).toMatchObject({ rows: COUNT, differences: 1, examples: [{ offset: 5 }] })
    expect(reads).toBeGreaterThan(3)
    expect(await tablesOf(client)).toEqual(['vintages', 'vintages_replaced'])
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ differences: 0 })
  })

  test('waits until no projector runs', async () => {
    const { journal, client } = await filled()
    const running = runProjector(vintages, { journal, client })
    await running.projector.caughtUp
    const impatient = rebuild(vintages, { journal, client, signal: AbortSignal.timeout(300) })
    await expect(impatient).rejects.toMatchObject({ name: 'TimeoutError' })
    const patient = rebuild(vintages, { journal, client, signal })
    await running.stop()
    expect((await patient).comparison).toMatchObject({ differences: 0 })
  })

  test('makes the table anew where its SQL has changed', async () => {
    const { journal, client } = await filled()
    const dir = mkdtempSync(join(tmpdir(), 'almanac-view-'))
    try {
      const file = join(dir, 'table.sql')
      const sql = readFileSync(vintages.table, 'utf8')
      writeFileSync(file, sql.replace('location String', 'location LowCardinality(String)'))
      const changed = { ...vintages, table: pathToFileURL(file) }
      const refused = runProjector(changed, { journal, client })
      await expect(refused.projector.caughtUp).rejects.toMatchObject({
        code: 'table_mismatch',
        message: expect.stringContaining('`almanac rebuild vintages` makes it anew'),
      })
      const before = await readMark(client, 'vintages')
      expect(await rebuild(changed, { journal, client, signal })).toEqual({ comparison: undefined, takenOver: 0 })
      expect((await readMark(client, 'vintages'))?.schema).not.toBe(before?.schema)
      await project(changed, { journal, client })
      expect(await verify(changed, { journal, client, signal })).toMatchObject({ rows: COUNT, differences: 0 })
      // A comment makes no other table.
      writeFileSync(file, `-- a remark\n${sql}`)
      expect(await rebuild(changed, { journal, client, signal })).toMatchObject({ comparison: undefined })
      await project(vintages, { journal, client })
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  test('makes the table where there is none', async () => {
    const { journal, client } = await world()
    await append(journal, 'releases', releases(0, 10))
    expect(await rebuild(vintages, { journal, client, signal })).toEqual({ comparison: undefined, takenOver: 0 })
    expect(await tablesOf(client)).toEqual(['vintages'])
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: 10, differences: 0 })
  })

  test('takes over the rows that the journal has deleted', async () => {
    const { journal, client } = await world()
    const old = Array.from({ length: 5 }, (_, n) => rejectedNumber(n))
    await append(journal, 'quarantine', old, Date.now() - 200 * DAY)
    await append(journal, 'quarantine', [rejectedNumber(5), rejectedNumber(6)], Date.now())
    await project(quarantine, { journal, client })
    await journal.retain(Date.now())
    const { comparison, takenOver } = await rebuild(quarantine, { journal, client, signal })
    expect(takenOver).toBe(5)
    expect(comparison).toMatchObject({ rows: 2, differences: 0 })
    const details = await rows<{ detail: string }>(client, 'SELECT detail FROM quarantine ORDER BY _offset')
    expect(details.map(({ detail }) => detail)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `value ${n}`))
  })
})
