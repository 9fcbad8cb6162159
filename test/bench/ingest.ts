/**
 * `almanac ingest` of a file of ten figures, from the start of the command to its end: into a journal of many releases, beside
 * one that has only those which the command wrote before.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { almanac } from '../support/service.ts'
import { type Cost, costOf, type Measure, median } from './measure.ts'

const BATCH = 1_000
const RELEASES = Number(process.env.ALMANAC_BENCH_RECORDS ?? 100_000)
const ROUNDS = 5

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const [full, empty] = [join(directory, 'full'), join(directory, 'empty')]
    await fill(full, RELEASES)
    await fill(empty, 0)
    const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(directory, `${round}.csv`)
      writeFileSync(file, tenFigures(round))
      costs.bare.push(await costOf(() => ingest(empty, file)))
      costs.ours.push(await costOf(() => ingest(full, file)))
    }
    const of = (rounds: readonly Cost[], clock: keyof Cost) => median(rounds.map((cost) => cost[clock]))
    return [
      {
        name: `ten figures into a journal of ${RELEASES.toLocaleString('en')}`,
        ours: of(costs.ours, 'clock') * 1e3,
        ceiling: of(costs.bare, 'clock') * 1e3,
        unit: 'ms',
        cpu: { ours: of(costs.ours, 'cpu') * 1e6, ceiling: of(costs.bare, 'cpu') * 1e6 },
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function fill(dir: string, releases: number): Promise<void> {
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: join(dir, 'journal') }), localRegistry())
  for (let from = 0; from < releases; from += BATCH) {
    const drafts = Array.from({ length: BATCH }, (_, i) => {
      const value = releaseNumber(from + i)
      return { value, id: value.release_id, at: 1 }
    })
    await journal.append('releases', 0, drafts)
  }
  await journal.close()
}

async function ingest(dir: string, file: string): Promise<void> {
  const { code, stderr } = await almanac(['ingest', 'file', file], { ALMANAC_DATA_DIR: dir })
  if (code !== 0) throw new Error(`Ingest ended with ${code}: ${stderr}`)
}

/** A file of a made-up office, with another series each round. */
const tenFigures = (round: number): string => `# almanac: figures 1
# publisher: Test office
# licence: none
# url: urn:test
# source: TEST
# dataset: B${round}
# indicator: cpi
# country: USA
# unit: index
# base_period: 2015
# base_value: 100
# seasonal_adjustment: not_seasonally_adjusted
period,value
${Array.from({ length: 10 }, (_, i) => `2025-${String(i + 1).padStart(2, '0')},${101 + i}.5\n`).join('')}`
