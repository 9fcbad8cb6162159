import { describe, expect, it } from 'vitest'
import type { TopicSettings } from '../../journal/journal.ts'
import { KafkaCatalog } from '../../journal/kafka/catalog.ts'
import type { KafkaClient, NewTopic } from '../../journal/kafka/client.ts'

const KEPT: TopicSettings = { partitions: 1, cleanup: 'delete', retentionMs: null }
const HOUR_MS = 3_600_000

/** A cluster of `nodes` that remembers the topics it was asked for. */
function clusterOf(nodes: number, topics: Record<string, NewTopic> = {}) {
  const warnings: unknown[] = []
  const cluster = { nodes, topics, warnings }
  const client: Pick<KafkaClient, 'nodeCount' | 'shapeOf' | 'settingsOf' | 'createTopic'> = {
    nodeCount: async () => cluster.nodes,
    shapeOf: async (topic) => topics[topic],
    settingsOf: async (topic) => topics[topic]?.settings ?? {},
    createTopic: async (name, topic) => {
      topics[name] = topic
    },
  }
  const open = () =>
    new KafkaCatalog(client as KafkaClient, (level, message, { topics }) => warnings.push({ level, message, topics }))
  return { ...cluster, cluster, open }
}

const warningOf = (message: string, ...topics: string[]) => ({
  level: 'warn',
  message: expect.stringContaining(message),
  topics,
})

describe('the topics on Kafka', () => {
  it('have three replicas and ask two of them where there are three nodes, and nobody is warned', async () => {
    const { topics, warnings, open } = clusterOf(3)
    await open().ensure({ TEST: KEPT })
    expect(topics.TEST).toMatchObject({ replicas: 3, settings: { 'min.insync.replicas': '2' } })
    await open().ensure({ TEST: KEPT })
    expect(warnings).toEqual([])
  })

  it('are warned of when they were made while a node was away, then and at every start with all nodes', async () => {
    const { cluster, topics, warnings, open } = clusterOf(2)
    await open().ensure({ TEST: KEPT })
    expect(topics.TEST?.replicas).toBe(2)
    expect(warnings.splice(0)).toEqual([warningOf('two nodes', 'TEST')])
    await open().ensure({ TEST: KEPT })
    expect(warnings).toEqual([])
    cluster.nodes = 3
    await open().ensure({ TEST: KEPT, whole: KEPT })
    expect(warnings).toEqual([warningOf('fewer replicas', 'TEST')])
  })

  it('are warned of when three replicas may be acknowledged by one', async () => {
    const settings = { 'cleanup.policy': 'delete', 'min.insync.replicas': '1' }
    const { warnings, open } = clusterOf(3, { TEST: { partitions: 1, replicas: 3, settings } })
    await open().ensure({ TEST: KEPT })
    expect(warnings).toEqual([warningOf('fewer replicas', 'TEST')])
  })

  it('say nothing on a single node', async () => {
    const { warnings, open } = clusterOf(1)
    await open().ensure({ TEST: KEPT })
    await open().ensure({ TEST: KEPT })
    expect(warnings).toEqual([])
  })

  it('are warned of once where their operator keeps records for another time', async () => {
    const topic = (settings: Record<string, string>): NewTopic => ({ partitions: 1, replicas: 1, settings })
    const kept = (cleanup: string, ms: string) => topic({ 'cleanup.policy': cleanup, 'retention.ms': ms })
    const { warnings, open } = clusterOf(1, {
      ever: kept('delete', '-1'),
      week: kept('delete', '604800000'),
      newest: kept('compact', '604800000'),
    })
    const catalog = open()
    await catalog.ensure({ ever: KEPT, week: { ...KEPT, retentionMs: 604_800_000 }, made: { ...KEPT, retentionMs: 1 } })
    await catalog.ensure({ newest: { ...KEPT, cleanup: 'compact' } })
    expect(warnings).toEqual([])
    await catalog.ensure({ ever: { ...KEPT, retentionMs: HOUR_MS }, week: KEPT })
    const found = {
      ever: 'retention.ms is -1; the settings ask for 3600000',
      week: 'retention.ms is 604800000; the settings ask for -1',
    }
    expect(warnings).toEqual([{ level: 'warn', message: expect.stringContaining('kafka-configs.sh'), topics: found }])
  })

  it('are refused where Kafka replaces the time of records, and nothing is made then', async () => {
    const topic = (type: string): NewTopic => ({
      partitions: 1,
      replicas: 1,
      settings: { 'cleanup.policy': 'delete', 'message.timestamp.type': type },
    })
    const { topics, open } = clusterOf(1, { own: topic('CreateTime'), arrival: topic('LogAppendTime') })
    await open().ensure({ own: KEPT })
    await expect(open().ensure({ added: KEPT, own: KEPT, arrival: KEPT })).rejects.toMatchObject({
      code: 'topic_mismatch',
      message: expect.stringContaining('arrival has message.timestamp.type=LogAppendTime; asked for CreateTime'),
    })
    expect(Object.keys(topics)).toEqual(['own', 'arrival'])
  })

  it('have segments that end in time for a short retention', async () => {
    const { topics, open } = clusterOf(1)
    const retained = (retentionMs: number | null): TopicSettings => ({ ...KEPT, retentionMs })
    await open().ensure({
      hour: retained(HOUR_MS),
      second: retained(1_000),
      years: retained(20_000 * HOUR_MS),
      kept: retained(null),
    })
    const segments = Object.values(topics).map(({ settings }) => settings['segment.ms'])
    expect(segments).toEqual([String(HOUR_MS / 4), '60000', undefined, undefined])
  })

  it('tell how great a batch may be, as their operator has it', async () => {
    const topic = (bytes: string): NewTopic => ({
      partitions: 1,
      replicas: 1,
      settings: { 'cleanup.policy': 'delete', 'max.message.bytes': bytes },
    })
    const { open } = clusterOf(1, { little: topic('1048588'), much: topic('104857600') })
    const sizes = ['little', 'much'].map(async (name) => (await open().find({ topic: name, partition: 0 })).batchBytes)
    expect(await Promise.all(sizes)).toEqual([1_048_588, 104_857_600])
  })
})
