/** What is measured of a service that has many releases. Each returns rows of the table. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { cpuOf, median, seconds } from '../bench/measure.ts'
import { type Deployment, tell } from './deployment.ts'
import { acceptedPrint, documentOf, printedSeries, revised } from './documents.ts'
import { bytesWritten, eventLoopSeconds, memoryOf, watchCheckpoints, watchCommand, watchMemory } from './processes.ts'
import type { Row } from './table.ts'

const MB = 1e6

/** Ingests documents beside a service that has no figures yet, and waits until everything is derived and projected. */
export async function derive(deployment: Deployment, files: readonly string[], figures: number): Promise<Row[]> {
  await deployment.start()
  const node = deployment.pidOf('node')
  const before = cpuOf(node)
  const checkpointBytes = watchCheckpoints(join(deployment.dataDir, 'checkpoints'))
  const mostMemory = watchMemory(() => [node], 250)
  const began = performance.now()
  const sinceBegan = () => (performance.now() - began) / 1_000
  await deployment.command(['ingest', 'file', ...files])
  const ingested = sinceBegan()
  tell(`ingested ${figures.toLocaleString('en')} figures in ${ingested.toFixed(0)} s`)
  await deployment.settled()
  const settled = sinceBegan()
  const cpu = cpuOf(node) - before
  await deployment.stop()
  const memory = mostMemory()
  return [
    { what: 'ingest of all documents', value: figures / ingested, unit: 'figures/s' },
    { what: 'until all of it is derived and projected', value: settled, unit: 's' },
    {
      what: 'CPU time of `node` for each figure that was ingested',
      value: (cpu / figures) * 1e6,
      unit: 'µs',
      most: 50,
    },
    { what: 'checkpoints written for it', value: checkpointBytes() / MB, unit: 'MB' },
    { what: '`node` at most, without pages of files', value: memory.own / MB, unit: 'MB', most: 600 },
    { what: '`node` at most, all that is resident', value: memory.all / MB, unit: 'MB' },
  ]
}

const STARTS = 3

/** Starts the service again and again. The first start reads what is new since the last checkpoint, and writes one. */
export async function start(deployment: Deployment): Promise<Row[]> {
  const first = await deployment.start()
  await deployment.stop()
  const starts = []
  for (let i = 0; i < STARTS; i++) {
    if (i > 0) await deployment.stop()
    starts.push(await deployment.start())
  }
  await wait(30_000)
  const { all, own } = memoryOf([deployment.pidOf('node')])
  return [
    { what: 'first start after so many new releases, until `/ready`', value: first.clock, unit: 's' },
    { what: 'start until `/ready`', value: median(starts.map(({ clock }) => clock)), unit: 's', most: 2 },
    { what: 'CPU time of `node` for a start', value: median(starts.map(({ cpu }) => cpu)), unit: 's' },
    { what: '`node` at rest, without pages of files', value: own / MB, unit: 'MB', most: 400 },
    { what: '`node` at rest, all that is resident', value: all / MB, unit: 'MB' },
  ]
}

const ROUNDS = 10

/** Ingests documents of ten figures. After each, asks for the calendar and the metrics, one of them first, in turns. */
export async function record(deployment: Deployment): Promise<Row[]> {
  const commands: Awaited<ReturnType<typeof ingestTen>>[] = []
  const asked: Record<'calendar' | 'metrics', { readonly clock: number; readonly loop: number }[]> = {
    calendar: [],
    metrics: [],
  }
  const ask = {
    calendar: () => deployment.get('/v1/calendar'),
    metrics: () => deployment.metrics(),
  }
  // Makes what is made once after a start.
  for (const first of Object.values(ask)) await first()
  for (let round = 0; round < ROUNDS; round++) {
    commands.push(await ingestTen(deployment, round))
    // Until what follows from them is derived and projected.
    await wait(3_000)
    const what = round % 2 === 0 ? 'calendar' : 'metrics'
    const loop = eventLoopSeconds(deployment.pidOf('node'))
    const clock = await seconds(ask[what])
    asked[what].push({ clock, loop: eventLoopSeconds(deployment.pidOf('node')) - loop })
  }
  const ofCommands = (of: (command: (typeof commands)[number]) => number) => median(commands.map(of))
  const ms = (kind: keyof typeof asked, of: 'clock' | 'loop') => median(asked[kind].map((one) => one[of])) * 1e3
  return [
    { what: 'ten figures, from file to REST', value: ofCommands(({ clock }) => clock), unit: 's', most: 1 },
    { what: 'CPU time of the command and its parser', value: ofCommands(({ cpu }) => cpu), unit: 's' },
    {
      what: 'memory of the command at most, without pages of files',
      value: ofCommands(({ memory }) => memory.own) / MB,
      unit: 'MB',
      most: 200,
    },
    {
      what: 'memory of the command at most, all that is resident',
      value: ofCommands(({ memory }) => memory.all) / MB,
      unit: 'MB',
    },
    {
      what: 'first `/v1/calendar` after a record, on the event loop',
      value: ms('calendar', 'loop'),
      unit: 'ms',
      most: 20,
    },
    { what: 'first `/v1/calendar` after a record, by the clock', value: ms('calendar', 'clock'), unit: 'ms' },
    { what: 'first `/metrics` after a record, on the event loop', value: ms('metrics', 'loop'), unit: 'ms', most: 20 },
    { what: 'first `/metrics` after a record, by the clock', value: ms('metrics', 'clock'), unit: 'ms' },
  ]
}

/** Ingests a revision of ten months by the command, and waits until REST has it. */
async function ingestTen(deployment: Deployment, round: number) {
  const [series] = printedSeries
  if (!series) throw new Error('There is no series.')
  const prints = Array.from({ length: 10 }, (_, back) => revised(series, back, round))
  const file = join(deployment.dataDir, `ten-${round}.csv`)
  writeFileSync(file, documentOf(series, prints))
  let needed: ReturnType<typeof watchCommand> | undefined
  const began = performance.now()
  await deployment.command(['ingest', 'file', file], ({ pid }) => {
    if (pid !== undefined) needed = watchCommand(pid)
  })
  const { memory, cpu } = needed?.() ?? { memory: { all: Number.NaN, own: Number.NaN }, cpu: Number.NaN }
  const value = String(Number(prints[0]?.value))
  const path = `/v1/economics/${series.country}/${series.indicator.name}?period=2026-09`
  const served = async () => JSON.stringify(await deployment.get(path))
  const isServed = async () => ((await served()).includes(value) ? undefined : await served())
  await deployment.waitFor(`${value} at ${path}`, isServed, 20)
  return { clock: (performance.now() - began) / 1_000, cpu, memory }
}

/** Asks for histories of 36 months that nobody has asked for, and for each again. */
export async function history(deployment: Deployment): Promise<Row[]> {
  const names = ['cpi', 'inflation', 'unemployment']
  const paths = printedSeries
    .filter(({ indicator }) => indicator.name === 'cpi')
    .flatMap(({ country }) =>
      names.map((name) => `/v1/economics/${country}/${name}/observations?start=2023-10&limit=36`),
    )
  const times: Record<'first' | 'again', number[]> = { first: [], again: [] }
  const before = cpuOf(deployment.pidOf('store'))
  for (const path of paths) times.first.push(await seconds(() => deployment.get(path)))
  const cpu = cpuOf(deployment.pidOf('store')) - before
  for (const path of paths) times.again.push(await seconds(() => deployment.get(path)))
  return [
    { what: 'a history of 36 months, asked for first', value: median(times.first) * 1e3, unit: 'ms' },
    { what: 'a history of 36 months, asked for again', value: median(times.again) * 1e3, unit: 'ms', most: 3 },
    { what: 'CPU time of the store for one that is asked for first', value: (cpu / paths.length) * 1e3, unit: 'ms' },
  ]
}

const SECONDS = 60
const FIGURES_A_SECOND = 10

/** Accepts a figure each tenth of a second, as a document of its own, for a minute. */
export async function trickle(deployment: Deployment): Promise<Row[]> {
  const embedded = await openEmbeddedJournal({ dir: join(deployment.dataDir, 'journal') })
  const journal = await TypedJournal.open(embedded, localRegistry())
  try {
    const acceptor = new Acceptor(journal)
    const [node, store] = [deployment.pidOf('node'), deployment.pidOf('store')]
    const checkpointBytes = watchCheckpoints(join(deployment.dataDir, 'checkpoints'))
    const before = { written: bytesWritten(store), cpu: cpuOf(node) }
    const began = performance.now()
    const count = SECONDS * FIGURES_A_SECOND
    for (let n = 0; n < count; n++) {
      const series = printedSeries[n % printedSeries.length]
      if (!series) throw new Error('There is no series.')
      const print = revised(series, Math.floor(n / printedSeries.length), ROUNDS)
      const { document, item } = acceptedPrint(series, print, n)
      const { held, rejected } = await acceptor.accept(document, [item])
      if (held + rejected > 0) throw new Error(`A made figure of ${series.country} was not accepted.`)
      await wait(Math.max(0, ((n + 1) * 1_000) / FIGURES_A_SECOND - (performance.now() - began)))
    }
    const took = (performance.now() - began) / 1_000
    return [
      {
        what: `the store writes to the disk, at ${FIGURES_A_SECOND} figures/s for a minute`,
        value: (bytesWritten(store) - before.written) / MB / took,
        unit: 'MB/s',
        most: 0.3,
      },
      {
        what: 'CPU time of `node` in that minute',
        value: ((cpuOf(node) - before.cpu) / took) * 100,
        unit: '% of a core',
      },
      { what: 'checkpoints written in that minute', value: checkpointBytes() / MB, unit: 'MB' },
    ]
  } finally {
    await journal.close()
  }
}

/** Exports, replays and backs up the journal while the service runs. */
export async function copy(deployment: Deployment, figures: number, out: string): Promise<Row[]> {
  const dir = join(out, 'export')
  const exported = await seconds(() => deployment.command(['export', 'releases', '--format', 'parquet', '--out', dir]))
  const { partitions } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))
  const records = partitions.reduce((sum: number, { records }: { readonly records: number }) => sum + records, 0)
  const replayed = await seconds(() => deployment.discard(['replay', 'releases']))
  let summary = ''
  const backedUp = await seconds(async () => (summary = await deployment.command(['backup', join(out, 'backup')])))
  const copied = Number(/([\d,]+) records added/.exec(summary)?.[1]?.replaceAll(',', ''))
  return [
    { what: 'export to Parquet', value: records / exported, unit: 'records/s', least: 150_000 },
    { what: 'replay of NDJSON', value: records / replayed, unit: 'records/s', least: 400_000 },
    { what: 'backup', value: copied / backedUp, unit: 'records/s' },
    { what: 'releases in the journal', value: records, unit: '' },
    { what: 'releases for each figure that was ingested', value: records / figures, unit: '' },
  ]
}
