import { topics } from '../../../contracts/topics.ts'
import { createKafkaJsClient } from '../../../journal/kafka/kafkajs/client.ts'
import { Ledger } from '../../../journal/kafka/ledger.ts'
import { deadlineIn } from '../../../journal/kafka/retry.ts'
import type { Deployment } from './deployment.ts'

const processors = [
  'derivations/0',
  'predictions/0',
  'events/0',
  ...Array.from({ length: topics.ticks.partitions }, (_, partition) => `quotes/${partition}`),
]

/** The processes that own a processor, by their ids as the journal's own records have them; 0: nobody owns one. */
export async function ownersOfProcessors({ settings }: Deployment): Promise<number[]> {
  const brokers = (settings.ALMANAC_KAFKA_BROKERS ?? '').split(',')
  const client = createKafkaJsClient({ brokers, clientId: 'test-owners' })
  try {
    const ledger = new Ledger(client, `${settings.ALMANAC_TOPIC_PREFIX}journal`)
    const rows = await Promise.all(processors.map((name) => ledger.claim(`processor/${name}`, deadlineIn(10_000))))
    return [...new Set(rows.map((row) => row?.owner?.process.pid ?? 0))]
  } finally {
    client.close()
  }
}
