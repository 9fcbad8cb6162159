import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { startKafkaWorld } from '../journal/support/kafka-world.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { fetchesSuite } from './support/fetches-suite.ts'

describe('the fetch of a dataset, with the embedded journal', () => {
  fetchesSuite(async () => (await openEmbeddedTestJournal()).journal)
})

describe.skipIf(!serviceIsThere('java'))('the fetch of a dataset, with Kafka', () => {
  const kafka = startKafkaWorld('kafkajs')
  fetchesSuite(async () => TypedJournal.open(await kafka.open(), localRegistry(), `${randomUUID()}.`))
})
