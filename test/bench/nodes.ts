/**
 * The events stream of one and of three nodes on Kafka, a schema registry and Redis, all on this machine: what a message costs
 * all nodes, how soon it comes, a node that joins, and one that leaves. This process appends.
 */
import { Lineage } from '../../domain/lineage.ts'
import { cursorOf } from '../../streams/events/encoded-event.ts'
import setUp from '../distributed/setup.ts'
import { type Deployment, openDeployment } from '../distributed/support/deployment.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'
import { cpuOf, type Measure, seconds } from './measure.ts'
import { atRate, eventOf, monotonicUs } from './streams-data.ts'
import { Process } from './streams-process.ts'

const NODES = 3
const CLIENTS = 900
/** A key may have ten streams. */
const KEYS = CLIENTS / 5
const LIVE = { perSecond: 50, count: 500 }
const WARM_ROUNDS = 2
/** Frames that a client gets before its first event: `ready`, `subscribed` and `caught_up`. */
const BEFORE_EVENTS = 3
const LEAVING = 300
const BEHIND = 20

type Latencies = { readonly p50: number; readonly p99: number }

/** Clients of one node, in a process of their own. */
type Clients = { readonly node: Service; readonly process: Process; readonly count: number }

class Load {
  readonly #deployment: Deployment
  readonly #keys: readonly string[]
  #next = 1

  constructor(deployment: Deployment, keys: readonly string[]) {
    this.#deployment = deployment
    this.#keys = keys
  }

  /** A cursor behind the newest event. */
  newest(): string {
    const sequence = this.#next - 1
    return cursorOf(new Lineage(this.#deployment.journal), { sequence, hint: sequence })
  }

  async append(): Promise<void> {
    const value = eventOf(this.#next++, monotonicUs())
    await this.#deployment.journal.append('events', 0, [{ value, id: value.id, at: Date.now() }])
  }

  /** Connects clients to nodes, as many to each, and waits until they have caught up. */
  async connect(nodes: readonly Service[], count: number, cursor = 'latest', missed = 0): Promise<Clients[]> {
    const all = nodes.map((node) => ({
      node,
      process: new Process('streams-client.ts', []),
      count: count / nodes.length,
    }))
    await Promise.all(
      all.map(async ({ node, process, count: own }) => {
        const subscribe = { action: 'subscribe', cursor }
        const port = Number(new URL(node.streams).port)
        const path = '/v1/events/stream'
        await process.ask({ ask: 'connect', port, path, count: own, subscribe, keys: this.#keys })
        await process.ask({ ask: 'received', count: own * (BEFORE_EVENTS + missed) })
      }),
    )
    return all
  }

  /** Seconds of CPU time of the nodes for a message, and how long messages took, in ms. */
  async live(all: readonly Clients[]): Promise<Latencies & { readonly cpu: number }> {
    for (let round = 0; round < WARM_ROUNDS; round++) await this.#send(all)
    return this.#send(all)
  }

  async #send(all: readonly Clients[]) {
    for (const { process } of all) await process.ask({ ask: 'reset', timed: true })
    const used = () => all.reduce((sum, { node }) => sum + cpuOf(node.processes()[0]?.pid ?? 0), 0)
    const before = used()
    await atRate(LIVE.perSecond, LIVE.count, () => void this.append())
    await Promise.all(all.map(({ process, count }) => process.ask({ ask: 'received', count: count * LIVE.count })))
    const cpu = (used() - before) / (LIVE.count * all.reduce((sum, { count }) => sum + count, 0))
    const latencies = await Promise.all(all.map(({ process }) => process.ask<Latencies>({ ask: 'latencies' })))
    const worst = (of: keyof Latencies) => Math.max(...latencies.map((each) => each[of]))
    return { cpu, p50: worst('p50'), p99: worst('p99') }
  }
}

export async function bench(): Promise<Measure[]> {
  const stopServices = await setUp()
  let deployment: Deployment | undefined
  try {
    deployment = await openDeployment()
    const issued = await deployment.newKeys('pro', KEYS)
    const load = new Load(
      deployment,
      issued.map(({ key }) => key),
    )
    await load.append()
    return await measured(deployment, load)
  } finally {
    await deployment?.close()
    await stopServices()
  }
}

async function measured(deployment: Deployment, load: Load): Promise<Measure[]> {
  const nodes: Service[] = []
  const join = () => seconds(async () => nodes.push(await deployment.startNode('streams')))
  const first = await join()
  const ofOne = await load.connect(nodes, CLIENTS)
  const one = await load.live(ofOne)
  for (const { process } of ofOne) process.end()
  const joined: number[] = []
  while (nodes.length < NODES) joined.push(await join())
  const ofAll = await load.connect(nodes, CLIENTS)
  const all = await load.live(ofAll)
  for (const { process } of ofAll) process.end()
  const { left, again } = await leave(nodes, load)
  return [
    { name: 'CPU time of a message', ours: all.cpu * 1e6, ceiling: one.cpu * 1e6, unit: 'µs' },
    { name: 'p50 append → client', ours: all.p50, ceiling: one.p50, unit: 'ms' },
    { name: 'p99 append → client', ours: all.p99, ceiling: one.p99, unit: 'ms' },
    { name: 'a node that joins', ours: Math.max(...joined), ceiling: first, unit: 's' },
    {
      name: `a node that leaves, until its ${LEAVING} clients are served by others`,
      ours: left,
      ceiling: again,
      unit: 's',
    },
  ]
}

/** Seconds from the end of a node until others have sent its clients what they lacked, and how long that takes by itself. */
async function leave(
  nodes: readonly Service[],
  load: Load,
): Promise<{ readonly left: number; readonly again: number }> {
  const others = nodes.slice(0, -1)
  const cursor = load.newest()
  const backAt = async () => {
    const clients = await load.connect(others, LEAVING, cursor, BEHIND)
    for (const { process } of clients) process.end()
  }
  const leaving = await load.connect(nodes.slice(-1), LEAVING)
  for (let n = 0; n < BEHIND; n++) await load.append()
  const again = await seconds(backAt)
  const left = await seconds(async () => {
    const stopping = leaving[0]?.node.stop()
    await until('all clients of the node are let go', async () => {
      const seen = await leaving[0]?.process.ask<{ readonly lost: number }>({ ask: 'frames' })
      return seen?.lost === LEAVING
    })
    await backAt()
    await stopping
  })
  for (const { process } of leaving) process.end()
  return { left, again }
}
