/**
 * `npm run growth`: what one more record costs in a journal of many, as a table. It makes documents of about 100,000 releases
 * (`ALMANAC_BENCH_RECORDS=1000000` for more, `=30000,100000` for several sizes and curves over them), runs the whole service on
 * them, which takes some minutes, and ends what it started.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment, tell } from './deployment.ts'
import { writeDocuments } from './documents.ts'
import { copy, derive, history, record, start, trickle } from './measures.ts'
import { growthCurves, growthTable, type Row, type Size } from './table.ts'

const numbers = (process.env.ALMANAC_BENCH_RECORDS ?? '100000').split(',').map(Number)
const stop = new AbortController()
// Also those that come twice, from npm and from the terminal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(new Error('Stopped.')))
const load = () => loadavg()[0]?.toFixed(1)
const sizes: Size[] = []
try {
  for (const releases of numbers) {
    const rows: Row[] = []
    // Before it is filled, so that a run that fails shows what it has.
    sizes.push({ releases, rows })
    await measure(releases, rows)
  }
} catch (error) {
  tell((error as Error).message)
  process.exitCode = 1
} finally {
  if (sizes.length > 0) process.stdout.write(`${growthTable(sizes)}\n\n${growthCurves(sizes)}`)
}

/** Makes a service with so many releases, and removes it with all that was made. */
async function measure(releases: number, rows: Row[]): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'almanac-growth-'))
  const [documents, dataDir, copies] = ['documents', 'data', 'copies'].map((name) => join(temporary, name)) as [
    string,
    string,
    string,
  ]
  const deployment = new Deployment(dataDir, stop.signal)
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
  } finally {
    await deployment.destroy()
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
  }
}
