/** Events: sent as they are appended, replayed to one and to many, and how soon they arrive. This process appends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { type Measure, median, seconds } from './measure.ts'
import { atRate, eventOf, monotonicUs } from './streams-data.ts'
import { Process, type Usage } from './streams-process.ts'
import type { EventsServerOptions } from './streams-server.ts'

/** Short ones, so that the sides take turns often and both see the machine in the same moods. */
const ROUNDS = 7
const LIVE = { connections: 200, perSecond: 500, count: 500 }
/** Rounds until what runs 60 times a second has been compiled, as it is in a server that is up for long. */
const LIVE_WARM_UP = 6
const TIMED = { connections: 50, perSecond: 1_000, count: 5_000 }
const BATCH = 1_000
const REPLAYED = 20_000
/** Rounds until a replay costs what it costs in a server that is up for long: before a million events, half as much again. */
const REPLAY_WARM_UP = 15
/** Processes of each kind, one after the other. */
const STARTS = 3
/** Replays of a round, which would be too short for a clock otherwise. */
const PASSES = 3
const REPLAYING = 100

type Log = { readonly dir: string; readonly bytes: Journal; readonly typed: TypedJournal; next: number }

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const dir = join(directory, 'journal')
  const bytes = await openEmbeddedJournal({ dir })
  const log: Log = { dir, bytes, typed: await TypedJournal.open(bytes, localRegistry()), next: 1 }
  try {
    while (log.next <= REPLAYED) await append(log, BATCH)
    return [...(await replay(log)), await sharedReplay(log), await live(log), ...(await latency(log))]
  } finally {
    await log.typed.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const append = (log: Log, count: number) =>
  log.typed.append(
    'events',
    0,
    Array.from({ length: count }, () => {
      const value = eventOf(log.next++, monotonicUs())
      return { value, id: value.id, at: Date.now() }
    }),
  )

/** Appends one by one, as they come; resolves once the last is durable, with how long each took, in milliseconds. */
async function appendAtRate(log: Log, perSecond: number, count: number): Promise<number[]> {
  const took: Promise<number>[] = []
  await atRate(perSecond, count, () => took.push(seconds(() => append(log, 1)).then((s) => s * 1_000)))
  return Promise.all(took)
}

type Side = { readonly server: Process; readonly client: Process; connect(count: number, from?: string): Promise<void> }

async function side(options?: EventsServerOptions): Promise<Side> {
  const server = options
    ? new Process('streams-server.ts', ['events', JSON.stringify(options)])
    : new Process('streams-bare.ts', [])
  const { port } = await server.answer<{ port: number }>()
  const client = new Process('streams-client.ts', [])
  return {
    server,
    client,
    async connect(count, cursor = 'latest') {
      const subscribe = options ? { action: 'subscribe', cursor } : null
      await client.ask({ ask: 'reset' })
      await client.ask({ ask: 'connect', port, path: '/v1/events/stream', count, subscribe })
      // `ready`, `subscribed` and `caught_up`.
      if (options) await client.ask({ ask: 'received', count: 3 * count })
    },
  }
}

function end(...sides: readonly Side[]): void {
  for (const { client, server } of sides) for (const process of [client, server]) process.end()
}

/**
 * All there is to one client, which no block is kept for, beside reading it: as records decoded, and as bytes. A second of
 * the CPU time of whoever reads, each in processes of its own, since each process is compiled a little differently.
 */
async function replay(log: Log): Promise<Measure[]> {
  const rates: ReplayRates = { stream: [], records: [], bytes: [] }
  for (let start = 0; start < STARTS; start++) await replayFromTheStart(log, rates)
  const [mine, records, bytes] = [median(rates.stream), median(rates.records), median(rates.bytes)]
  const unit = 'events/CPU s'
  return [
    { name: 'events replay, beside decoded records', ours: mine, ceiling: records, unit, goal: 0.6 },
    { name: 'events replay, beside records as bytes', ours: mine, ceiling: bytes, unit },
  ]
}

type ReplayRates = Record<'stream' | 'records' | 'bytes', number[]>

async function replayFromTheStart(log: Log, rates: ReplayRates): Promise<void> {
  const ours = await side({ dir: log.dir, blockBytes: 1, warmOffsets: 0 })
  const [records, bytes] = [new Process('streams-reader.ts', [log.dir]), new Process('streams-reader.ts', [log.dir])]
  for (const reader of [records, bytes]) await reader.answer()
  const works = {
    stream: { reader: ours.server, work: () => replayTo(ours, 1) },
    records: { reader: records, work: () => records.ask({ ask: 'records' }) },
    bytes: { reader: bytes, work: () => bytes.ask({ ask: 'bytes' }) },
  }
  for (let round = 1 - REPLAY_WARM_UP; round <= ROUNDS; round++) {
    for (const name of ['stream', 'records', 'bytes'] as const) {
      const { reader, work } = works[name]
      const before = await reader.ask<Usage>({ ask: 'usage' })
      for (let pass = 0; pass < PASSES; pass++) await work()
      const after = await reader.ask<Usage>({ ask: 'usage' })
      if (round > 0) rates[name].push((PASSES * REPLAYED) / (after.cpu - before.cpu))
    }
  }
  end(ours)
  for (const reader of [records, bytes]) reader.end()
}

/** Resolves once each of `count` new clients has been sent everything; then they leave. */
async function replayTo({ client, connect }: Side, count: number): Promise<void> {
  await connect(count, 'earliest')
  await client.ask({ ask: 'received', count: count * (REPLAYED + 3) })
  await client.ask({ ask: 'disconnect' })
}

/** How often the journal is read for a hundred clients that want the same, beside how often for one. */
async function sharedReplay(log: Log): Promise<Measure> {
  const reads = async (count: number) => {
    const ours = await side({ dir: log.dir, warmOffsets: 0 })
    const { reads: before } = await ours.server.ask<{ reads: number }>({ ask: 'reads' })
    await replayTo(ours, count)
    const { reads: after } = await ours.server.ask<{ reads: number }>({ ask: 'reads' })
    end(ours)
    return after - before
  }
  const ceiling = await reads(1)
  return { name: 'replay to 100, beside 1', ours: await reads(REPLAYING), ceiling, unit: 'journal reads', goal: 2 }
}

/** Messages a second of the server's CPU time while events come one by one; the bare server makes them up itself. */
async function live(log: Log): Promise<Measure> {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const sides = { ours: await side({ dir: log.dir }), bare: await side() }
  for (const { connect } of Object.values(sides)) await connect(LIVE.connections)
  for (let round = 1 - LIVE_WARM_UP; round <= ROUNDS; round++) {
    for (const name of ['bare', 'ours'] as const) {
      const { server, client } = sides[name]
      await client.ask({ ask: 'reset' })
      const before = await server.ask<Usage>({ ask: 'usage' })
      if (name === 'ours') await appendAtRate(log, LIVE.perSecond, LIVE.count)
      else await server.ask({ ask: 'publish', ...LIVE })
      await client.ask({ ask: 'received', count: LIVE.connections * LIVE.count })
      const after = await server.ask<Usage>({ ask: 'usage' })
      if (round > 0) rates[name].push((LIVE.connections * LIVE.count) / (after.cpu - before.cpu))
    }
  }
  end(sides.ours, sides.bare)
  const name = 'events live, 200 clients × 500/s'
  return {
    name,
    ours: median(rates.ours),
    ceiling: median(rates.bare),
    unit: 'messages/CPU s',
    goal: 3,
  }
}

/** From the call that appends, by another process than the server, to the client: durable on the way. */
async function latency(log: Log): Promise<Measure[]> {
  const ours = await side({ dir: log.dir })
  await ours.connect(TIMED.connections)
  const { client } = ours
  const send = async (count: number, timed: boolean) => {
    await client.ask({ ask: 'reset', timed })
    const durable = (await appendAtRate(log, TIMED.perSecond, count)).toSorted((a, b) => a - b)
    await client.ask({ ask: 'received', count: TIMED.connections * count })
    return durable
  }
  await send(TIMED.perSecond, false)
  const durable = await send(TIMED.count, true)
  const { p50, p99 } = await client.ask<{ p50: number; p99: number }>({ ask: 'latencies' })
  end(ours)
  const durableWithin = (share: number) => durable[Math.floor(share * (durable.length - 1))] ?? Number.NaN
  return [
    { name: 'append → client beside durable, p50', ours: p50, ceiling: durableWithin(0.5), unit: 'ms' },
    { name: 'append → client beside durable, p99', ours: p99, ceiling: durableWithin(0.99), unit: 'ms' },
    { name: 'append → client, 1,000/s × 50, p99', ours: p99, ceiling: 20, unit: 'ms', goal: 1 },
  ]
}
