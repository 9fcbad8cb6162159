/**
 * A service in steady use needs no more memory with time: figures that are revised, simulated prices, reads on every surface,
 * and streams that come and go. Here for some seconds; `ALMANAC_TEST_SOAK_MINUTES=30` is the long run, which judges the memory.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePorts } from '../../infra/ports.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { seriesFileHead } from '../support/series-file.ts'
import type { Service } from '../support/service.ts'

const MINUTES = Number(process.env.ALMANAC_TEST_SOAK_MINUTES ?? 0.2)
/** Shortest run whose memory tells anything: before, caches and compiled code still grow. */
const JUDGED_MINUTES = 15
const MIB = 1024 * 1024
/** Growth of the median of the last third beside that of the second. The garbage collector moves it by some percent. */
const MOST_GROWTH = { share: 0.05, bytes: 12 * MIB }

const paths = [
  '/v1/economics/USA/cpi',
  '/v1/economics/DEU/inflation/observations?start=2019',
  '/v1/economics/USA/gdp/vintages?layout=matrix&start=2023',
  '/v1/panel?country=USA&country=DEU&indicator=cpi&frequency=M',
  '/v1/calendar',
  '/v1/events?cursor=earliest&limit=100',
  '/v1/search?q=jobless+rate+Japan',
  '/v1/commodities/spot/XAU/USD',
  '/asof/2024-03-01/v1/economics/USA/gdp',
  '/fred/series/search?search_text=cpi',
  '/health',
]

let dataDir: string
let service: Service
let key: string
let metrics: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-soak-'))
  const [port] = await freePorts(1)
  service = await startSample(dataDir, { ALMANAC_ADMIN_PORT: String(port) })
  metrics = `http://127.0.0.1:${port}/metrics`
  key = (await service.keys()).pro
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

/** A stream that is read until `signal` aborts. Resolves with the number of its messages. */
async function readStream(path: string, subscribe: object, signal: AbortSignal): Promise<number> {
  const socket = new WebSocket(`${service.streams}${path}`, { headers: { authorization: `Bearer ${key}` } })
  let messages = 0
  socket.addEventListener('open', () => socket.send(JSON.stringify(subscribe)))
  socket.addEventListener('message', () => messages++)
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
  signal.addEventListener('abort', () => socket.close())
  await closed
  return messages
}

/** Bytes that a process has for itself, without the pages of files. Linux only. */
async function ownBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1_024
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

it(`${MINUTES} minutes of figures, prices, reads and streams need no more memory`, {
  timeout: (MINUTES + 5) * 60_000,
}, async () => {
  const processes = service.processes()
  const memory = new Map(processes.map(({ pid }) => [pid, [] as number[]]))
  const end = performance.now() + MINUTES * 60_000
  const isOver = () => performance.now() >= end

  const reads = async () => {
    for (let n = 0; !isOver(); n++) {
      const path = paths[n % (paths.length + 1)]
      const answer = await fetch(path === undefined ? metrics : service.base + path, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(answer.status, `${path}: ${await answer.text()}`).toBe(200)
      await pause(500)
    }
  }
  const streams = async () => {
    while (!isOver()) {
      const stop = AbortSignal.timeout(4_000)
      const gold = { action: 'subscribe', commodities: [{ commodity: 'XAU', currency: 'USD' }] }
      const replay = { action: 'subscribe', start: '1' }
      const [prices, events] = await Promise.all([
        readStream('/v1/prices/stream', gold, stop),
        readStream('/v1/events/stream', replay, stop),
      ])
      expect([prices > 2, events > 1_000]).toEqual([true, true])
    }
  }
  const figures = async () => {
    const file = join(dataDir, 'revised.csv')
    for (let n = 0; !isOver(); n++) {
      await writeFile(file, `${seriesFileHead}2025-01,100.${100 + (n % 900)}\n`)
      const { code, stdout, stderr } = await runCommand(['ingest', 'file', file], { ALMANAC_DATA_DIR: dataDir })
      expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/1 (?:new|revised)/), ''])
      await pause(5_000)
    }
  }
  const looks = async () => {
    // Each third of them is compared, so there are three at least, however slow the machine is.
    for (let n = 0; n < 3 || !isOver(); n++) {
      for (const [pid, samples] of memory) samples.push(await ownBytes(pid))
      await pause(Math.min(10_000, MINUTES * 5_000))
    }
  }
  await Promise.all([reads(), streams(), figures(), looks()])

  expect(service.processes(), 'no process has ended').toEqual(processes)
  const grown = processes.map(({ pid, name }) => {
    const samples = memory.get(pid) ?? []
    const third = Math.floor(samples.length / 3)
    const [before, after] = [median(samples.slice(third, 2 * third)), median(samples.slice(2 * third))]
    return { name, before: Math.round(before / MIB), after: Math.round(after / MIB), by: after - before }
  })
  if (MINUTES >= JUDGED_MINUTES)
    process.stdout.write(`${JSON.stringify(grown.map(({ by: _, ...rest }) => rest))} MiB\n`)
  for (const { name, by, before } of grown) {
    expect(by, name).not.toBeNaN()
    if (MINUTES >= JUDGED_MINUTES) expect(by, name).toBeLessThan(MOST_GROWTH.share * before * MIB + MOST_GROWTH.bytes)
  }
})
