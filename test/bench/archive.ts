/**
 * The archive beside a bare read of the journal and a bare write of Parquet: ticks of one partition, archived, verified and
 * read back.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Archive } from '../../archive/archive.ts'
import { Archiver } from '../../archive/archiver.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { readArchive } from '../../archive/read.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { type Measure, seconds } from './measure.ts'

const BATCH = 1_000
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
    const bareRead = RECORDS / (await seconds(() => readJournal(journal)))
    const bareWrite = RECORDS / (await seconds(() => writeParquet(journal)))
    const before = process.memoryUsage().rss
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const archived = RECORDS / (await seconds(() => archiveAll(journal, store)))
    delay.disable()
    const memory = (process.memoryUsage().rss - before) / 2 ** 20
    const archive = await Archive.open(store)
    const verified = RECORDS / (await seconds(() => verifyArchive(archive, (fault) => Promise.reject(fault))))
    const read = RECORDS / (await seconds(() => readBack(archive)))
    return [
      { name: 'archive, beside a bare read of the journal', ours: archived, ceiling: bareRead, unit: 'records/s' },
      { name: 'archive, beside a bare write of Parquet', ours: archived, ceiling: bareWrite, unit: 'records/s' },
      { name: 'verify, beside a bare read of the journal', ours: verified, ceiling: bareRead, unit: 'records/s' },
      { name: 'read the archive, beside the journal', ours: read, ceiling: bareRead, unit: 'records/s' },
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

async function writeParquet(journal: TypedJournal): Promise<void> {
  const writer = new SegmentWriter('ticks', 0)
  for await (const { records } of journalBatches(journal)) writer.add(records)
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
