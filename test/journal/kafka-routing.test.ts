import { describe, expect, it } from 'vitest'
import { type KafkaClient, KafkaFailure } from '../../journal/kafka/client.ts'
import { type KafkaNode, type Metadata, RoutedClient } from '../../journal/kafka/routed-client.ts'
import { until } from '../support/journal.ts'

const FETCH = { maxBytes: 1, waitMs: 0, isolation: 'all' } as const
const address = { topic: 'TEST', partition: 0 }
const closed = { name: 'KafkaFailure', type: 'CLOSED' }

/** Nodes a:1 and b:2, of which b leads everything. Metadata is answered when `answer` is called, or at once. */
function twoNodes({ isHeld = false } = {}) {
  const opened: { host: string; isLane: boolean; isClosed: boolean }[] = []
  const asked: string[] = []
  const away = new Set<string>()
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  const metadata: Metadata = {
    nodes: new Map([
      [1, { host: 'a', port: 1 }],
      [2, { host: 'b', port: 2 }],
    ]),
    partitions: [{ id: 0, leader: 2, replicas: 2 }],
  }
  const client: KafkaClient = new RoutedClient(['a:1', 'b:2'], ({ host }, isLane) => {
    const state = { host, isLane, isClosed: false }
    opened.push(state)
    const node: Partial<KafkaNode> = {
      metadata: async () => {
        asked.push(host)
        if (away.has(host)) throw new KafkaFailure('unreachable', 'UNREACHABLE', host)
        if (isHeld) await held
        return metadata
      },
      fetch: async () => ({ bytes: Buffer.alloc(0), aborted: [], lastStableOffset: 0 }),
      offsetOf: async () => 0,
      offsetForTime: async () => 0,
      close: () => {
        state.isClosed = true
      },
    }
    return node as KafkaNode
  })
  return { client, opened, asked, away, answer }
}

describe('the client on single nodes', () => {
  it('opens nothing for a lane that was closed while its leader was looked for', async () => {
    const { client, opened, asked, answer } = twoNodes({ isHeld: true })
    const lane = client.openLane()
    const fetching = lane.fetch(address, 0, FETCH)
    await until('the leader is asked for', () => asked.length === 1)
    lane.close()
    answer()
    await expect(fetching).rejects.toMatchObject(closed)
    await expect(lane.fetch(address, 0, FETCH)).rejects.toMatchObject(closed)
    expect(opened.filter(({ isLane }) => isLane)).toEqual([])
    await client.openLane().fetch(address, 0, FETCH)
    expect(opened.filter(({ isLane }) => isLane)).toHaveLength(1)
  })

  it('opens nothing once it is closed, whatever is under way or comes later', async () => {
    const { client, opened, asked, answer } = twoNodes({ isHeld: true })
    const lane = client.openLane()
    const underWay = [client.offsetOf(address, 'end'), lane.fetch(address, 0, FETCH)]
    await until('the leader is asked for', () => asked.length === 2)
    client.close()
    answer()
    const later = [client.nodeCount(), client.offsetOf(address, 'end'), client.openLane().fetch(address, 0, FETCH)]
    for (const outcome of [...underWay, ...later]) await expect(outcome).rejects.toMatchObject(closed)
    expect(opened).toEqual([{ host: 'a', isLane: false, isClosed: true }])
  })

  it('asks the node that last answered first', async () => {
    const { client, asked, away } = twoNodes()
    away.add('a')
    await client.nodeCount()
    away.clear()
    await client.nodeCount()
    expect(asked.splice(0)).toEqual(['a', 'b', 'b'])
    away.add('b')
    await client.nodeCount()
    await client.nodeCount()
    expect(asked).toEqual(['b', 'a', 'a'])
  })
})
