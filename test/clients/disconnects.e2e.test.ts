import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Almanac, fileCursor } from '../../clients/typescript/src/node.ts'
import { startDemo } from '../support/demo.ts'
import { complaintsIn, hasNoPython, python, pythonFolder } from '../support/python.ts'
import { randomFrom } from '../support/random.ts'
import type { Service } from '../support/service.ts'
import { startCuttingProxy } from './support/cutting-proxy.ts'

/**
 * Both clients read every event of a real service through a proxy that cuts connections at random bytes, while the streams
 * process is killed again and again. Each event must arrive once, in order: with the plan pro the sequence is dense.
 */
const CUTS = Number(process.env.ALMANAC_TEST_CUTS ?? 30)
const KILL_EVERY = 15
/** So few that all cuts come before the end of the events, which are some 4 MB. */
const MOST_BYTES = Math.min(120_000, 4_000_000 / CUTS)

let dataDir: string
let service: Service
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-clients-'))
  service = await startDemo(dataDir, ['cpi-bis.csv', 'unemployment-oecd.csv'], { ALMANAC_LOG_LEVEL: 'error' })
  key = (await service.keys()).pro
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

/** The proxy in front of the streams; with every so many cuts the streams process is killed. */
async function cuttingProxy(seed: number) {
  const random = randomFrom(seed)
  let kills = 0
  const proxy = await startCuttingProxy(Number(new URL(service.streams).port), () => {
    if (proxy.cuts() >= CUTS) return undefined
    if (proxy.cuts() >= (kills + 1) * KILL_EVERY) {
      const pid = service.processes().find(({ name }) => name === 'streams.ts')?.pid
      if (pid !== undefined) {
        kills++
        service.kill(pid)
      }
    }
    return 1 + Math.floor(random() * MOST_BYTES)
  })
  onTestFinished(() => proxy.close())
  return { url: `ws://127.0.0.1:${proxy.port}`, cuts: proxy.cuts, kills: () => kills }
}

async function eventsOnRecord(): Promise<number> {
  const { next_cursor } = await new Almanac({ url: service.base, key }).rest.events_list({ cursor: 'latest', limit: 1 })
  const [, body = ''] = /^v1\.(.*)$/.exec(next_cursor) ?? []
  // A cursor begins with a checksum of four bytes.
  const [, , sequence] = JSON.parse(Buffer.from(body, 'base64url').subarray(4).toString())
  return sequence - 1
}

const dense = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe(`through ${CUTS} cuts and kill -9 of the streams`, () => {
  it('the TypeScript client delivers each event once and in order', async () => {
    const proxy = await cuttingProxy(1)
    const count = await eventsOnRecord()
    expect(count).toBeGreaterThan(5_000)
    const sequences: number[] = []
    const store = fileCursor(join(dataDir, 'typescript-cursor'))
    const client = new Almanac({ key, streamsUrl: proxy.url })
    const stream = client.events({ cursor: 'earliest', store, backoff: { first: 50, max: 500 } })
    for await (const batch of stream.batches()) {
      for (const { sequence } of batch.items) sequences.push(Number(sequence))
      await batch.ack()
      if (batch.isCaughtUp && sequences.length >= count) break
    }
    expect(sequences).toEqual(dense(sequences.length))
    expect(sequences.length).toBeGreaterThanOrEqual(count)
    expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS)
    expect(proxy.kills()).toBeGreaterThanOrEqual(Math.floor(CUTS / KILL_EVERY) - 1)
    // The next start continues behind the last event.
    const next = client.events({ store, cursor: 'earliest' })
    for await (const batch of next.batches()) {
      for (const { sequence } of batch.items) expect(Number(sequence)).toBeGreaterThan(sequences.length)
      if (batch.isCaughtUp) break
    }
  })

  it.skipIf(hasNoPython)('the Python client delivers each event once and in order', async () => {
    const proxy = await cuttingProxy(2)
    const count = await eventsOnRecord()
    const cursor = join(dataDir, 'python-cursor')
    const program = join(pythonFolder, 'tests/print_sequences.py')
    const child = spawn(python, [program, proxy.url, key, String(count), cursor], {
      env: { ...process.env, PYTHONPATH: join(pythonFolder, 'src') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    let complaints = ''
    child.stderr.on('data', (chunk) => (complaints += chunk))
    const sequences = await Array.fromAsync(createInterface({ input: child.stdout }), Number)
    await ended
    expect(complaintsIn(complaints)).toBe('')
    expect(child.exitCode).toBe(0)
    expect(sequences).toEqual(dense(sequences.length))
    expect(sequences.length).toBeGreaterThanOrEqual(count)
    expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS)
  })
})
