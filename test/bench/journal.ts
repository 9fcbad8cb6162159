/**
 * The embedded journal beside bare LMDB: the same bytes in the same batches, durable before the next, once as they are and
 * once encoded on the way; and reading them in order. Then the whole of ingest: figures judged, encoded and written.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { periodsOfYear } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept.ts'
import type { Document, Figure } from '../../ingest/source.ts'
import { codecFor } from '../../journal/codec.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { type Measure, median, seconds } from './measure.ts'

const BATCH = 1_000
const BATCHES = 100
const ROUNDS = 5
const RECORDS = BATCH * BATCHES

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const release = accepted(candidate(testSeries(), '2025-11', { value: '101.5' }))
    const drafts = Array.from({ length: BATCH }, (_, i) => ({
      value: { ...release, release_id: `rel_${i}` },
      id: `rel_${i}`,
      at: 1,
    }))
    const rates: Record<'append' | 'typed' | 'bareAppend' | 'bareTyped' | 'read' | 'bareRead' | 'accept', number[]> = {
      append: [],
      typed: [],
      bareAppend: [],
      bareTyped: [],
      read: [],
      bareRead: [],
      accept: [],
    }
    const codec = await codecFor('releases', localRegistry())
    for (let round = 0; round < ROUNDS; round++) {
      const dir = join(directory, String(round))
      const journal = await openEmbeddedJournal({ dir: join(dir, 'journal') })
      const typed = await TypedJournal.open(journal, localRegistry())
      const encoded = typed.write('releases', 0, drafts)
      const bytes = Buffer.concat([encoded.records[0]?.value ?? Buffer.alloc(0), Buffer.alloc(120)])
      const bare = open({ path: join(dir, 'bare'), encoding: 'binary', keyEncoding: 'binary', noSubdir: false })
      rates.bareAppend.push(RECORDS / (await seconds(() => appendBare(bare, () => bytes))))
      rates.bareTyped.push(RECORDS / (await seconds(() => appendBare(bare, () => codec.encode(release), BATCHES))))
      rates.append.push(
        RECORDS /
          (await seconds(async () => {
            for (let i = 0; i < BATCHES; i++) await journal.append(encoded)
          })),
      )
      rates.bareRead.push(RECORDS / (await seconds(() => readBare(bare))))
      rates.read.push(RECORDS / (await seconds(() => readAll(journal, encoded))))
      rates.typed.push(
        RECORDS /
          (await seconds(async () => {
            for (let i = 0; i < BATCHES; i++) await typed.append('releases', 0, drafts)
          })),
      )
      await bare.close()
      await typed.close()
      rates.accept.push(await acceptRate(join(dir, 'accept')))
      rmSync(dir, { recursive: true })
    }
    const at = (name: keyof typeof rates) => median(rates[name])
    return [
      {
        name: 'append, batches of 1,000, durable',
        ours: at('append'),
        ceiling: at('bareAppend'),
        unit: 'records/s',
        goal: 0.8,
      },
      { name: 'append with Avro encoding', ours: at('typed'), ceiling: at('bareTyped'), unit: 'records/s', goal: 0.8 },
      { name: 'read in order', ours: at('read'), ceiling: at('bareRead'), unit: 'records/s' },
      { name: 'accept: judge, encode, write', ours: at('accept'), ceiling: at('bareTyped'), unit: 'figures/s' },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type Bare = ReturnType<typeof open>
const keyOf = (n: number): Buffer => {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE(1)
  key.writeBigUInt64BE(BigInt(n), 4)
  return key
}

/** `from`: the batch whose keys come first, so that every round appends. */
async function appendBare(bare: Bare, value: () => Uint8Array, from = 0): Promise<void> {
  for (let batch = from; batch < from + BATCHES; batch++) {
    await bare.transaction(() => {
      for (let i = 0; i < BATCH; i++) bare.put(keyOf(batch * BATCH + i), value())
    })
    await bare.flushed
  }
}

function readBare(bare: Bare): number {
  let size = 0
  for (const { value } of bare.getRange({ start: keyOf(0), end: keyOf(RECORDS) })) size += (value as Buffer).length
  return size
}

async function readAll(journal: Journal, { topic, partition }: { topic: string; partition: number }): Promise<void> {
  const { end } = await journal.bounds({ topic, partition })
  for (let at = 0; at < end; ) at = (await journal.read({ topic, partition }, at)).next
}

/** First prints of nearly as many figures, from items as a source yields them to records that are durable. */
async function acceptRate(dir: string): Promise<number> {
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
  const periods = Array.from({ length: 40 }, (_, i) => String(1980 + i)).flatMap((year) => periodsOfYear('M', year))
  const series = Array.from({ length: RECORDS / periods.length }, (_, i) => testSeries({ dataset: `T${i}` }))
  const figures = periods.flatMap((period) =>
    series.map(
      (series): Figure => ({ kind: 'figure', series, period, figures: { value: { printed: '101.5' } }, location: '' }),
    ),
  )
  const document: Document = {
    source: 'TEST',
    dataset: 'T1',
    publisher: '',
    licence: '',
    url: '',
    retrievedAt: '2026-01-01T00:00:00.000Z',
    sha256: '',
    bytes: Buffer.alloc(0),
  }
  const took = await seconds(() => new Acceptor(journal).accept(document, figures))
  await journal.close()
  return figures.length / took
}
