import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { described } from '../../cli/commands/verify.ts'
import { HandOvers } from '../../projections/hand-over.ts'
import { createCopy, createTable, markRequest, readMark, readRequested } from '../../projections/migrate.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { verify } from '../../projections/verify.ts'
import type { View } from '../../projections/view.ts'
import { quarantine } from '../../projections/views/quarantine/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { rejectedNumber, releaseNumber } from '../support/journal-records.ts'
import { change, fill, releases, tablesOf } from './support/vintage-tables.ts'
import { append, project, rows, runProjector, until, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const DAY = 86_400_000
const COUNT = 1_000
const READ_ALL = 'SELECT toUInt32(count()) AS n, toUInt32(max(_offset)) AS last FROM vintages FINAL WHERE NOT _marker'

const TEXT_TABLE = `
CREATE TABLE IF NOT EXISTS {table:Identifier}
(text String, _partition UInt16, _offset UInt64, _index UInt16, _marker Bool)
ENGINE = ReplacingMergeTree ORDER BY (_partition, _offset, _index)`

const filled = async () => fill(await world(), COUNT)

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

  test('takes the table from a projector that writes all the while, and readers miss no row', async () => {
    const { journal, client } = await filled()
    await change(client, `UPDATE figures = map('value', '0') WHERE _offset = 5`)
    const handOvers = new HandOvers(client, { lookMs: 20 })
    const running = runProjector(vintages, { journal, client, intervalMs: 5, handOvers })
    await running.projector.caughtUp
    let done = false
    let count = COUNT
    const appending = (async () => {
      for (; !done; count++) await append(journal, 'releases', [releaseNumber(count)])
    })()
    const reading = (async () => {
      for (let before = COUNT; !done; ) {
        const [now] = await rows<{ n: number; last: number }>(client, READ_ALL)
        if (!now) throw new Error('no answer')
        expect(now.n).toBe(now.last + 1)
        expect(now.n).toBeGreaterThanOrEqual(before)
        before = now.n
      }
    })()
    const { comparison } = await rebuild(vintages, { journal, client, signal })
    expect(comparison).toMatchObject({ differences: 1, examples: [{ offset: 5 }] })
    const [after] = await rows<{ n: number }>(client, READ_ALL)
    const further = async () => ((await rows<{ n: number }>(client, READ_ALL))[0]?.n ?? 0) > (after?.n ?? 0) + 20
    await until(further)
    done = true
    await appending
    await reading
    await until(async () => (await running.projector.progress()).lag === 0)
    await running.stop()
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: count, differences: 0 })
    expect(await tablesOf(client)).toEqual(['vintages', 'vintages_replaced'])
  })

  test('names the projector that does not hand its table over, and leaves the table as it is', async () => {
    const { journal, client } = await filled()
    const running = runProjector(vintages, { journal, client })
    await running.projector.caughtUp
    const changed = { ...vintages, program: 'another' }
    const impatient = rebuild(changed, { journal, client, signal, patienceMs: 1_000 })
    await expect(impatient).rejects.toMatchObject({ code: 'projector_running' })
    const interrupted = rebuild(vintages, { journal, client, signal: AbortSignal.timeout(300) })
    await expect(interrupted).rejects.toMatchObject({ name: 'TimeoutError' })
    const patient = rebuild(vintages, { journal, client, signal })
    await running.stop()
    expect((await patient).comparison).toMatchObject({ differences: 0 })
  })

  test('exchanges nothing if another process has written while it stood still', async () => {
    // A process that was stopped goes on as if it owned its claim, until a heartbeat tells it better.
    let isStopped = false
    const made = await world((journal) => {
      const claim = journal.claim.bind(journal)
      const claimed = (name: string) =>
        Promise.resolve({
          name,
          epoch: 0,
          lost: signal,
          position: async () => undefined,
          release: async () => undefined,
        })
      return Object.assign(journal, { claim: (name: string) => (isStopped ? claimed(name) : claim(name)) })
    })
    const { journal, client } = made
    await append(journal, 'releases', releases(0, COUNT))
    const running = runProjector(vintages, { journal, client, intervalMs: 5 })
    await running.projector.caughtUp
    isStopped = true
    let isOvertaken = false
    const query = client.query.bind(client)
    const overtaking = (async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      if (params.query.includes('sipHash') && !isOvertaken) {
        isOvertaken = true
        await append(journal, 'releases', releases(COUNT, 50))
        await until(async () => (await running.projector.progress()).lag === 0)
      }
      return answer
    }) as typeof query
    const rebuilding = rebuild(vintages, { journal, client: Object.assign(client, { query: overtaking }), signal })
    await expect(rebuilding).rejects.toMatchObject({ code: 'overtaken' })
    await running.stop()
    expect(isOvertaken).toBe(true)
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT + 50, differences: 0 })
  })

  test('exchanges nothing if another rebuild has made the copy anew while it stood still', async () => {
    const { journal, client } = await filled()
    const query = client.query.bind(client)
    const overtaking = (async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      if (params.query.includes('sipHash')) await createCopy(client, vintages, 'vintages_rebuilt', journal)
      return answer
    }) as typeof query
    const rebuilding = rebuild(vintages, { journal, client: Object.assign(client, { query: overtaking }), signal })
    await expect(rebuilding).rejects.toMatchObject({ code: 'overtaken' })
    Object.assign(client, { query })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT, differences: 0 })
  })

  test('a second rebuild of the same table says so', async () => {
    const { journal, client } = await filled()
    const other = await journal.claim('rebuild/vintages')
    const second = rebuild(vintages, { journal, client, signal, patienceMs: 100 })
    await expect(second).rejects.toMatchObject({ code: 'rebuild_running' })
    await other.release()
  })

  test('a request that nobody goes on with lapses', async () => {
    const { journal, client } = await filled()
    await createTable(client, vintages, 'vintages_rebuilt', journal, 1)
    await markRequest(client, 'vintages', true)
    expect(await readRequested(client, 30)).toEqual(new Set(['vintages']))
    await until(async () => (await readRequested(client, 1)).size === 0)
    expect((await readMark(client, 'vintages_rebuilt'))?.requested).toBeGreaterThan(0)
    await markRequest(client, 'vintages', false)
    expect(await readRequested(client, 30)).toEqual(new Set())
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
        message: expect.stringContaining('run `./almanac rebuild vintages`, which makes a new table'),
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

  test('and verify leave out what the journal deletes while they read', async () => {
    let overtake: (() => Promise<void>) | undefined
    const made = await world((journal) => {
      const read = journal.read.bind(journal)
      return Object.assign(journal, {
        read: async (...asked: Parameters<typeof read>) => {
          const batch = await read(...asked)
          const deleteMore = overtake
          overtake = undefined
          await deleteMore?.()
          return batch
        },
      })
    })
    const { journal, client } = made
    for (const [from, days] of [
      [0, 200],
      [600, 190],
      [1_200, 1],
    ] as const) {
      const some = Array.from({ length: 600 }, (_, n) => rejectedNumber(from + n))
      await append(journal, 'quarantine', some, Date.now() - days * DAY)
    }
    await project(quarantine, made)
    overtake = () => journal.retain(Date.now() - 105 * DAY)
    expect(await verify(quarantine, { journal, client, signal })).toMatchObject({ rows: 1_200, differences: 0 })
    overtake = () => journal.retain(Date.now())
    const { comparison, takenOver } = await rebuild(quarantine, { journal, client, signal })
    expect(comparison).toMatchObject({ rows: 600, differences: 0 })
    expect(takenOver).toBe(1_200)
    const kept = 'SELECT toUInt32(count()) AS n, toUInt32(max(_offset)) AS last FROM quarantine FINAL WHERE NOT _marker'
    expect(await rows(client, kept)).toEqual([{ n: 1_800, last: 1_799 }])
  })

  test('gets past a gap, also where nothing newer is in the journal', async () => {
    const { journal, client } = await world()
    const some = (from: number) => Array.from({ length: 5 }, (_, n) => rejectedNumber(from + n))
    await append(journal, 'quarantine', some(0), Date.now() - 200 * DAY)
    await project(quarantine, { journal, client })
    await append(journal, 'quarantine', some(5), Date.now() - 200 * DAY)
    await journal.retain(Date.now())
    expect(await journal.bounds('quarantine', 0)).toEqual({ start: 10, end: 10 })
    const stopped = runProjector(quarantine, { journal, client })
    await expect(stopped.projector.caughtUp).rejects.toMatchObject({ code: 'journal_gap' })
    await stopped.stop().catch(() => undefined)
    expect(await rebuild(quarantine, { journal, client, signal })).toMatchObject({ takenOver: 5 })
    await append(journal, 'quarantine', some(10), Date.now())
    await project(quarantine, { journal, client })
    const details = await rows<{ detail: string }>(
      client,
      'SELECT detail FROM quarantine WHERE NOT _marker ORDER BY _offset',
    )
    expect(details.map(({ detail }) => detail)).toEqual([...some(0), ...some(10)].map(({ detail }) => detail))
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

  test('takes over none of a user’s table that was of another topic', async () => {
    const { journal, client } = await world()
    await append(journal, 'releases', releases(0, 10))
    await append(journal, 'quarantine', [0, 1, 2, 3, 4].map(rejectedNumber), Date.now() - 200 * DAY)
    await append(journal, 'quarantine', [rejectedNumber(5)], Date.now())
    await journal.retain(Date.now())
    const own = { name: 'user_own', table: TEXT_TABLE, columns: ['text'], marker: () => [''] }
    const before: View<'releases'> = {
      ...own,
      topic: 'releases',
      program: 'TEST-before',
      project: ({ value }) => [[value.series.id]],
    }
    await project(before, { journal, client })
    const after: View<'quarantine'> = {
      ...own,
      topic: 'quarantine',
      program: 'TEST-after',
      project: ({ value }) => [[value.detail]],
    }
    expect(await rebuild(after, { journal, client, signal })).toEqual({ comparison: undefined, takenOver: 0 })
    const texts = await rows<{ text: string }>(client, 'SELECT text FROM user_own FINAL WHERE NOT _marker')
    expect(texts).toEqual([{ text: rejectedNumber(5).detail }])
    const kept = await rows(client, 'SELECT text FROM user_own_replaced FINAL WHERE NOT _marker')
    expect(kept).toHaveLength(10)
    await project(after, { journal, client })
    expect(await verify(after, { journal, client, signal })).toMatchObject({ rows: 1, differences: 0 })
  })

  test('takes them over into a table with one column more, if only columns were added', async () => {
    const { journal, client } = await world()
    const some = (from: number, count: number) => Array.from({ length: count }, (_, n) => rejectedNumber(from + n))
    await append(journal, 'quarantine', some(0, 5), Date.now() - 200 * DAY)
    await append(journal, 'quarantine', some(5, 2), Date.now())
    await project(quarantine, { journal, client })
    await journal.retain(Date.now())
    const sql = readFileSync(quarantine.table as URL, 'utf8')
    const grown: View<'quarantine'> = {
      ...quarantine,
      table: sql.replace('  _partition UInt16', '  added String,\n\n  _partition UInt16'),
      columns: [...quarantine.columns, 'added'],
      marker: (at) => [...(quarantine.marker?.(at) ?? []), ''],
      project: (record) => quarantine.project(record).map((row) => [...row, 'new']),
    }
    await expect(rebuild(grown, { journal, client, signal })).rejects.toMatchObject({ code: 'journal_gap' })
    expect(await rebuild({ ...grown, addsColumns: true }, { journal, client, signal })).toMatchObject({ takenOver: 5 })
    const found = await rows<{ detail: string; added: string }>(
      client,
      'SELECT detail, added FROM quarantine WHERE NOT _marker ORDER BY _offset',
    )
    expect(found).toEqual(some(0, 7).map(({ detail }, n) => ({ detail, added: n < 5 ? '' : 'new' })))
  })
})

/** Greatest offsets that a forged row can have: one that a JavaScript number holds, and one that it doesn't. */
const FAR = ['4611686018427387904', '18446744073709551615'] as const

describe('rows that the journal does not hold', () => {
  const forge = (client: World['client'], values: string) =>
    client.command({ query: `INSERT INTO vintages (series, _partition, _offset, _marker) VALUES ${values}` })

  test.each(FAR)('a marker at %s: the projector refuses, verify names it, a rebuild mends it', async (far) => {
    const { journal, client } = await filled()
    await forge(client, `('', 0, ${far}, true)`)
    const refused = runProjector(vintages, { journal, client })
    await expect(refused.projector.caughtUp).rejects.toMatchObject({
      code: 'journal_behind',
      message: expect.stringMatching(/beyond the journal’s end.*`.\/almanac verify`.*`.\/almanac rebuild vintages`/),
    })
    await refused.stop().catch(() => undefined)
    const beyond = [{ partition: 0, end: COUNT, last: far, rows: 1 }]
    const found = await verify(vintages, { journal, client, signal })
    const behind = { records: 0, since: null }
    expect(found).toEqual({ rows: COUNT, differences: 1, examples: [], repeated: 0, behind, beyond })
    expect(described('vintages', found)).toContain(`1 row beyond the journal’s end at ${COUNT}, up to offset ${far}.`)
    expect((await rebuild(vintages, { journal, client, signal })).comparison).toEqual(found)
    await append(journal, 'releases', releases(COUNT, 10))
    await project(vintages, { journal, client })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT + 10, differences: 0 })
  })

  test('a partition that the topic does not have, and rows spread far apart', async () => {
    const { journal, client } = await filled()
    await forge(client, `('x', 7, 3, false), ('x', 0, ${2 ** 40}, false), ('x', 0, ${2 ** 50}, false)`)
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({
      rows: COUNT,
      differences: 3,
      beyond: [
        { partition: 0, end: COUNT, last: `${2 ** 50}`, rows: 2 },
        { partition: 7, end: 0, last: '3', rows: 1 },
      ],
    })
    await rebuild(vintages, { journal, client, signal })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ differences: 0, beyond: [] })
  })

  test('in the hole behind the last record: a rebuild mends it', async () => {
    const { journal, client } = await filled()
    const claim = await journal.claim('test')
    const drafts = [{ value: releaseNumber(COUNT), id: 'last', at: Date.now() }]
    // A transaction leaves a hole after its records.
    await journal.transact(claim, [journal.writeOf('releases', 0, drafts)])
    await project(vintages, { journal, client })
    await forge(client, `('x', 0, ${COUNT + 1}, false)`)
    expect((await rebuild(vintages, { journal, client, signal })).comparison).toMatchObject({ differences: 1 })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT + 1, differences: 0 })
  })

  test('what a projector adds meanwhile is not taken for them', async () => {
    const { journal, client } = await filled()
    const running = runProjector(vintages, { journal, client, intervalMs: 10 })
    await running.projector.caughtUp
    await forge(client, `('', 0, ${2 ** 62}, true)`)
    const checking = verify(vintages, { journal, client, signal })
    for (let n = COUNT; n < COUNT + 50; n++) await append(journal, 'releases', [releaseNumber(n)])
    expect(await checking).toMatchObject({ differences: 1, examples: [], beyond: [{ partition: 0, rows: 1 }] })
    await running.stop()
  })

  test('in the middle, and rows that are gone there: a rebuild mends both', async () => {
    const { journal, client } = await filled()
    await client.command({
      query: 'INSERT INTO vintages SELECT * REPLACE (2 AS _index) FROM vintages WHERE _offset BETWEEN 100 AND 104',
    })
    await change(client, 'DELETE WHERE _offset BETWEEN 500 AND 507')
    const { comparison } = await rebuild(vintages, { journal, client, signal })
    expect(comparison).toMatchObject({ rows: COUNT + 5, differences: 13 })
    expect(await verify(vintages, { journal, client, signal })).toMatchObject({ rows: COUNT, differences: 0 })
  })
})
