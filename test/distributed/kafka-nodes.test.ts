import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ITopicMetadata, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningKafka, startKafka } from '../../infra/services/kafka.ts'
import { until, valuesOf } from '../support/journal.ts'
import type { Service } from '../support/service.ts'
import { type Deployment, openDeployment } from './support/deployment.ts'
import { expectExactlyOnce, Ingest, Reader } from './support/load.ts'

/** Three Kafka nodes, of which each in turn is killed while figures come in and events go out. */
let dir: string
let kafka: RunningKafka
let deployment: Deployment
let node: Service
let key: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-kafka-nodes-'))
  kafka = await startKafka({ dir, nodes: 3 })
  deployment = await openDeployment({ brokers: kafka.brokers })
  const [pro] = await deployment.newKeys('pro', 1)
  key = pro?.key ?? ''
  node = await deployment.startNode('store,ingest,processors,projections,api,streams')
})
afterAll(async () => {
  await deployment?.close()
  await kafka?.stop()
  await rm(dir, { recursive: true, force: true })
})

async function partitions(): Promise<ITopicMetadata['partitions']> {
  const options = { brokers: [...kafka.brokers], clientId: 'test-nodes', logLevel: logLevel.NOTHING }
  const admin = new Kafka(options).admin()
  await admin.connect()
  try {
    return (await admin.fetchTopicMetadata()).topics.flatMap((topic) => topic.partitions)
  } finally {
    await admin.disconnect()
  }
}

/** Waits until `condition` holds for every partition; a cluster that is busy with its election doesn't answer. */
const untilAll = (what: string, condition: (partition: ITopicMetadata['partitions'][number]) => boolean) =>
  until(what, async () => (await partitions().catch(() => undefined))?.every(condition) ?? false)

const untilInSync = () => untilAll('every partition is on all nodes', ({ isr }) => isr.length === kafka.nodes.length)

describe('three Kafka nodes', () => {
  it('lose nothing that was acknowledged when any of them is killed, and streams have no gap and no double', async () => {
    const ingest = new Ingest(deployment.journal)
    const reader = new Reader(node, key)
    const away: number[] = []
    for (const [index, broker] of kafka.nodes.entries()) {
      const id = index + 1
      await untilInSync()
      expect((await partitions()).some(({ leader }) => leader === id)).toBe(true)
      const { pid } = broker
      await broker.kill()
      const killedAt = performance.now()
      expect(() => process.kill(pid, 0)).toThrow('ESRCH')
      await untilAll('every partition has another leader', ({ leader }) => leader > 0 && leader !== id)
      // What is taken in now gets its events while the node is away.
      await ingest.more(5)
      await reader.reaches((await valuesOf(deployment.journal, 'releases')).length)
      away.push(Math.round(performance.now() - killedAt))
      await broker.start()
    }
    await untilInSync()
    const { releases, events } = await expectExactlyOnce(deployment, ingest, reader)
    expect(reader.ends.filter((end) => end !== 'unavailable')).toEqual([])
    console.log(
      `events of figures after a kill: ${away.join(', ')} ms; ${releases} releases, ${events} events; ${ingest.faults} faults of ingest, ${reader.ends.length} ends of streams`,
    )
  })
})
