/**
 * The event loops of a whole service, with everything at once: a feed's prices, revised figures, requests, streams and the
 * archive. Beside them that of a process that does nothing, which says what the machine's own share is. CPU time is that of the
 * thread of the loop.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openJournal } from '../../cli/parts.ts'
import { loadConfig } from '../../infra/config.ts'
import { until } from '../support/journal.ts'
import { type Service, serviceEnvironment, startService } from '../support/service.ts'
import { proKeys } from './keys.ts'
import type { LoopDelay } from './loop-delay.ts'
import type { Measure } from './measure.ts'
import { ask, openFeed, openOffice, requests } from './mixed-load.ts'
import { subscribePrices } from './streams-data.ts'
import { Process } from './streams-process.ts'

/** Until the code is compiled, and the archive has what the sample wrote. For 30 s after a start, ticks are projected sooner. */
const WARM_SECONDS = 40
const SECONDS = Number(process.env.ALMANAC_BENCH_SECONDS ?? 30)
const ALONE_SECONDS = 15
/** Streams of prices, and as many of events. */
const STREAMS = 250
/** So many that the streams and calls of each account are within its plan. */
const KEYS = 50
/** The archive seals three times while the bench measures, instead of once a minute. */
const SEAL_SECONDS = '10'
const GOAL_MS = 10

export async function bench(): Promise<Measure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'almanac-bench-'))
  const delays = join(directory, 'delays')
  await mkdir(delays)
  const preload = pathToFileURL(join(import.meta.dirname, 'loop-delay.ts')).href
  const measured = {
    BENCH_LOOP_DELAYS: delays,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${preload}`,
  }
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { env: { ...process.env, ...measured } })
  const feed = await openFeed()
  const client = new Process('streams-client.ts', [])
  let service: Service | undefined
  try {
    progress('starting the service, which loads the sample')
    const archive = join(directory, 'archive')
    const dataDir = join(directory, 'data')
    service = await startService(dataDir, {
      ...measured,
      ALMANAC_FEED_URL: feed.url,
      ALMANAC_ARCHIVE: archive,
      ALMANAC_ARCHIVE_SEAL_SECONDS: SEAL_SECONDS,
    })
    const processes = service.processes()
    const pidOf = (name: string) => processes.find((one) => one.name === `${name}.ts`)?.pid ?? 0
    const pids = { node: pidOf('node'), streams: pidOf('streams'), store: pidOf('store'), idle: idle.pid ?? 0 }
    const journal = await openJournal(loadConfig(serviceEnvironment({ ALMANAC_DATA_DIR: dataDir })))
    try {
      const keys = await proKeys(dataDir, KEYS)
      const office = await openOffice(journal)
      const { base } = service
      const askAll = (seconds: number) => Promise.all(requests.map((some) => ask(some, base, keys, seconds)))
      const load = async (seconds: number) => {
        const [times] = await Promise.all([askAll(seconds), feed.send(seconds), office.revise(seconds)])
        return times
      }
      const port = Number(new URL(service.streams).port)
      await client.ask({
        ask: 'connect',
        port,
        keys,
        count: STREAMS,
        path: '/v1/prices/stream',
        subscribe: subscribePrices,
      })
      const events = { action: 'subscribe' }
      await client.ask({ ask: 'connect', port, keys, count: STREAMS, path: '/v1/events/stream', subscribe: events })
      progress(`warming up for ${WARM_SECONDS} s`)
      await load(WARM_SECONDS)
      progress(`the requests alone for ${ALONE_SECONDS} s`)
      const alone = await askAll(ALONE_SECONDS)
      await delaysOf(pids, delays)
      await client.ask({ ask: 'reset' })
      const sealed = (await readdir(archive, { recursive: true })).length
      progress(`measuring for ${SECONDS} s`)
      const times = await load(SECONDS)
      const found = await delaysOf(pids, delays)
      const { frames, lost } = await client.ask<{ frames: number; lost: number }>({ ask: 'frames' })
      if (lost > 0) throw new Error(`${lost} of ${2 * STREAMS} streams ended`)
      if (frames < 2 * STREAMS * SECONDS) throw new Error(`only ${frames} messages came to ${2 * STREAMS} streams`)
      if ((await readdir(archive, { recursive: true })).length === sealed) throw new Error('nothing was archived')
      if (service.processes().length !== processes.length) throw new Error(`a process ended: ${service.output()}`)
      progress(`${frames.toLocaleString('en')} messages came to ${2 * STREAMS} streams`)
      return [
        ...Object.entries(found).flatMap(([name, delay]) => delayRows(name, delay)),
        ...requests.map(({ name }, i) => answerRow(name, times[i] ?? [], alone[i] ?? [])),
      ]
    } finally {
      await journal.close()
    }
  } finally {
    client.end()
    feed.close()
    idle.kill()
    await service?.destroy()
    await rm(directory, { recursive: true, force: true })
  }
}

const progress = (text: string) => process.stderr.write(`mixed: ${text}\n`)

/** The delays of these processes since they were asked last. */
async function delaysOf<N extends string>(pids: Readonly<Record<N, number>>, directory: string) {
  const found: Partial<Record<N, LoopDelay>> = {}
  for (const [name, pid] of Object.entries(pids) as [N, number][]) {
    const file = join(directory, String(pid))
    await rm(file, { force: true })
    if (pid === 0) throw new Error(`there is no process ${name}`)
    process.kill(pid, 'SIGUSR2')
    await until(`the delays of ${name}`, async () => (await readdir(directory)).includes(String(pid)))
    found[name] = JSON.parse(await readFile(file, 'utf8')) as LoopDelay
  }
  return found
}

function delayRows(name: string, { clock, cpu }: LoopDelay): Measure[] {
  const row = (what: string, worst: 'p999' | 'longest'): Measure => ({
    name: what,
    ours: clock[worst],
    ceiling: GOAL_MS,
    unit: 'ms',
    cpu: { ours: cpu[worst] * 1e3, ceiling: GOAL_MS * 1e3 },
  })
  const goal = name === 'idle' ? {} : { goal: 1 }
  return [
    { ...row(`${name}: p99.9 of the event loop’s delay`, 'p999'), ...goal },
    row(`  ${name}: the longest`, 'longest'),
  ]
}

function answerRow(name: string, times: readonly number[], alone: readonly number[]): Measure {
  const p99 = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(0.99 * all.length)] ?? Number.NaN
  return {
    name: `${name}: p99 of the answer, beside the requests alone`,
    ours: p99(times),
    ceiling: p99(alone),
    unit: 'ms',
  }
}
