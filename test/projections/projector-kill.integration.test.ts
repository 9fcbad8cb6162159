import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { verify } from '../../projections/verify.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { randomFrom } from '../support/random.ts'
import type { ProjectorChild } from './support/projector-child.ts'
import { startStoreProcess } from './support/store-process.ts'
import { append, inNewDatabase, rows, until } from './support/world.ts'

/** Number of times that each of the two processes is killed. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 3)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const child = fileURLToPath(new URL('./support/projector-child.ts', import.meta.url))

test(`every release is in the table once, whatever is killed when (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const dir = mkdtempSync(join(tmpdir(), 'almanac-kill-'))
  const journalDir = join(dir, 'journal')
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: journalDir }), localRegistry())
  let store = await startStoreProcess({ path: join(dir, 'store') })
  const port = Number(new URL(store.url).port)
  const database = 'killed'
  await inNewDatabase(store.url, database)
  const client = openClickHouse({ url: store.url, database })
  let projector = await startProjector({ journalDir, storeUrl: store.url, database })
  const kills = { projector: 0, store: 0, atWork: 0 }
  try {
    const written: Release[] = []
    const write = async (count: number) => {
      const news = Array.from({ length: count }, (_, i) => releaseNumber(written.length + i))
      await append(journal, 'releases', news)
      written.push(...news)
    }
    await write(5_000)
    const writing = new AbortController()
    const writer = (async () => {
      while (!writing.signal.aborted) {
        await write(1 + Math.floor(random() * 100))
        await sleep(10)
      }
    })()

    while (kills.projector + kills.store < 2 * KILLS) {
      const victim = kills.store === KILLS || (kills.projector < KILLS && random() < 0.5) ? 'projector' : 'store'
      await sleep(random() * 300)
      const { end } = await journal.bounds('releases', 0)
      const before = victim === 'projector' ? await watermark(client) : undefined
      if (victim === 'store') {
        expect(await store.stop('SIGKILL')).toBeNull()
        store = await startStoreProcess({ path: join(dir, 'store'), port })
      } else {
        await kill(projector)
        projector = await startProjector({ journalDir, storeUrl: store.url, database })
      }
      // It was killed while there was something to do, if the table had not got to the journal's end by then.
      if ((before ?? (await watermark(client))) < end - 1) kills.atWork++
      kills[victim]++
    }
    writing.abort()
    await writer
    const last = written.length - 1
    await until(async () => (await watermark(client)) === last)

    // Set and values, against what the writer wrote; as readers see it.
    const table = await rows<{ o: number; id: string; value: string }>(
      client,
      `SELECT _offset AS o, release_id AS id, figures['value'] AS value FROM vintages FINAL ORDER BY _offset`,
    )
    expect(table).toEqual(written.map(({ release_id, figures }, o) => ({ o, id: release_id, value: figures.value })))
    const [counts] = await rows<Counts>(
      client,
      'SELECT count() AS n, uniqExact(_offset) AS once, max(_offset) AS last FROM vintages FINAL',
    )
    expect(counts).toEqual({ n: written.length, once: written.length, last })
    // Every column, against a table made anew.
    const comparison = await verify(vintages, { journal, client, signal: AbortSignal.timeout(60_000) })
    expect(comparison).toMatchObject({ rows: written.length, differences: 0 })
    expect(kills.atWork).toBeGreaterThan(KILLS / 2)
    console.log(`${JSON.stringify(kills)}; ${written.length} rows, ${comparison.repeated} physically repeated`)
  } finally {
    await kill(projector)
    await client.close()
    await journal.close()
    await store.stop('SIGTERM')
    rmSync(dir, { recursive: true })
  }
})

type Counts = { readonly n: number; readonly once: number; readonly last: number }

async function watermark(client: ReturnType<typeof openClickHouse>): Promise<number> {
  const [table] = await rows<{ n: number; last: number }>(
    client,
    'SELECT count() AS n, max(_offset) AS last FROM vintages',
  )
  return table && table.n > 0 ? table.last : -1
}

async function startProjector(options: ProjectorChild): Promise<ChildProcess> {
  const started = spawn(node, [child, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const running = started.stdout ? once(started.stdout, 'data') : Promise.reject(new Error('no output'))
  await Promise.race([running, once(started, 'exit').then(() => Promise.reject(new Error('the projector ended')))])
  return started
}

/** Fails if it had ended by itself: it must live through whatever happens to the store. */
async function kill(projector: ChildProcess): Promise<void> {
  expect([projector.exitCode, projector.signalCode]).toEqual([null, null])
  const ended = once(projector, 'exit')
  projector.kill('SIGKILL')
  await ended
}
