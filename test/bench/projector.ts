/**
 * How fast the journal gets into ClickHouse, beside the ceiling: the same rows, made beforehand, inserted block by block
 * with nothing else to do. Both against one store process, in one run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partitionsOf, type RecordOf, type Topic, topics } from '../../contracts/topics.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { BlockBuilder } from '../../projections/block.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { createTable } from '../../projections/migrate.ts'
import { Projector } from '../../projections/projector.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { dropTable } from '../../projections/table.ts'
import { columnsOf, type Row, type View } from '../../projections/view.ts'
import { events } from '../../projections/views/events/project.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { insertBlock } from '../projections/support/insert-block.ts'
import { startStoreProcess } from '../projections/support/store-process.ts'
import { tick } from '../projections/support/ticks.ts'
import { inNewDatabase } from '../projections/support/world.ts'
import { eventNumber, releaseNumber } from '../support/journal-records.ts'
import { type Cost, costOf, type Measure, throughput } from './measure.ts'

const RECORDS = Number(process.env.ALMANAC_BENCH_RECORDS ?? 100_000)
const ROUNDS = 5
/** Now, since ticks that are older than their TTL are dropped. */
const APPENDED_AT = Date.now()

const tickNumber = (n: number) => tick(`S${n % 48}-USD`, `${4_000 + (n % 97)}.${100 + (n % 900)}`, APPENDED_AT + n)

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-projector-'))
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: join(dir, 'journal') }), localRegistry())
  const store = await startStoreProcess({ path: join(dir, 'store') })
  const client = openClickHouse({ url: store.url, database: 'bench' })
  try {
    await inNewDatabase(store.url, 'bench')
    await fill(journal, 'releases', releaseNumber)
    await fill(journal, 'events', eventNumber)
    await fill(journal, 'ticks', tickNumber)
    return [
      await compare(journal, client, vintages),
      await compare(journal, client, events),
      await compare(journal, client, ticks),
    ]
  } finally {
    await client.close()
    await journal.close()
    await store.stop('SIGTERM')
    rmSync(dir, { recursive: true })
  }
}

type Client = ReturnType<typeof openClickHouse>
type Rows = readonly Row[]

/** Alternates the two, so that both see the machine in the same moods; the medians are compared. */
async function compare<T extends Topic>(journal: TypedJournal, client: Client, view: View<T>): Promise<Measure> {
  const blocks = await rowsOf(journal, view)
  const rows = blocks.reduce((sum, block) => sum + block.length, 0)
  const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.bare.push(await insertBare(client, view, journal, blocks))
    costs.ours.push(await project(client, view, journal))
  }
  const row = { name: `projection of ${view.topic}`, unit: 'records/s', goal: 0.8 }
  return throughput(row, rows, costs.ours, costs.bare)
}

async function insertBare(client: Client, view: View, journal: TypedJournal, blocks: readonly Rows[]): Promise<Cost> {
  const table = `${view.name}_bare`
  await createTable(client, view, table, journal)
  const columns = columnsOf(view) as [string, ...string[]]
  const taken = await costOf(async () => {
    for (const [number, rows] of blocks.entries()) await insertBlock(client, table, columns, rows, `${number}`)
  })
  // At once, or its merges would run in the other's time.
  await dropTable(client, table)
  return taken
}

async function project<T extends Topic>(client: Client, view: View<T>, journal: TypedJournal): Promise<Cost> {
  await createTable(client, view, view.name, journal)
  const stop = new AbortController()
  const projector = new Projector(view, { journal, readModel: clickHouseReadModel(client) })
  let running: Promise<void> | undefined
  const taken = await costOf(async () => {
    running = projector.run(stop.signal)
    await projector.caughtUp
  })
  stop.abort()
  await running
  await dropTable(client, view.name)
  return taken
}

/** The rows, in blocks that are cut where the projector cuts when it never has to wait for records. */
async function rowsOf<T extends Topic>(journal: TypedJournal, view: View<T>): Promise<Rows[]> {
  const blocks: Rows[] = []
  for (const partition of partitionsOf(view.topic)) {
    const builder = new BlockBuilder(view, partition, -1, journal.retentionMs(view.topic) !== null, Date.now())
    const cut = () => {
      const text = Buffer.concat(builder.take().body).toString().trimEnd()
      blocks.push(text.split('\n').map((line) => JSON.parse(line) as Row))
    }
    for await (const batch of journal.readToEnd(view.topic, partition)) {
      builder.add(batch)
      if (builder.isFull) cut()
    }
    if (!builder.isEmpty) cut()
  }
  return blocks
}

/** Spread evenly over the topic's partitions. */
async function fill<T extends Topic>(
  journal: TypedJournal,
  topic: T,
  record: (n: number) => RecordOf<T>,
): Promise<void> {
  const { partitions } = topics[topic]
  for (let from = 0; from < RECORDS; from += 1_000 * partitions) {
    for (let partition = 0; partition < partitions; partition++) {
      const numbers = Array.from({ length: 1_000 }, (_, i) => from + i * partitions + partition)
      const drafts = numbers
        .filter((n) => n < RECORDS)
        .map((n) => ({ value: record(n), id: `${topic}-${n}`, at: APPENDED_AT }))
      await journal.append(topic, partition, drafts)
    }
  }
}
