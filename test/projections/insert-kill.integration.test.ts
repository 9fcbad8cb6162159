/**
 * The store is killed at chosen moments inside an INSERT: of a projector's block, and of a roll of the candles. What counts
 * is what is in the tables once both have gone on by themselves.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { verifyCandles } from '../../projections/candle-copy.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { markOf } from '../../projections/migrate.ts'
import { runStatement } from '../../projections/table.ts'
import { verify } from '../../projections/verify.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { killAt, type Moment } from './support/kill-at.ts'
import { type StoreProcess, startStoreProcess } from './support/store-process.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { inNewDatabase, rows, runProjector, until } from './support/world.ts'

const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 3)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const RENAMES = 'rename,renameat,renameat2'
const DATABASE = 'killed'
const SYMBOL = 'XAU-USD'
const NO_MERGES = 'max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1'
/** Recent, since ticks are kept for two months only; the start of a minute. */
const START = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000
/** Between two ticks: every third begins a minute. */
const STEP_MS = 20_000

let dir = ''
let journal: TypedJournal
let store: StoreProcess
let client: ClickHouseClient
let retries: string[] = []
let written: Tick[] = []
let stop = async (): Promise<void> => undefined

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-insert-kill-'))
  journal = await TypedJournal.open(await openEmbeddedJournal({ dir: join(dir, 'journal') }), localRegistry())
  store = await startStoreProcess({ path: join(dir, 'store') })
  await inNewDatabase(store.url, DATABASE)
  client = openClickHouse({ url: store.url, database: DATABASE })
  // Without merges a row that was written twice stays there twice.
  const sql = `${readFileSync(ticks.table, 'utf8').trimEnd()}, ${NO_MERGES}`
  const mark = JSON.stringify(await markOf(ticks, journal))
  await runStatement(client, `${sql} COMMENT '${mark}'`, { table: ticks.name })
  retries = []
  written = []
})

afterEach(async () => {
  await stop()
  await client.close()
  await journal.close()
  await store.stop('SIGKILL')
  rmSync(dir, { recursive: true })
})

/** A projector of the ticks and a roller of the candles, at work. */
function work() {
  const onRetry = (error: unknown) => retries.push(error instanceof Error ? error.name : String(error))
  const projecting = runProjector(ticks, { journal, client, intervalMs: 10, onRetry })
  const stopRolling = new AbortController()
  const roller = new CandleRoller({ journal, client, intervalMs: 20, onRetry })
  const rolling = roller.run(stopRolling.signal)
  rolling.catch(() => undefined)
  stop = async () => {
    stopRolling.abort()
    await Promise.all([projecting.stop(), rolling])
  }
  // A killed store refuses the question, too, before the trap has said that it struck.
  const hasNoLag = (progress: Promise<{ readonly lag: number }>) =>
    progress.then(
      ({ lag }) => lag === 0,
      () => false,
    )
  const isProjected = () => hasNoLag(projecting.projector.progress())
  const isDone = async () => (await isProjected()) && (await hasNoLag(roller.progress()))
  return { isProjected, isDone }
}

async function write(count: number): Promise<void> {
  const news = Array.from({ length: count }, (_, i) => {
    const n = written.length + i
    return tick(SYMBOL, `${1_000 + ((n * 37) % 9_000)}`, START + n * STEP_MS)
  })
  await appendTicks(journal, news)
  written.push(...news)
}

async function restart(): Promise<void> {
  await store.stop('SIGKILL')
  store = await startStoreProcess({ path: join(dir, 'store'), port: Number(new URL(store.url).port) })
}

/** Compares the table with what was written. A row that is there twice is a difference. */
async function expectTicks(): Promise<void> {
  const inTable = await rows(client, 'SELECT _offset AS offset, price FROM ticks WHERE NOT _marker ORDER BY _offset')
  expect(inTable).toEqual(written.map(({ price }, offset) => ({ offset, price })))
}

async function expectCandles(): Promise<void> {
  const minutes = Map.groupBy(written, ({ observed_at }) => Math.floor(Date.parse(observed_at) / 60_000))
  const made = await rows(
    client,
    `SELECT toUnixTimestamp64Milli(minute) / 60000 AS minute, open, high, low, close, toUInt32(ticks) AS ticks
     FROM candles FINAL WHERE symbol != '' ORDER BY minute`,
  )
  const candleOf = ([minute, of]: [number, Tick[]]) => {
    const prices = of.map(({ price }) => Number(price))
    const [open, close] = [prices.at(0), prices.at(-1)]
    const all = { open, high: Math.max(...prices), low: Math.min(...prices), close }
    return { minute, ...Object.fromEntries(Object.entries(all).map(([name, n]) => [name, `${n}`])), ticks: of.length }
  }
  expect(made).toEqual([...minutes].map(candleOf))
}

/** The same by the means that users have. */
async function expectVerified(): Promise<void> {
  const options = { journal, client, signal: AbortSignal.timeout(60_000) }
  const found = await verify(ticks, options)
  expect(found).toMatchObject({ rows: written.length, differences: 0, repeated: 0 })
  expect(await verifyCandles(options)).toMatchObject({ differences: 0 })
}

describe('the store is killed while a part is renamed into place', () => {
  // The engine has noted the block's token by then: it drops the retry and says that all is well.
  test('a block: the next one is not written behind a hole', async () => {
    const { isProjected, isDone } = work()
    await write(3)
    await until(isDone)
    const trap = await killAt(store.pid, { calls: RENAMES, nth: 1 })
    await write(3)
    expect(await trap.struck).toMatch(/^rename.*tmp_insert_/)
    await restart()
    await until(isProjected)
    await write(3)
    await until(isProjected)
    await expectTicks()
    expect(retries).toContain('SpentToken')
    await until(isDone)
    await expectCandles()
    await expectVerified()
  })
})

test.each(['ENOSPC', 'EIO'])('the rename fails with %s: the projector waits, and loses nothing', async (error) => {
  const { isProjected } = work()
  await write(3)
  await until(isProjected)
  const trap = await killAt(store.pid, { calls: RENAMES, nth: 1, error })
  await write(3)
  await until(() => retries.length > 0)
  await trap.remove()
  await until(isProjected)
  await write(3)
  await until(isProjected)
  await expectTicks()
})

describe('the store is killed at any moment inside an insert', () => {
  const moments = (logs: string): readonly (Omit<Moment, 'nth'> & { readonly most: number })[] => [
    { calls: RENAMES, most: 2 },
    { calls: 'fsync,fdatasync', most: 2 },
    { calls: 'write', path: logs, most: 1 },
    { calls: 'write,pwrite64', most: 20 },
    { calls: 'openat', most: 25 },
    { calls: 'unlink,unlinkat,rmdir', most: 1 },
    { calls: 'mkdir,mkdirat', most: 2 },
  ]

  test(`${KILLS} times: every tick is there once, and in its candle (seed ${SEED})`, async () => {
    const random = randomFrom(SEED)
    const below = (limit: number) => Math.floor(random() * limit)
    const [table] = await rows<{ path: string }>(
      client,
      `SELECT data_paths[1] AS path FROM system.tables WHERE database = currentDatabase() AND name = 'ticks'`,
    )
    const drawn = moments(join(table?.path ?? '', 'deduplication_logs', 'deduplication_log_1.txt'))
    const { isDone } = work()
    const hits = new Map<string, number>()
    let missed = 0
    for (let kills = 0; kills < KILLS; ) {
      await until(isDone)
      const { most, ...moment } = drawn[below(drawn.length)] ?? { calls: RENAMES, most: 1 }
      const trap = await killAt(store.pid, { ...moment, nth: 1 + below(most) })
      const struck = trap.struck.then((call) => ({ call }))
      await write(1 + below(6))
      const gone = new AbortController()
      const passed = until(async () => gone.signal.aborted || (await isDone())).then(() => ({ call: undefined }))
      const { call } = await Promise.race([struck, passed])
      gone.abort()
      if (call === undefined) {
        await trap.remove()
        missed++
        continue
      }
      kills++
      const name = hitName(call)
      hits.set(name, (hits.get(name) ?? 0) + 1)
      await restart()
      await until(isDone)
      await expectTicks()
      await expectCandles()
    }
    await expectVerified()
    const spent = retries.filter((name) => name === 'SpentToken').length
    console.info(`${KILLS} kills, ${missed} passed by; ${written.length} ticks; ${spent} spent tokens;`, sorted(hits))
  })
})

/** Subject of a system call, such as `openat, part being written`. */
function hitName(call: string): string {
  const places = [
    ['deduplication_log', 'deduplication log'],
    ['tmp_insert_', 'part being written'],
    ['/spool/', 'rows on their way'],
    ['delete_tmp_', 'part being deleted'],
    ['/store/', 'table'],
  ] as const
  const place = places.find(([mark]) => call.includes(mark))?.[1] ?? 'elsewhere'
  return `${call.slice(0, call.indexOf('('))}, ${place}`
}

const sorted = (hits: ReadonlyMap<string, number>) => Object.fromEntries([...hits].toSorted(([, a], [, b]) => b - a))
