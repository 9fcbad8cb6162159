/**
 * The embedded journal beside bare LMDB: the same bytes in the same batches, durable before the next, once as they are and
 * once encoded on the way; and reading them in order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecFor } from '../../journal/codec.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { appendBare, BATCH, BATCHES, openBare, RECORDS, readBare } from './bare-lmdb.ts'
import { type Cost, costOf, type Measure, throughput } from './measure.ts'

const ROUNDS = 5

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const release = accepted(candidate(testSeries(), '2025-11', { value: '101.5' }))
    const drafts = Array.from({ length: BATCH }, (_, i) => ({
      value: { ...release, release_id: `rel_${i}` },
      id: `rel_${i}`,
      at: 1,
    }))
    const costs: Record<'append' | 'typed' | 'bareAppend' | 'bareTyped' | 'read' | 'bareRead', Cost[]> = {
      append: [],
      typed: [],
      bareAppend: [],
      bareTyped: [],
      read: [],
      bareRead: [],
    }
    const codec = await codecFor('releases', localRegistry())
    for (let round = 0; round < ROUNDS; round++) {
      const dir = join(directory, String(round))
      const journal = await openEmbeddedJournal({ dir: join(dir, 'journal') })
      const typed = await TypedJournal.open(journal, localRegistry())
      const encoded = typed.writeOf('releases', 0, drafts)
      const bytes = Buffer.concat([encoded.records[0]?.value ?? Buffer.alloc(0), Buffer.alloc(120)])
      const bare = openBare(join(dir, 'bare'))
      costs.bareAppend.push(await costOf(() => appendBare(bare, () => bytes)))
      costs.bareTyped.push(await costOf(() => appendBare(bare, () => codec.encode(release), BATCHES)))
      costs.append.push(
        await costOf(async () => {
          for (let i = 0; i < BATCHES; i++) await journal.append(encoded)
        }),
      )
      costs.bareRead.push(await costOf(() => readBare(bare)))
      costs.read.push(await costOf(() => readAll(journal, encoded)))
      costs.typed.push(
        await costOf(async () => {
          for (let i = 0; i < BATCHES; i++) await typed.append('releases', 0, drafts)
        }),
      )
      await bare.close()
      await typed.close()
      rmSync(dir, { recursive: true })
    }
    const row = (name: string, ours: readonly Cost[], bare: readonly Cost[], aim: Pick<Measure, 'goal'> = {}) =>
      throughput({ name, unit: 'records/s', ...aim }, RECORDS, ours, bare)
    return [
      row('append, batches of 1,000, durable', costs.append, costs.bareAppend, { goal: 0.8 }),
      row('append with Avro encoding', costs.typed, costs.bareTyped, { goal: 0.8 }),
      row('read in order', costs.read, costs.bareRead),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function readAll(journal: Journal, { topic, partition }: { topic: string; partition: number }): Promise<void> {
  const { end } = await journal.bounds({ topic, partition })
  for (let at = 0; at < end; ) at = (await journal.read({ topic, partition }, at)).next
}
