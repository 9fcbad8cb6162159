/** Clients that stop reading: the server's memory for each, and the latency of the healthy clients beside them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { type Measure, median } from './measure.ts'
import { atRate, eventOf, monotonicUs } from './streams-data.ts'
import { Process, type Usage } from './streams-process.ts'

/**
 * Number of stopped clients. The buffers of all must be full within the 5 s after which the server cuts a client that reads
 * nothing. A slow machine needs fewer, and one with little TCP memory (net.ipv4.tcp_mem), because Linux itself holds 1.5 MB
 * for each on loopback.
 */
const STOPPED = Number(process.env.ALMANAC_BENCH_STOPPED ?? 700)
const HEALTHY = 50
const ROUNDS = 3
/** Events that together are more than the kernel holds for a client. Long ones fill its buffers several times faster. */
const BACKLOG = 2_000
const PADDING = 9_000
const PER_SECOND = 200
/** Longer than the 5 s after which a client that reads nothing is cut. */
const LASTING_S = 8
/** uWebSockets.js lets go of a socket that it has ended, and that still isn't read from, after 12 to 16 s. */
const GONE_AFTER_MS = 20_000
const SOFT_LIMIT = 256 * 1024
/** The frame that goes over the limit, the connection itself, and what the allocator rounds up. */
const OVERHEAD = 64 * 1024
const PATH = '/v1/events/stream'

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const dir = join(directory, 'journal')
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
  const server = new Process('streams-server.ts', ['events', JSON.stringify({ dir })], ['--expose-gc'])
  const [healthy, stopped] = [new Process('streams-client.ts', []), new Process('streams-stopped-client.ts', [])]
  try {
    return await measured({ journal, server, healthy, stopped })
  } finally {
    for (const process of [healthy, stopped, server]) process.end()
    await journal.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

type Parts = {
  readonly journal: TypedJournal
  readonly server: Process
  readonly healthy: Process
  readonly stopped: Process
}

async function measured({ journal, server, healthy, stopped }: Parts): Promise<Measure[]> {
  let next = 1
  const append = (count: number, padding = 0) =>
    journal.append(
      'events',
      0,
      Array.from({ length: count }, () => {
        const value = eventOf(next++, monotonicUs(), padding)
        return { value, id: value.id, at: Date.now() }
      }),
    )
  const { port } = await server.answer<{ port: number }>()
  while (next <= BACKLOG) await append(500, PADDING)
  const usage = (collect = false) => server.ask<Usage>({ ask: 'usage', collect })
  const open = async () => (await server.ask<{ open: number }>({ ask: 'open' })).open
  let peak = 0
  const look = async () => {
    const used = await usage()
    peak = Math.max(peak, used.rss)
    return used
  }

  /** 99th percentile from the call that appends to the client, in milliseconds, of all that comes in so many seconds. */
  const p99 = async (seconds: number): Promise<number> => {
    await healthy.ask({ ask: 'reset', timed: true })
    const appended: Promise<unknown>[] = []
    let done = false
    const all = atRate(PER_SECOND, seconds * PER_SECOND, () => appended.push(append(1)))
      .then(() => Promise.all(appended))
      .then(() => healthy.ask({ ask: 'received', count: HEALTHY * seconds * PER_SECOND }))
      .finally(() => {
        done = true
      })
    const watching = async () => {
      for (; !done; await sleep(100)) await look()
    }
    await Promise.all([all, watching()])
    return (await healthy.ask<{ p99: number }>({ ask: 'latencies' })).p99
  }
  const stop = () => stopped.ask({ ask: 'stop', port, path: PATH, count: STOPPED, subscribe: fromTheStart })
  /** Until the server has nothing more to do for them. */
  const filled = async () => {
    for (let quiet = 0, { cpu } = await look(); quiet < 5; ) {
      await sleep(100)
      const now = await look()
      quiet = now.cpu - cpu < 0.02 ? quiet + 1 : 0
      cpu = now.cpu
    }
  }
  const gone = async () => {
    while ((await open()) > HEALTHY) await sleep(100)
    await sleep(GONE_AFTER_MS)
    await stopped.ask({ ask: 'leave' })
  }

  /** Anew for each round: the bench's client answers no pings, so uWebSockets.js ends it after two minutes. */
  const arrive = async () => {
    await healthy.ask({ ask: 'disconnect' })
    await healthy.ask({ ask: 'reset' })
    await healthy.ask({ ask: 'connect', port, path: PATH, count: HEALTHY, subscribe: { action: 'subscribe' } })
    // `ready`, `subscribed` and `caught_up`.
    await healthy.ask({ ask: 'received', count: 3 * HEALTHY })
  }
  // Warms up, what is read for all included.
  await healthy.ask({ ask: 'connect', port, path: PATH, count: 1, subscribe: fromTheStart })
  await healthy.ask({ ask: 'received', count: BACKLOG })
  await arrive()
  await p99(2)
  const before = (await usage(true)).rss
  const p99s: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  for (let round = 0; round < ROUNDS; round++) {
    await arrive()
    p99s.alone.push(await p99(LASTING_S))
    await stop()
    await filled()
    const hanging = (await open()) - HEALTHY
    if (hanging < STOPPED)
      throw new Error(
        `${STOPPED - hanging} of ${STOPPED} stopped clients were cut before the buffers of all were full: ` +
          'set ALMANAC_BENCH_STOPPED to a smaller number',
      )
    p99s.beside.push(await p99(LASTING_S))
    await gone()
  }
  await arrive()
  const [filling] = await Promise.all([p99(LASTING_S), stop()])
  await gone()
  const after = (await usage(true)).rss
  const alone = median(p99s.alone)
  const name = `p99 of ${HEALTHY} beside ${STOPPED.toLocaleString('en')} stopped`
  return [
    { name, ours: median(p99s.beside), ceiling: alone, unit: 'ms', goal: 2 },
    { name: '  the same from their subscribing on', ours: filling, ceiling: alone, unit: 'ms' },
    {
      name: 'a stopped client at the peak',
      ours: (peak - before) / STOPPED,
      ceiling: SOFT_LIMIT + OVERHEAD,
      unit: 'bytes of RSS',
      goal: 1,
    },
    { name: '  when they have gone, beside before', ours: after, ceiling: before, unit: 'bytes of RSS' },
  ]
}

const fromTheStart = { action: 'subscribe', cursor: 'earliest' }
