/** What the store promises about its end: killed at any moment, asked to stop, opened twice. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, describe, expect, it } from 'vitest'
import { asFailure, type ClickHouseFailure, openClickHouse, waitForClickHouse } from '../../projections/clickhouse.ts'
import { insertBlock } from './support/insert-block.ts'
import { type StoreProcess, startStoreProcess } from './support/store-process.ts'

const home = mkdtempSync(join(tmpdir(), 'almanac-store-kill-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** How often the store is killed; a soak sets more. */
const kills = Number(process.env.ALMANAC_TEST_KILLS ?? 4)
const rowsInBlock = 20_000
const tables = ['first', 'second'] as const

const patience = () => AbortSignal.timeout(15_000)
const rowsOf = async (client: ClickHouseClient, query: string) =>
  (await client.query({ query, format: 'JSONCompactEachRow' })).json<[string, string, string]>()
const block = (number: number) =>
  Array.from({ length: rowsInBlock }, (_, row) => [number, row, `row ${row} of ${number}`])

/** A small generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

interface Round {
  /** Highest block acknowledged, by table. */
  readonly acknowledged: Map<string, number>
  /** What the writers of this round ended with. */
  readonly failures: ClickHouseFailure[]
}

/** Two writers, one a table, insert block after block from `next` on until the store is killed under them. */
async function writeUntilKilled(
  client: ClickHouseClient,
  next: ReadonlyMap<string, number>,
  kill: () => Promise<unknown>,
): Promise<Round> {
  const acknowledged = new Map<string, number>()
  const failures: ClickHouseFailure[] = []
  const write = async (table: string) => {
    try {
      for (let number = next.get(table) ?? 1; ; number += 1) {
        await insertBlock(client, table, ['block', 'row', 'text'], block(number), `${table} ${number}`)
        acknowledged.set(table, number)
      }
    } catch (error) {
      failures.push(asFailure(error))
    }
  }
  await Promise.all([...tables.map(write), kill()])
  return { acknowledged, failures }
}

/** Parts that are being written: the engine renames them into place when they are whole. */
const unfinished = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('tmp_insert_'))

/** Kills the process in the very turn in which the engine is seen writing a part there. */
async function killWhileWriting({ pid, stop }: StoreProcess, directory: string): Promise<void> {
  while (unfinished(directory).length === 0) await setImmediate()
  process.kill(pid, 'SIGKILL')
  await stop('SIGKILL')
}

describe('kill -9 in the middle of inserts', () => {
  it(
    'keeps every acknowledged block and never a part of one, and opens again at once',
    async () => {
      const path = join(home, 'killed')
      const random = seeded(20_260_203)
      const next = new Map<string, number>()
      const reopened: number[] = []
      const seen = { torn: 0, lost: 0, kept: 0 }
      for (let round = 0; round <= kills; round += 1) {
        const started = performance.now()
        const store = await startStoreProcess({ path })
        const client = openClickHouse({ url: store.url })
        await waitForClickHouse(client, patience())
        reopened.push(Math.round(performance.now() - started))
        const directories: string[] = []
        for (const table of tables) {
          await client.command({
            query: `CREATE TABLE IF NOT EXISTS ${table} (block UInt64, row UInt64, text String)
              ENGINE = ReplacingMergeTree ORDER BY (block, row)`,
          })
          const counts = `SELECT block, count(), uniqExact(row) FROM ${table} GROUP BY block ORDER BY block`
          const blocks = await rowsOf(client, counts)
          // Whole blocks, each once, without a gap: numbered from 1, as they were written.
          expect(blocks).toEqual(blocks.map((_, index) => [`${index + 1}`, `${rowsInBlock}`, `${rowsInBlock}`]))
          const expected = next.get(table) ?? 1
          expect(blocks.length).toBeGreaterThanOrEqual(expected - 1)
          if (round > 0) seen[blocks.length < expected ? 'lost' : 'kept'] += 1
          next.set(table, blocks.length + 1)
          const [found] = await rowsOf(client, `SELECT data_paths[1] FROM system.tables WHERE name = '${table}'`)
          directories.push(`${found?.[0]}`)
        }
        if (round === kills) await store.stop('SIGTERM')
        else {
          const kill = async () => {
            if (round % 2 === 1) return killWhileWriting(store, directories[round % 4 === 1 ? 0 : 1] ?? '')
            await sleep(100 + random() * 200)
            await store.stop('SIGKILL')
          }
          const { acknowledged, failures } = await writeUntilKilled(client, next, kill)
          expect(failures.map(({ kind }) => kind)).not.toContain('rejected')
          expect(failures.map(({ kind }) => kind)).toContain('outcome_unknown')
          for (const [table, number] of acknowledged) next.set(table, number + 1)
          seen.torn += directories.flatMap(unfinished).length
        }
        await client.close()
      }
      // The kills did hit: parts half written, and requests whose block is not there.
      expect(seen.torn).toBeGreaterThan(0)
      expect(seen.lost).toBeGreaterThan(0)
      console.info(`${kills} kills, ${Math.min(...reopened)} to ${Math.max(...reopened)} ms to the first answer`, seen)
    },
    20_000 + kills * 3_000,
  )

  it('leaves a spooled file that the next start removes, and unreachable means unavailable', async () => {
    const path = join(home, 'spooled')
    const store = await startStoreProcess({ path })
    const client = openClickHouse({ url: store.url })
    await client.command({ query: 'CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a' })
    await store.stop('SIGKILL')
    writeFileSync(join(path, 'spool', 'left over'), 'x')
    const insert = () => insertBlock(client, 't', ['a'], [[1]], 'a')
    await eventually(
      async () => (await insert().catch(asFailure)) as ClickHouseFailure,
      ({ kind }) => kind === 'unavailable',
    )
    const started = waitForClickHouse(client, patience()) // before there is anything to wait for
    const again = await startStoreProcess({ path, port: Number(new URL(store.url).port) })
    await started
    await insert()
    expect(readdirSync(join(path, 'spool'))).toEqual([])
    await client.close()
    expect(await again.stop('SIGTERM')).toBe(0)
  })
})

/** Repeats `ask` until its result passes: pooled connections first have to notice that they are dead. */
async function eventually<T>(ask: () => Promise<T>, passes: (result: T) => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !passes(await ask()); await sleep(10)) {
    if (Date.now() > deadline) throw new Error('it did not come to pass')
  }
}

describe('a directory', () => {
  it('is opened by one process; a second is told which, and does no harm', async () => {
    const path = join(home, 'twice')
    const store = await startStoreProcess({ path })
    const client = openClickHouse({ url: store.url })
    await client.command({ query: 'CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a' })
    await expect(startStoreProcess({ path })).rejects.toThrow(`in use by process ${store.pid}`)
    await insertBlock(client, 't', ['a'], [[1]], 'a')
    expect(await rowsOf(client, 'SELECT toInt8(count()) FROM t')).toEqual([[1]])
    await client.close()
    expect(await store.stop('SIGTERM')).toBe(0)
    await (await startStoreProcess({ path })).stop('SIGTERM')
  })

  it('must have a path that the engine doesn’t take for a pattern', async () => {
    await expect(startStoreProcess({ path: join(home, 'a{b}') })).rejects.toThrow('must not contain')
  })
})

describe('closing', () => {
  it('lets running queries finish, refuses new ones, and ends with 0', async () => {
    const store = await startStoreProcess({ path: join(home, 'closing') })
    const client = openClickHouse({ url: store.url })
    const query = 'SELECT sum(sleepEachRow(0.5)) AS slept FROM numbers(2) FORMAT JSONEachRow'
    const running = fetch(store.url, { method: 'POST', body: query }).then((reply) => reply.text())
    await untilRunning(client, 'slept')
    const stopped = store.stop('SIGTERM')
    await eventually(
      async () => (await client.ping()).success,
      (alive) => !alive,
    )
    await expect(fetch(`${store.url}/ping`)).rejects.toThrow()
    expect(await running).toBe('{"slept":0}\n')
    expect(await stopped).toBe(0)
    await client.close()
  })

  it('kills what does not finish in time, and ends within seconds', async () => {
    const store = await startStoreProcess({ path: join(home, 'stubborn'), graceMs: 300, runningQueries: 2 })
    const client = openClickHouse({ url: store.url })
    const forever = "SELECT count() FROM numbers(1000000000000) WHERE 'forever' != ''"
    const queries = [forever, `SELECT * FROM (${forever})`, 'SELECT 1'].map((query) =>
      client.query({ query, format: 'JSONEachRow' }).then(
        () => undefined,
        (error: unknown) => asFailure(error),
      ),
    )
    // Both slots are taken once a query is not answered, because to look is to wait as well.
    const look = () => fetch(store.url, { method: 'POST', body: 'SELECT 1', signal: AbortSignal.timeout(2_000) })
    await eventually(
      () =>
        look().then(
          () => true,
          () => false,
        ),
      (answered) => !answered,
    )
    const started = performance.now()
    expect(await store.stop('SIGTERM')).toBe(0)
    expect(performance.now() - started).toBeLessThan(20_000)
    const failures = await Promise.all(queries)
    expect(failures.map((failure) => failure?.code)).toEqual(['394', '394', '236'])
    expect(failures.map((failure) => failure?.kind)).toEqual(['outcome_unknown', 'outcome_unknown', 'unavailable'])
    await client.close()
  })
})

async function untilRunning(client: ClickHouseClient, mark: string): Promise<void> {
  const query = `SELECT toInt8(count()) FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%processes%'`
  await eventually(
    () => rowsOf(client, query),
    (rows) => Number(rows[0]?.[0]) > 0,
  )
}
