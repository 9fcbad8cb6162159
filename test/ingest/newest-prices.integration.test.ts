import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import { startKafkaWorld } from '../journal/support/kafka-world.ts'
import { serviceIsThere } from '../support/services.ts'
import { newestPricesUpgradeSuite } from './support/newest-prices-upgrade-suite.ts'

describe.skipIf(!serviceIsThere('java'))('newest_prices of a journal on Kafka of the release before it', () => {
  const kafka = startKafkaWorld('kafkajs')
  newestPricesUpgradeSuite(async () => ({ open: () => kafka.openAt(), prefix: `${randomUUID()}.` }))
})
