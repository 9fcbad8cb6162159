/**
 * Accepting first prints, from figures as a source yields them to records that are durable, beside Avro encoding of as many
 * releases into bare LMDB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { periodsOfYear } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Figure } from '../../ingest/source.ts'
import { codecFor } from '../../journal/codec.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { accepted, candidate, testDocument, testSeries } from '../support/releases.ts'
import { appendBare, openBare, RECORDS } from './bare-lmdb.ts'
import { type Cost, costOf, type Measure, throughput } from './measure.ts'

const ROUNDS = 3
const periods = Array.from({ length: 40 }, (_, i) => String(1980 + i)).flatMap((year) => periodsOfYear('M', year))
const series = Array.from({ length: Math.ceil(RECORDS / periods.length) }, (_, i) => testSeries({ dataset: `T${i}` }))

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const figures = periods
      .flatMap((period) =>
        series.map((series): Figure => {
          const printed = { value: { printed: '101.5' } }
          return { kind: 'figure', series, period, figures: printed, location: '' }
        }),
      )
      .slice(0, RECORDS)
    const codec = await codecFor('releases', localRegistry())
    const release = accepted(candidate(testSeries(), '2025-11', { value: '101.5' }))
    const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const dir = join(directory, String(round))
      const bare = openBare(join(dir, 'bare'))
      costs.bare.push(await costOf(() => appendBare(bare, () => codec.encode(release))))
      await bare.close()
      const embedded = await openEmbeddedJournal({ dir: join(dir, 'journal') })
      const journal = await TypedJournal.open(embedded, localRegistry())
      costs.ours.push(await costOf(() => new Acceptor(journal).accept(testDocument, figures)))
      const { end } = await journal.bounds('releases', 0)
      if (end < RECORDS) throw new Error(`${end} of ${RECORDS} figures were accepted`)
      await journal.close()
      rmSync(dir, { recursive: true })
    }
    const row = { name: 'accept: judge, encode, write', unit: 'figures/s' }
    return [throughput(row, RECORDS, costs.ours, costs.bare)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
