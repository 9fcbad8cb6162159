import type { KafkaClient } from './client.ts'
import type { KafkaJournalOptions } from './options.ts'

/** Loads the one package that is used. */
export async function openClient(options: KafkaJournalOptions): Promise<KafkaClient> {
  return options.client === 'platformatic'
    ? (await import('./platformatic/client.ts')).createPlatformaticClient(options)
    : (await import('./kafkajs/client.ts')).createKafkaJsClient(options)
}
