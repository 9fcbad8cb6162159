import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { KafkaClient } from '../../journal/kafka/client.ts'
import { createKafkaJsClient } from '../../journal/kafka/kafkajs/client.ts'
import type { KafkaConnection } from '../../journal/kafka/options.ts'
import { createPlatformaticClient } from '../../journal/kafka/platformatic/client.ts'
import { until } from '../support/journal.ts'

const clients: [string, (connection: KafkaConnection) => KafkaClient][] = [
  ['kafkajs', createKafkaJsClient],
  ['platformatic', createPlatformaticClient],
]

/** Something that takes connections, counts them and what it is asked, and never answers. */
async function silentNode() {
  const heard = { connections: 0, requests: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    heard.connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => {
      heard.requests++
    })
    socket.on('close', () => sockets.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(stop)
  return { broker: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard, sockets, stop }
}

const failure = (kind: string, type = kind.toUpperCase()) =>
  expect.objectContaining({ name: 'KafkaFailure', kind, type })
const someSilence = expect.objectContaining({
  name: 'KafkaFailure',
  kind: expect.stringMatching('^(unreachable|unanswered)$'),
})
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

describe.each(clients)('the client on %s', (_, create) => {
  function open(broker: string, requestMs: number): KafkaClient {
    const client = create({ brokers: [broker], clientId: 'test', requestMs })
    onTestFinished(() => client.close())
    return client
  }

  it('says `unreachable` where nobody listens', async () => {
    const { broker, stop } = await silentNode()
    stop()
    await expect(open(broker, 5_000).nodeCount()).rejects.toEqual(failure('unreachable'))
  })

  it('gives up an answer after its time (or that of connecting), and connects anew for the next request', async () => {
    const { broker, heard } = await silentNode()
    const client = open(broker, 200)
    const startedAt = performance.now()
    await expect(client.nodeCount()).rejects.toEqual(someSilence)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const before = heard.connections
    await expect(client.nodeCount()).rejects.toEqual(someSilence)
    expect(heard.connections).toBeGreaterThan(before)
  })

  it('fails what is under way when the node goes, long before its time', async () => {
    const { broker, heard, sockets } = await silentNode()
    const asked = expect(open(broker, 60_000).nodeCount()).rejects.toEqual(someSilence)
    await until('it has asked', () => heard.requests > 0)
    for (const socket of sockets) socket.destroy()
    await asked
  })

  it('fails what is under way when it is closed, leaves no connection and no timer, and does nothing more', async () => {
    const idle = timers()
    const { broker, heard, sockets } = await silentNode()
    const client = open(broker, 60_000)
    const asked = expect(client.nodeCount()).rejects.toEqual(someSilence)
    await until('it has asked', () => heard.requests > 0)
    client.close()
    await asked
    await until('all is quiet', () => sockets.size === 0 && timers() <= idle)
    const before = heard.connections
    await expect(client.nodeCount()).rejects.toEqual(failure('unreachable', 'CLOSED'))
    expect(heard.connections).toBe(before)
  })
})
