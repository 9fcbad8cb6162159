import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Journal, TopicSettings } from '../../../journal/journal.ts'
import { Ledger } from '../../../journal/kafka/ledger.ts'
import { openClient } from '../../../journal/kafka/open-client.ts'
import { deadlineIn } from '../../../journal/kafka/retry.ts'
import { journalContract } from '../../contracts/journal-contract.ts'
import { record } from '../../contracts/support/journal-world.ts'
import { distinguishTests, onTestFinished } from '../../support/concurrent.ts'
import { until } from '../../support/journal.ts'
import { createByAdmin } from '../../support/kafka-topics.ts'
import { randomFrom } from '../../support/random.ts'
import { serviceIsThere } from '../../support/services.ts'
import { appendSuite } from './kafka-append-suite.ts'
import { claimSuite } from './kafka-claim-suite.ts'
import { costSuite } from './kafka-cost-suite.ts'
import { loseResponses } from './kafka-lost.ts'
import { readSuite } from './kafka-read-suite.ts'
import { topicSuite } from './kafka-topic-suite.ts'
import { transactionSuite } from './kafka-transaction-suite.ts'
import { HOUR_MS, type KafkaClientName, LOST, SEED, startKafkaWorld } from './kafka-world.ts'

/**
 * What the journal on Kafka promises, with one of the clients that it runs on. Without `whole` it is the contract alone,
 * which all adapters of the journal keep; the faults are then those of the default client.
 */
export function kafkaSuite(client: KafkaClientName, whole: boolean): void {
  describe.skipIf(!serviceIsThere('java'))(`the journal on Kafka with ${client}`, () => {
    const world = startKafkaWorld(client)
    const { openAt, open, openThroughProxy, createTopic, truncate } = world

    journalContract(`kafka with ${client}`, {
      open: async () => rollingSegments(await openAt()),
      truncate,
      histories: 5,
    })

    /**
     * Kafka compacts what is not in the newest segment: compacted topics get segments of a batch each. And by default
     * it does so once more than half is dirty, which a log that is cleaned after each batch never is.
     */
    function rollingSegments(journal: Journal): Journal {
      const ensureTopics = journal.ensureTopics.bind(journal)
      return Object.assign(journal, {
        ensureTopics: async (topics: Readonly<Record<string, TopicSettings>>) => {
          const settings = {
            'cleanup.policy': 'compact',
            'min.cleanable.dirty.ratio': '0.01',
            'internal.segment.bytes': '150',
            'message.timestamp.before.max.ms': String(2n ** 63n - 1n),
          }
          const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
          for (const [topic, { partitions, cleanup }] of Object.entries(topics))
            if (cleanup === 'compact')
              await createByAdmin(world.admin, { topic, numPartitions: partitions, configEntries })
          await ensureTopics(topics)
        },
      })
    }

    if (!whole) return

    costSuite(world)

    // At once, because these wait for what was lost, stopped or used up.
    describe.concurrent('when Kafka or an owner fails', () => {
      distinguishTests()

      appendSuite(world)
      transactionSuite(world)
      readSuite(world)
      topicSuite(world)

      it('has changed its row for everybody once that is said', async () => {
        const prefix = `${randomUUID()}.`
        const topic = `${prefix}journal`
        await open({ prefix })
        const ledgers = await Promise.all(
          [1, 2].map(async () => {
            const connection = await openClient({ brokers: [world.broker], clientId: 'test', prefix, client })
            onTestFinished(() => connection.close())
            return new Ledger(connection, topic)
          }),
        )
        const [ours, theirs] = ledgers as [Ledger, Ledger]
        for (let times = 0; times < 100; times++) {
          const topics = [`${times}`]
          await ours.change(topic, deadlineIn(5_000), (row) => row && { row: { ...row, topics } })
          expect((await theirs.journal(deadlineIn(5_000)))?.topics).toEqual(topics)
        }
      })

      claimSuite(world)

      it('closes soon when nothing is answered any more, whatever is under way (promise 13)', async () => {
        const address = await createTopic(2)
        const { proxy, journal } = await openThroughProxy({ requestMs: 10_000 })
        const [claim, spare] = [
          await journal.claim(`claim-${randomUUID()}`),
          await journal.claim(`claim-${randomUUID()}`),
        ]
        const writes = [{ ...address, records: [record('before')] }]
        await journal.transact(claim, writes)
        const follower = journal.follow(address, 2, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
        await follower.next()
        proxy.arm({ apis: Array.from({ length: 100 }, (_, api) => api), action: 'lose request', count: 10_000 })
        const underWay = [
          journal.append({ ...address, partition: 1, records: [record('lost')] }),
          journal.transact(claim, writes),
          journal.claim(`claim-${randomUUID()}`),
          follower.next(),
        ]
        const outcomes = Promise.allSettled(underWay)
        await until('it is lost', () => proxy.hits > 2)
        const startedAt = performance.now()
        await spare.release()
        // Not after its requests' time.
        expect(performance.now() - startedAt).toBeLessThan(5_000)
        const closingAt = performance.now()
        await journal.close()
        expect(performance.now() - closingAt).toBeLessThan(5_000)
        expect((await outcomes).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
      })
    })

    it('does everything once, and says where, whatever request or answer is lost', async () => {
      const clients = 8
      const { topic } = await createTopic(2 * clients)
      const ways = await Promise.all(
        Array.from({ length: clients }, () => openThroughProxy({ requestMs: 250, claimExpiryMs: HOUR_MS })),
      )
      const cases = Math.ceil(LOST / clients)
      const lost = ways.map((way, i) => loseResponses(way, { topic, partition: 2 * i }, cases, randomFrom(SEED + i)))
      const totals = new Map<string, number>()
      for (const told of await Promise.all(lost))
        for (const [what, count] of told) totals.set(what, (totals.get(what) ?? 0) + count)
      expect([...totals.values()].reduce((sum, count) => sum + count, 0)).toBe(cases * clients)
      if (LOST > 100) console.log(`lost, seed ${SEED}:`, totals)
    })
  })
}
