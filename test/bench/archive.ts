/**
 * The archive beside a bare read of the journal and a write of the same columns, which are ready, by the Parquet library: ticks of
 * one partition, archived, verified and read back.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { Archive } from '../../archive/archive.ts'
import { Archiver } from '../../archive/archiver.ts'
import { tableColumns } from '../../archive/columns.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { parquetSchemaOf } from '../../archive/parquet-schema.ts'
import { readArchive } from '../../archive/read.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { type Cost, costOf, type Measure, throughput } from './measure.ts'

const BATCH = 1_000
/** Rows of a row group of the archive. */
const GROUP = 5_000
/** Number of ticks; `ALMANAC_BENCH_RECORDS=10000000` takes some minutes. */
const RECORDS = Number(process.env.ALMANAC_BENCH_RECORDS ?? 300_000)
/** Longest turn of the event loop for which requests may wait while the archive is written, ms. */
const LONGEST_TURN_MS = 50
const START = Date.UTC(2026, 0, 1)

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const journal = await TypedJournal.open(
    await openEmbeddedJournal({ dir: join(directory, 'journal') }),
    localRegistry(),
  )
  try {
    for (let n = 0; n < RECORDS; n += BATCH) await journal.append('ticks', 0, drafts(n))
    const store = new DirectoryStore(join(directory, 'archive'))
    const groups = await rowGroups(journal)
    const bareRead = await costOf(() => readJournal(journal))
    const bareWrite = await costOf(() => writeParquet(groups))
    const before = process.memoryUsage().rss
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const archived = await costOf(() => archiveAll(journal, store))
    delay.disable()
    const memory = (process.memoryUsage().rss - before) / 2 ** 20
    const archive = await Archive.open(store)
    const verified = await costOf(() => verifyArchive(archive, (fault) => Promise.reject(fault)))
    const read = await costOf(() => readBack(archive))
    const row = (name: string, ours: Cost, ceiling: Cost, goal?: number) =>
      throughput({ name, unit: 'records/s', ...(goal !== undefined && { goal }) }, RECORDS, [ours], [ceiling])
    return [
      row('archive, beside a bare read of the journal', archived, bareRead),
      row('archive, beside a bare write of Parquet', archived, bareWrite, 0.7),
      row('verify, beside a bare read of the journal', verified, bareRead),
      row('read the archive, beside the journal', read, bareRead),
      {
        name: 'p99.9 of the event loop’s delay',
        ours: delay.percentile(99.9) / 1e6,
        ceiling: LONGEST_TURN_MS,
        unit: 'ms',
        goal: 1,
      },
      { name: 'the longest delay', ours: delay.max / 1e6, ceiling: LONGEST_TURN_MS, unit: 'ms' },
      { name: 'memory that archiving adds', ours: memory, ceiling: 256, unit: 'MiB', goal: 1 },
    ]
  } finally {
    await journal.close()
    rmSync(directory, { recursive: true })
  }
}

const drafts = (from: number) =>
  Array.from({ length: BATCH }, (_, i) => {
    const at = START + from + i
    const time = new Date(at).toISOString()
    const price = `${4_000 + ((from + i) % 977)}.${String((from + i) % 100).padStart(2, '0')}`
    const value = {
      kind: 'price' as const,
      symbol: 'XAU-USD',
      source: 'TEST',
      price,
      observed_at: time,
      recorded_at: time,
      url: '',
    }
    return { value, id: `tck_${from + i}`, at }
  })

async function* journalBatches(journal: TypedJournal) {
  const { end } = await journal.bounds('ticks', 0)
  for (let at = 0; at < end; ) {
    const batch = await journal.readPortable('ticks', 0, at, { maxRecords: BATCH })
    yield batch
    at = batch.next
  }
}

async function readJournal(journal: TypedJournal): Promise<void> {
  for await (const _ of journalBatches(journal));
}

/** The cells of the archive's columns, ready to be written, for each row group. */
async function rowGroups(journal: TypedJournal): Promise<(readonly unknown[])[][]> {
  const groups: (readonly unknown[])[][] = []
  let rows: unknown[][] = []
  for await (const { records } of journalBatches(journal))
    for (const { offset, timestamp, key, headers, schema, body } of records) {
      const entries = Object.keys(headers).map((name) => ({ key: name, value: headers[name] }))
      const time = BigInt(timestamp) * 1_000n
      const position = ['ticks', 0, BigInt(offset), time, key, headers['record-id'], entries, schema, Buffer.from(body)]
      rows.push([...position, 'price', 'XAU-USD', 'TEST', priceOf(offset), time, time, ''])
      if (rows.length < GROUP) continue
      groups.push(tableColumns('ticks').map((_, column) => rows.map((row) => row[column])))
      rows = []
    }
  return groups
}

const priceOf = (n: number) => (4_000n + BigInt(n % 977)) * 10n ** 18n + BigInt(n % 100) * 10n ** 16n

/** What the library takes to write the cells, which are ready. */
function writeParquet(groups: readonly (readonly unknown[])[][]): void {
  const columns = tableColumns('ticks')
  const writer = new ParquetWriter({
    writer: new ByteWriter(),
    schema: parquetSchemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: (page) => zstdCompressSync(page) },
  })
  for (const group of groups)
    writer.write({
      rowGroupSize: GROUP,
      // Cast: the library takes any array.
      columnData: columns.map(({ name }, at) => ({ name, data: group[at] as unknown[] })),
    })
  writer.finish()
}

async function archiveAll(journal: TypedJournal, store: DirectoryStore): Promise<void> {
  const ended = new AbortController()
  const archiver = new Archiver({
    journal,
    store,
    sealMs: 200,
    retentionMs: null,
    onRetry: (error) => ended.abort(error),
  })
  const done = archiver.run(ended.signal)
  for (;;) {
    const lags = await archiver.lags()
    const ticks = lags.find(({ topic, partition }) => topic === 'ticks' && partition === 0)
    if (ticks?.offsets === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  ended.abort()
  await done
}

async function readBack(archive: Archive): Promise<void> {
  for await (const _ of readArchive(archive, 'ticks', 0, 0));
}
