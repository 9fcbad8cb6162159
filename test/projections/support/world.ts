import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll } from 'vitest'
import type { RecordOf, Retention, Topic } from '../../../contracts/topics.ts'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import type { Journal } from '../../../journal/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { openClickHouse } from '../../../projections/clickhouse.ts'
import { type FillerOptions, Projector } from '../../../projections/projector.ts'
import { clickHouseReadModel } from '../../../projections/read-model.ts'
import { runStatement } from '../../../projections/table.ts'
import type { View } from '../../../projections/view.ts'
import { UNTIL_MS } from '../../support/patience.ts'
import { sharedServer } from '../../support/shared-servers.ts'

/** A real journal and a database of a real store, both empty and nobody else's. */
export type World = {
  readonly journal: TypedJournal
  readonly client: ClickHouseClient
  readonly journalDir: string
  readonly storeUrl: string
  readonly database: string
}

/** Each call of the answer makes a world for a test of the file, in the store of the run. Worlds go with the file. */
export function useWorlds(): (wrap?: (journal: Journal) => Journal, retention?: Retention) => Promise<World> {
  let dir = ''
  let storeUrl = ''
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'almanac-projections-'))
    storeUrl = (await sharedServer('store')).url
  })
  afterAll(async () => {
    for (const close of closers) await close()
    rmSync(dir, { recursive: true })
  })

  return async (wrap = (journal) => journal, retention = {}) => {
    const database = `world_${randomUUID().replaceAll('-', '')}`
    const journalDir = join(dir, database)
    await inNewDatabase(storeUrl, database)
    const client = openClickHouse({ url: storeUrl, database, timeoutMs: UNTIL_MS })
    const bytes = wrap(await openEmbeddedJournal({ dir: journalDir }))
    const journal = await TypedJournal.open(bytes, localRegistry(), 'almanac.', retention)
    closers.push(async () => {
      await journal.close()
      await client.command({ query: 'DROP DATABASE {database:Identifier}', query_params: { database } })
      await client.close()
    })
    return { journal, client, journalDir, storeUrl, database }
  }
}

export async function inNewDatabase(storeUrl: string, database: string): Promise<void> {
  const client = openClickHouse({ url: storeUrl })
  await runStatement(client, 'CREATE DATABASE IF NOT EXISTS {database:Identifier}', { database })
  await client.close()
}

const AT = Date.UTC(2026, 0, 15)

/** Appends records with ids that say their number; answers the offset of the first. */
export async function append<T extends Topic>(
  journal: TypedJournal,
  topic: T,
  records: readonly RecordOf<T>[],
  at = AT,
): Promise<number> {
  const drafts = records.map((value, i) => ({ value, id: `${topic}-${i}`, at }))
  return (await journal.append(topic, 0, drafts)).firstOffset
}

type ProjectionOptions = FillerOptions & Pick<World, 'client'>

/** A projector at work. `stop` waits for its end and throws what it threw. */
export type Running = { readonly projector: Projector<Topic>; stop(): Promise<void> }

export function runProjector<T extends Topic>(view: View<T>, { client, ...options }: ProjectionOptions): Running {
  const stopping = new AbortController()
  const projector = new Projector(view, { ...options, readModel: clickHouseReadModel(client) })
  const running = projector.run(stopping.signal)
  running.catch(() => undefined)
  return {
    projector: projector as unknown as Projector<Topic>,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

/** Projects all that is there, once. */
export async function project<T extends Topic>(view: View<T>, world: Pick<World, 'journal' | 'client'>): Promise<void> {
  const { projector, stop } = runProjector(view, world)
  await projector.caughtUp
  await stop()
}

/** Resolves when `look` answers true; the test's own timeout is the limit. */
export async function until(look: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 10))
}

export async function rows<R>(client: ClickHouseClient, query: string): Promise<R[]> {
  const settings = { output_format_json_quote_64bit_integers: 0 } as const
  return (await client.query({ query, format: 'JSONEachRow', clickhouse_settings: settings })).json<R>()
}
