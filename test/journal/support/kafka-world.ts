import { randomUUID } from 'node:crypto'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll } from 'vitest'
import type { Journal, PartitionAddress } from '../../../journal/journal.ts'
import { openKafkaJournal } from '../../../journal/kafka/journal.ts'
import { ownTopics } from '../../../journal/kafka/ledger.ts'
import type { KafkaJournalOptions } from '../../../journal/kafka/options.ts'
import { readAll, textsOf } from '../../contracts/support/journal-world.ts'
import { onTestFinished } from '../../support/concurrent.ts'
import { until } from '../../support/journal.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { Child } from './child.ts'
import { KafkaProxy } from './kafka-proxy.ts'

const KAFKA_PROCESS = `${import.meta.dirname}/kafka-process.ts`
const REQUEST_MS = 700

export const HOUR_MS = 3_600_000

/** ALMANAC_TEST_HISTORIES=300 and ALMANAC_TEST_LOST=5000 for the long runs; ALMANAC_TEST_SEED repeats one. */
export const HISTORIES = Number(process.env.ALMANAC_TEST_HISTORIES ?? 1)
export const LOST = Number(process.env.ALMANAC_TEST_LOST ?? 8)
export const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

export type KafkaClientName = 'kafkajs' | 'platformatic'
export type KafkaWorld = ReturnType<typeof startKafkaWorld>

/**
 * A journal of its own on the Kafka node of the run, or on another one, for the tests of the enclosing `describe`. Journals
 * that a test opens are closed after that test. `broker` and `admin` exist only once the tests run.
 */
export function startKafkaWorld(
  client: KafkaClientName,
  startNode = async () => (await sharedServer('kafka')).brokers,
) {
  const prefix = `almanac-${randomUUID()}.`
  let admin: Admin
  let broker: string

  beforeAll(async () => {
    broker = (await startNode())[0] as string
    admin = stranger().admin()
    await admin.connect()
  })

  afterAll(() => admin?.disconnect())

  /** A client of Kafka that is not ours. */
  function stranger(): Kafka {
    return new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
  }

  /** Opens a journal that its caller closes. */
  const openAt = (options: Partial<KafkaJournalOptions> = {}) =>
    openKafkaJournal({ brokers: [broker], clientId: 'test', prefix, client, ...options })

  async function open(options: Partial<KafkaJournalOptions> = {}): Promise<Journal> {
    const journal = await openAt(options)
    onTestFinished(() => journal.close())
    return journal
  }

  /** A journal that sees the node through a proxy, and gives up an answer after 0.7 s. */
  async function openThroughProxy(options: Partial<KafkaJournalOptions> = {}) {
    const proxy = await KafkaProxy.open(broker)
    const journal = await open({ brokers: [proxy.broker], requestMs: REQUEST_MS, ...options })
    return { proxy, journal }
  }

  /** Ends when no topic is being created: journals that put topics on record at once shut each other out for a while. */
  let creating: Promise<unknown> = Promise.resolve()
  async function createTopic(partitions = 1): Promise<PartitionAddress> {
    const topic = `test-${randomUUID()}`
    const journal = await open()
    const created = creating.then(() =>
      journal.ensureTopics({ [topic]: { partitions, cleanup: 'delete', retentionMs: null } }),
    )
    creating = created.catch(() => undefined)
    await created
    return { topic, partition: 0 }
  }

  async function remove(topic: string): Promise<void> {
    await admin.deleteTopics({ topics: [topic] })
    await until('it is gone', async () => !(await admin.listTopics()).includes(topic))
  }

  async function truncate({ topic, partition }: PartitionAddress, offset: number): Promise<void> {
    await admin.fetchTopicOffsets(topic)
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] })
  }

  /** Does what a contender does that finds nothing to take. */
  async function shutOut(name: string): Promise<void> {
    const producer = stranger().producer({ idempotent: true, transactionalId: `${prefix}${name}` })
    await producer.connect()
    await (await producer.transaction()).abort()
    await producer.disconnect()
  }

  const textsIn = async (address: PartitionAddress) => textsOf((await readAll(await open(), address)).records)

  const child = (role: string, topic: string, argument = '', ...claimExpiryMs: number[]) =>
    new Child(
      [role, broker, topic, argument, client, prefix, ...claimExpiryMs.map(String)],
      `shift; exec "$0" ${KAFKA_PROCESS} "$@"`,
    )

  return {
    client,
    ledgerTopic: ownTopics(prefix).ledger,
    get broker() {
      return broker
    },
    get admin() {
      return admin
    },
    stranger,
    openAt,
    open,
    openThroughProxy,
    createTopic,
    remove,
    truncate,
    shutOut,
    textsIn,
    child,
  }
}
