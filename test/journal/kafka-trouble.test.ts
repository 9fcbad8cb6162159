import { describe, expect, it } from 'vitest'
import { freePort } from '../../infra/ports.ts'
import { type KafkaClient, KafkaFailure } from '../../journal/kafka/client.ts'
import { createKafkaJsClient } from '../../journal/kafka/kafkajs/client.ts'
import type { KafkaConnection } from '../../journal/kafka/options.ts'
import { createPlatformaticClient } from '../../journal/kafka/platformatic/client.ts'
import { Trouble } from '../../journal/kafka/trouble.ts'

const [one, two] = [
  { host: '10.0.0.1', port: 9092 },
  { host: '10.0.0.2', port: 9092 },
]
const failure = new KafkaFailure('unreachable', 'UNREACHABLE', 'TEST')

describe('trouble with Kafka nodes', () => {
  it('is told once for a node when it begins, once a minute while it lasts, and when it is over', () => {
    const told: string[] = []
    let now = 0
    const trouble = new Trouble(
      (level, message) => void told.push(`${level} ${message}`),
      () => now,
    )
    trouble.answered(one)
    for (now = 0; now < 90_000; now += 500) trouble.failed(one, failure)
    trouble.failed(two, failure)
    trouble.answered(one)
    trouble.answered(one)
    // One connection to the node fails while another answers: this too is logged once a minute.
    for (let i = 0; i < 10; i++) {
      trouble.failed(one, failure)
      trouble.answered(one)
    }
    now += 60_000
    trouble.failed(one, failure)
    expect(told).toEqual([
      'warn Kafka node 10.0.0.1:9092 does not answer; retrying: UNREACHABLE: TEST',
      'warn Kafka node 10.0.0.1:9092 still does not answer; retrying: UNREACHABLE: TEST',
      'warn Kafka node 10.0.0.2:9092 does not answer; retrying: UNREACHABLE: TEST',
      'info Kafka node 10.0.0.1:9092 answers again',
      'warn Kafka node 10.0.0.1:9092 does not answer; retrying: UNREACHABLE: TEST',
    ])
  })

  const clients: [string, (options: KafkaConnection) => KafkaClient][] = [
    ['kafkajs', createKafkaJsClient],
    ['platformatic', createPlatformaticClient],
  ]
  it.each(clients)('is told in one line, however often %s tries', async (_, create) => {
    const broker = `127.0.0.1:${await freePort()}`
    const told: string[] = []
    const log: KafkaConnection['log'] = (level, line) => void (level !== 'debug' && told.push(`${level} ${line}`))
    const client = create({ brokers: [broker], clientId: 'test', log })
    for (let i = 0; i < 10; i++) await expect(client.nodeCount()).rejects.toMatchObject({ kind: 'unreachable' })
    client.close()
    await expect(client.nodeCount()).rejects.toMatchObject({ type: 'CLOSED' })
    expect(told).toEqual([expect.stringMatching(`^warn Kafka node ${broker} does not answer.*ECONNREFUSED`)])
  })
})
