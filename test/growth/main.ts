/**
 * `npm run growth`: what one more record costs in a journal of many, as a table. It makes documents of about 100,000 releases
 * (`ALMANAC_BENCH_RECORDS=1000000` for more), runs the whole service on them, which takes some minutes, and ends what it started.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment, tell } from './deployment.ts'
import { writeDocuments } from './documents.ts'
import { copy, derive, history, record, start, trickle } from './measures.ts'
import { growthTable, type Row } from './table.ts'

const releases = Number(process.env.ALMANAC_BENCH_RECORDS ?? 100_000)
const stop = new AbortController()
// Also those that come twice, from npm and from the terminal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(new Error('Stopped.')))
const temporary = mkdtempSync(join(tmpdir(), 'almanac-growth-'))
const [documents, dataDir, copies] = ['documents', 'data', 'copies'].map((name) => join(temporary, name)) as [
  string,
  string,
  string,
]
const deployment = new Deployment(dataDir, stop.signal)
const load = () => loadavg()[0]?.toFixed(1)
const rows: Row[] = []
try {
  const before = load()
  mkdirSync(documents)
  const { files, figures } = writeDocuments(documents, releases)
  tell(`made ${files.length} documents of ${figures.toLocaleString('en')} figures`)
  await deployment.create()
  const steps: readonly (readonly [string, () => Promise<Row[]>])[] = [
    ['ingest, derive and project all', () => derive(deployment, files, figures)],
    ['start', () => start(deployment)],
    ['ten more figures', () => record(deployment)],
    ['histories', () => history(deployment)],
    ['ten figures a second', () => trickle(deployment)],
    ['export, replay, backup', () => copy(deployment, figures, copies)],
  ]
  for (const [name, step] of steps) {
    tell(name)
    rows.push(...(await step()))
  }
  await deployment.stop()
  tell(`load ${before} before, ${load()} after`)
} catch (error) {
  tell((error as Error).message)
  process.exitCode = 1
} finally {
  await deployment.destroy()
  if (rows.length > 0) process.stdout.write(`${growthTable(rows)}\n`)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
}
