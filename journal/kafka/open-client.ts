import type { KafkaClient } from './client.ts'
import type { KafkaJournalOptions } from './options.ts'

/** Creates the client that the options name, and loads only its package. */
export async function openClient(options: KafkaJournalOptions): Promise<KafkaClient> {
  return options.client === 'platformatic'
    ? (await import('./platformatic/client.ts')).createPlatformaticClient(options)
    : (await import('./kafkajs/client.ts')).createKafkaJsClient(options)
}
