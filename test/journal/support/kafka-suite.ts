import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alterClientQuotasV1, Connection } from '@platformatic/kafka'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningKafka, startKafka } from '../../../infra/services/kafka.ts'
import type { Batch, Claim, Journal, PartitionAddress, TopicSettings } from '../../../journal/journal.ts'
import { openKafkaJournal } from '../../../journal/kafka/journal.ts'
import { Ledger } from '../../../journal/kafka/ledger.ts'
import { openClient } from '../../../journal/kafka/open-client.ts'
import type { KafkaJournalOptions } from '../../../journal/kafka/options.ts'
import { deadlineIn } from '../../../journal/kafka/retry.ts'
import { failsWith, journalContract, readAll, record, textsOf } from '../../contracts/journal-contract.ts'
import { until } from '../../support/journal.ts'
import { randomFrom } from '../../support/random.ts'
import { serviceIsThere } from '../../support/services.ts'
import { Child } from './child.ts'
import { writeHistory } from './kafka-histories.ts'
import { loseResponses } from './kafka-lost.ts'
import { API, type Fault, KafkaProxy } from './kafka-proxy.ts'

const KAFKA_PROCESS = `${import.meta.dirname}/kafka-process.ts`
const REQUEST_MS = 700
const HOUR_MS = 3_600_000

/** ALMANAC_TEST_HISTORIES=300 and ALMANAC_TEST_LOST=5000 for the long runs; ALMANAC_TEST_SEED repeats one. */
const HISTORIES = Number(process.env.ALMANAC_TEST_HISTORIES ?? 1)
const LOST = Number(process.env.ALMANAC_TEST_LOST ?? 16)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const LONG_MS = 60_000 + HISTORIES * 20_000 + LOST * 1_000

/** All that the journal on Kafka promises, with one of the clients that it runs on. A file for each: they run at once. */
export function kafkaSuite(client: 'kafkajs' | 'platformatic'): void {
  describe.skipIf(!serviceIsThere('java'))(`the journal on Kafka with ${client}`, { timeout: 60_000 }, () => {
    let dir: string
    let kafka: RunningKafka
    let admin: Admin
    let broker: string

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'almanac-kafka-'))
      const settings = {
        'log.cleaner.backoff.ms': '300',
        // Kafka's own retention, half a minute after a start, would take the records of 1970.
        'log.initial.task.delay.ms': '3600000',
        // So that a node killed and started again is let in soon.
        'broker.session.timeout.ms': '2000',
        'broker.heartbeat.interval.ms': '500',
      }
      kafka = await startKafka({ dir, settings })
      broker = kafka.brokers[0] as string
      admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
    }, 120_000)

    afterAll(async () => {
      await admin?.disconnect()
      await kafka?.stop()
      await rm(dir, { recursive: true, force: true })
    })

    const openAt = (options: Partial<KafkaJournalOptions> = {}) =>
      openKafkaJournal({ brokers: [broker], clientId: 'test', prefix: 'almanac.', client, ...options })

    const truncate = async ({ topic, partition }: PartitionAddress, offset: number) => {
      await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] })
    }

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
              await admin.createTopics({ topics: [{ topic, numPartitions: partitions, configEntries }] })
          await ensureTopics(topics)
        },
      })
    }

    const opened: Journal[] = []

    afterEach(async () => {
      for (const journal of opened.splice(0)) await journal.close()
    })

    async function open(options: Partial<KafkaJournalOptions> = {}): Promise<Journal> {
      const journal = await openAt(options)
      opened.push(journal)
      return journal
    }

    async function createTopic(partitions = 1): Promise<PartitionAddress> {
      const topic = `test-${randomUUID()}`
      await (await open()).ensureTopics({ [topic]: { partitions, cleanup: 'delete', retentionMs: null } })
      return { topic, partition: 0 }
    }

    async function remove(topic: string): Promise<void> {
      await admin.deleteTopics({ topics: [topic] })
      await until('it is gone', async () => !(await admin.listTopics()).includes(topic))
    }

    /** A journal that sees the node through a proxy, and gives up an answer after 0.7 s. */
    async function openThroughProxy(options: Partial<KafkaJournalOptions> = {}) {
      const proxy = await KafkaProxy.open(broker)
      const journal = await open({ brokers: [proxy.broker], requestMs: REQUEST_MS, ...options })
      return { proxy, journal }
    }

    it('has one connection for all that ask at once, and none once it is closed', async () => {
      const address = await createTopic()
      for (const journal of opened.splice(0)) await journal.close()
      const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
      const before = sockets()
      const alone = await openClient({ brokers: [broker], clientId: 'test', prefix: '', client })
      await alone.offsetOf(address, 'end')
      const fetch = () => alone.fetch(address, 0, { maxBytes: 1_000, waitMs: 0, isolation: 'all' })
      await Promise.all(Array.from({ length: 8 }, fetch))
      expect(sockets() - before).toBeLessThanOrEqual(3)
      alone.close()
      await until('its connections are closed', () => sockets() <= before)
    })

    /** Does what a contender does that finds nothing to take. */
    async function shutOut(name: string): Promise<void> {
      const contender = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
      const stranger = contender.producer({ idempotent: true, transactionalId: `almanac.${name}` })
      await stranger.connect()
      await (await stranger.transaction()).abort()
      await stranger.disconnect()
    }

    const textsIn = async (address: PartitionAddress) => textsOf((await readAll(await open(), address)).records)

    const child = (role: string, topic: string, argument = '') =>
      new Child([role, broker, topic, argument, client], `shift; exec "$0" ${KAFKA_PROCESS} "$@"`)

    describe('appends', () => {
      const faults: [string, Fault['action']][] = [
        ['a request is lost', 'lose request'],
        ['an answer is lost', 'lose answer'],
        ['an answer is lost with its connection', 'lose answer and cut'],
      ]
      it.each(faults)('are each there once, in order, where it was said, when %s (K1)', async (_, action) => {
        const address = await createTopic()
        const { proxy, journal } = await openThroughProxy()
        await journal.append({ ...address, records: [record('warm')] })
        proxy.arm({ apis: [API.produce], action, skip: 1, count: 2 })
        const texts = Array.from({ length: 8 }, (_, i) => `${i}`)
        const appends = texts.map((text) => journal.append({ ...address, records: [record(text), record(`${text}+`)] }))
        const offsets = (await Promise.all(appends)).map(({ firstOffset }) => firstOffset)
        expect(proxy.hits).toBe(2)
        expect(offsets).toEqual(texts.map((_, i) => 1 + 2 * i))
        expect(await textsIn(address)).toEqual(['warm', ...texts.flatMap((text) => [text, `${text}+`])])
      })

      it('say `outcome_unknown` when no answer comes at all, and what follows is not taken for a repeat', async () => {
        const address = await createTopic()
        const { proxy, journal } = await openThroughProxy({ patienceMs: 1_000 })
        await journal.append({ ...address, records: [record('before')] })
        proxy.arm({ apis: [API.produce, API.fetch], action: 'lose answer', count: 99 })
        const unknown = journal.append({ ...address, records: [record('unknown')] })
        await expect(unknown).rejects.toEqual(failsWith('outcome_unknown'))
        proxy.heal()
        await journal.append({ ...address, records: [record('after')] })
        expect(await textsIn(address)).toEqual(['before', 'unknown', 'after'])
      })

      it('are looked for when only their answers stay away', async () => {
        const address = await createTopic()
        const { proxy, journal } = await openThroughProxy()
        await journal.append({ ...address, records: [record('before')] })
        proxy.arm({ apis: [API.produce], action: 'lose answer', count: 99 })
        expect(await journal.append({ ...address, records: [record('found')] })).toEqual({ firstOffset: 1 })
        expect(await textsIn(address)).toEqual(['before', 'found'])
      })

      it('are refused whole when they are more than the topic takes at once', async () => {
        const address = await createTopic()
        const journal = await open()
        const records = Array.from({ length: 17 }, () => record('', { value: Buffer.alloc(1_000_000) }))
        await expect(journal.append({ ...address, records })).rejects.toEqual(failsWith('record_too_large'))
        await journal.append({ ...address, records: records.slice(1) })
        expect(await journal.bounds(address)).toEqual({ start: 0, end: 16 })
      })

      it('say `unavailable` when nothing was sent', async () => {
        const address = await createTopic()
        const { proxy, journal } = await openThroughProxy({ patienceMs: 500 })
        await journal.bounds(address)
        proxy.arm({ apis: [API.initProducerId], action: 'lose request', count: 99 })
        await expect(journal.append({ ...address, records: [record('')] })).rejects.toEqual(failsWith('unavailable'))
      })
    })

    describe('transactions', () => {
      const part = (address: PartitionAddress, text: string) => ({ ...address, records: [record(text)] })

      async function claimThroughProxy(patienceMs: number) {
        const address = await createTopic(2)
        const { proxy, journal } = await openThroughProxy({ patienceMs })
        const claim = await journal.claim(`claim-${randomUUID()}`)
        const transact = (text: string, offset: number) =>
          journal.transact(
            claim,
            [part(address, text), part({ ...address, partition: 1 }, text)],
            [{ ...address, offset }],
          )
        await transact('first', 1)
        return { address, proxy, journal, claim, transact }
      }

      const inBoth = async (address: PartitionAddress) => {
        const [left, right] = [await textsIn(address), await textsIn({ ...address, partition: 1 })]
        expect(right).toEqual(left)
        return left
      }

      it('that could not be written leave nothing, and those after them are whole (K2)', async () => {
        const { address, proxy, claim, transact } = await claimThroughProxy(1_000)
        proxy.arm({ apis: [API.produce], action: 'lose answer', count: 99 })
        await expect(transact('failed', 2)).rejects.toEqual(failsWith('unavailable'))
        expect(proxy.hits).toBeGreaterThan(2)
        proxy.heal()
        expect(await claim.position(address)).toBe(1)
        await transact('second', 3)
        await transact('third', 4)
        expect(await claim.position(address)).toBe(4)
        expect(await inBoth(address)).toEqual(['first', 'second', 'third'])
        expect(claim.lost.aborted).toBe(false)
      })

      const endings: [string, Fault['action'], number][] = [
        ['the request to commit is lost', 'lose request', 1],
        ['the answer to the commit is lost', 'lose answer', 1],
        ['the answer to the commit is lost with its connection', 'lose answer and cut', 1],
        ['no commit is ever answered', 'lose answer', 99],
        // As Kafka does while a contender shuts the owner out.
        ['the commit fails for no known reason', 'refuse', 1],
        ['the commit fails for no known reason, having been done', 'do and refuse', 1],
      ]
      it.each(endings)('are committed once when %s', async (_, action, count) => {
        const { address, proxy, claim, transact } = await claimThroughProxy(3_000)
        proxy.arm({ apis: [API.endTxn], action, count })
        await transact('second', 2)
        expect(proxy.hits).toBeGreaterThan(0)
        proxy.heal()
        await transact('third', 3)
        expect(await claim.position(address)).toBe(3)
        expect(await inBoth(address)).toEqual(['first', 'second', 'third'])
      })

      it('say `outcome_unknown` when it cannot be found out, and the next owner finds out', async () => {
        const { address, proxy, journal, claim, transact } = await claimThroughProxy(1_500)
        proxy.arm({ apis: [API.endTxn, API.initProducerId, API.listOffsets], action: 'lose answer', count: 99 })
        await expect(transact('second', 2)).rejects.toEqual(failsWith('outcome_unknown'))
        expect(claim.lost.aborted).toBe(true)
        await expect(transact('zombie', 3)).rejects.toEqual(failsWith('fenced'))
        proxy.heal()
        const next = await journal.claim(claim.name)
        expect(next.epoch).toBe(claim.epoch + 1)
        expect(await next.position(address)).toBe(2)
        expect(await inBoth(address)).toEqual(['first', 'second'])
      })

      it('go on when a contender has shut the owner out without having become it', async () => {
        const { address, claim, transact } = await claimThroughProxy(3_000)
        await shutOut(claim.name)
        await transact('second', 2)
        expect(await inBoth(address)).toEqual(['first', 'second'])
        expect(claim.lost.aborted).toBe(false)
      })

      it('onto a topic that was deleted are refused by its name', async () => {
        const [address, kept] = [await createTopic(), await createTopic()]
        const journal = await open({ patienceMs: 2_000 })
        const claim = await journal.claim(`claim-${randomUUID()}`)
        await journal.transact(claim, [part(kept, 'first'), part(address, 'first')])
        await remove(address.topic)
        const writes = [part(kept, 'second'), part(address, 'second')]
        await expect(journal.transact(claim, writes)).rejects.toEqual(failsWith('unknown_topic'))
        await journal.transact(claim, [part(kept, 'third')])
        expect(await textsIn(kept)).toEqual(['first', 'third'])
      })

      it('of a killed process are done or not done, position and all (promise 1)', async () => {
        const { topic } = await createTopic(2)
        const address = { topic, partition: 0 }
        const journal = await open()
        let acknowledged = 0
        for (let kill = 0; kill < 3; kill++) {
          const counter = child('count', topic)
          await counter.states('transaction')
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
          await counter.kill()
          for (const { transaction = 0 } of counter.facts as { transaction?: number }[])
            acknowledged = Math.max(acknowledged, transaction)
          const claim = await journal.claim(`counter/${topic}`)
          const texts = await inBoth(address)
          expect(texts).toEqual(Array.from(texts, (_, i) => `${i + 1}`))
          expect(texts.length - acknowledged).toBeOneOf([0, 1])
          expect(await claim.position(address)).toBe(texts.length)
          await claim.release()
        }
        expect(acknowledged).toBeGreaterThanOrEqual(3)
      })
    })

    describe('reading', () => {
      it('shows what was committed, from whatever offset, in pieces of any size (K3)', {
        timeout: LONG_MS,
      }, async () => {
        const { topic } = await createTopic(HISTORIES)
        const stranger = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
        const producer = () => stranger.producer({ idempotent: true, transactionalId: randomUUID() })
        const producers = [producer(), producer()] as const
        for (const producer of producers) await producer.connect()
        const journal = await open()
        const random = randomFrom(SEED)
        for (let partition = 0; partition < HISTORIES; partition++) {
          const address = { topic, partition }
          const committed = await writeHistory(producers, address, random)
          // Markers are written after the answer to a commit.
          const whole = async () => (await readAll(journal, address)).records.length === committed.length
          await until('all that is committed is seen', whole)
          const { end } = await journal.bounds(address)
          for (let from = 0; from <= end; from++) {
            const expected = committed.filter(({ offset }) => offset >= from).map(({ text }) => text)
            for (const maxBytes of [1 + Math.floor(random() * 600), 1_000_000]) {
              const { records } = await readAll(journal, address, from, { maxBytes })
              expect(textsOf(records), `seed ${SEED}, history ${partition}, from ${from}`).toEqual(expected)
            }
          }
        }
        for (const producer of producers) await producer.disconnect()
      })

      it('waits at an open transaction, and shows what lies behind it once that has ended', async () => {
        const address = await createTopic()
        const stranger = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
        const producer = stranger.producer({ idempotent: true, transactionalId: randomUUID() })
        await producer.connect()
        const transaction = await producer.transaction()
        await transaction.send({ topic: address.topic, messages: [{ partition: 0, value: 'open' }] })
        const journal = await open()
        const claim = await journal.claim(`claim-${randomUUID()}`)
        let isDone = false
        const writes = [{ ...address, records: [record('behind')] }]
        const transacted = journal.transact(claim, writes, [{ ...address, offset: 9 }]).then(() => {
          isDone = true
        })
        await until('the transaction behind is committed', async () => (await claim.position(address)) === 9)
        expect(await journal.read(address, 0)).toEqual({ records: [], next: 0, end: 0 })
        expect(isDone).toBe(false)
        await transaction.abort()
        await transacted
        expect(textsOf((await readAll(journal, address)).records)).toEqual(['behind'])
        await producer.disconnect()
      })

      it('refuses a follower whom retention passes by while its answers are lost (K4)', async () => {
        const address = await createTopic()
        const { proxy, journal } = await openThroughProxy()
        const reader = journal.follow(address, 0, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
        await reader.next()
        proxy.arm({ apis: [API.fetch], action: 'lose request', count: 99 })
        const waiting = reader.next()
        const other = await open()
        await other.append({ ...address, records: [record('1'), record('2'), record('3')] })
        await truncate(address, 3)
        proxy.heal()
        const refused = { code: 'offset_out_of_range', range: { start: 3, end: 3 } }
        await expect(waiting).rejects.toMatchObject(refused)
      })

      it('is `unavailable` while a quota is used up', async () => {
        const address = await createTopic()
        await (await open()).append({ ...address, records: [record('x'.repeat(50_000))] })
        const clientId = `slow-${randomUUID()}`
        await limitReading(broker, clientId, 20_000)
        const slow = await open({ clientId, patienceMs: 500, requestMs: 1_000 })
        let refusal: unknown
        while (!refusal) refusal = await slow.read(address, 0).then(() => undefined, Object)
        expect(refusal).toEqual(failsWith('unavailable'))
      })

      it('costs next to nothing while nothing happens (K5)', async () => {
        const address = await createTopic()
        const journal = await open()
        await journal.claim(`claim-${randomUUID()}`)
        const reader = journal.follow(address, 0, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
        await reader.next()
        const waiting = reader.next()
        // Microseconds of CPU time a millisecond; what earlier tests left behind is in some of them.
        const costs: number[] = []
        for (let times = 0; times < 4; times++) {
          const before = process.cpuUsage()
          await new Promise((resolve) => setTimeout(resolve, 500))
          const { user, system } = process.cpuUsage(before)
          costs.push((user + system) / 500)
        }
        expect(Math.min(...costs)).toBeLessThan(50)
        await journal.append({ ...address, records: [record('wakes')] })
        expect(textsOf(((await waiting).value as Batch).records)).toEqual(['wakes'])
      })
    })

    describe('topics', () => {
      const KEPT: TopicSettings = { partitions: 2, cleanup: 'delete', retentionMs: null }

      /** A journal of its own, with a topic that holds a record, closed. */
      async function journalWithRecord() {
        const prefix = `${randomUUID()}.`
        const topic = `${prefix}kept`
        const journal = await open({ prefix })
        await journal.ensureTopics({ [topic]: KEPT })
        await journal.append({ topic, partition: 1, records: [record('kept')] })
        await journal.close()
        return { prefix, topic, id: journal.id }
      }

      it('that were deleted are missed, and not made anew before somebody says so by making them', async () => {
        const { prefix, topic } = await journalWithRecord()
        await remove(topic)
        const journal = await open({ prefix })
        const other = `${prefix}other`
        await expect(journal.ensureTopics({ [topic]: KEPT, [other]: KEPT })).rejects.toMatchObject({
          code: 'topic_lost',
          message: expect.stringContaining(topic),
        })
        expect((await admin.listTopics()).filter((name) => [topic, other].includes(name))).toEqual([])
        await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] })
        await journal.ensureTopics({ [topic]: KEPT, [other]: KEPT })
        expect(await journal.bounds({ topic, partition: 1 })).toEqual({ start: 0, end: 0 })
      })

      it('with records are not taken over by a journal that begins when its own topic was deleted', async () => {
        const { prefix, topic, id } = await journalWithRecord()
        await remove(`${prefix}journal`)
        for (let start = 0; start < 2; start++) {
          const journal = await open({ prefix })
          expect(journal.id).not.toBe(id)
          await expect(journal.ensureTopics({ [topic]: KEPT })).rejects.toMatchObject({
            code: 'foreign_records',
            message: expect.stringMatching(`${topic} hold.*${prefix}journal`),
          })
        }
      })

      it('are one journal’s, though several begin it at once, one of them writing before another has seen them', async () => {
        const prefix = `${randomUUID()}.`
        const names = Array.from({ length: 4 }, (_, i) => `${prefix}${i}`)
        const begin = async (journal: Journal) => {
          for (const topic of names) {
            await journal.ensureTopics({ [topic]: KEPT })
            await journal.append({ topic, partition: 0, records: [record('')] })
          }
        }
        const journals = await Promise.all(Array.from({ length: 4 }, () => open({ prefix })))
        await Promise.all(journals.map(begin))
        for (const topic of names)
          expect(await journals[0]?.bounds({ topic, partition: 0 })).toEqual({ start: 0, end: 4 })
      })
    })

    it('has changed its row for everybody once that is said', async () => {
      const prefix = `${randomUUID()}.`
      const topic = `${prefix}journal`
      await open({ prefix })
      const ledgers = await Promise.all(
        [1, 2].map(async () => {
          const connection = await openClient({ brokers: [broker], clientId: 'test', prefix, client })
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

    describe('claims', () => {
      it('pass from a killed process on this machine at once', async () => {
        const { topic } = await createTopic()
        const name = `claim-${randomUUID()}`
        const owner = child('own', topic, name)
        const { claimed } = await owner.states('claimed')
        const journal = await open()
        const claiming = journal.claim(name)
        const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 1_000, 'waiting'))])
        expect(early).toBe('waiting')
        await owner.kill()
        const killedAt = performance.now()
        expect((await claiming).epoch).toBe((claimed as number) + 1)
        expect(performance.now() - killedAt).toBeLessThan(3_000)
      })

      it('stay with a live owner beyond the expiry, and pass from a stopped one, which is then fenced', async () => {
        const address = await createTopic()
        const name = `claim-${randomUUID()}`
        const owner = child('own', address.topic, name)
        const { claimed } = await owner.states('claimed')
        owner.say('before')
        expect(await owner.states('outcome')).toEqual({ outcome: 'written' })
        owner.facts.length = 0
        const journal = await open({ claimExpiryMs: 3_000 })
        const claiming = journal.claim(name)
        const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 4_000, 'waiting'))])
        expect(early).toBe('waiting')
        owner.signal('SIGSTOP')
        const claim = await claiming
        expect(claim.epoch).toBe((claimed as number) + 1)
        owner.say('by the zombie')
        owner.signal('SIGCONT')
        expect(await owner.states('outcome')).toEqual({ outcome: 'fenced' })
        expect(await owner.states('lost')).toEqual({ lost: 'fenced' })
        await journal.transact(claim, [{ ...address, records: [record('after')] }])
        expect(await textsIn(address)).toEqual(['before', 'after'])
      })

      it('pass on at once when whoever waits for one gives up just after having got it', async () => {
        const address = await createTopic()
        const name = `claim-${randomUUID()}`
        const owner = await open()
        const first = await owner.claim(name)
        await owner.transact(first, [{ ...address, records: [record('seen by the next owner')] }])
        const stranger = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
        const producer = stranger.producer({ idempotent: true, transactionalId: randomUUID() })
        await producer.connect()
        const transaction = await producer.transaction()
        await transaction.send({ topic: address.topic, messages: [{ partition: 0, value: 'open' }] })
        await first.release()
        // What the first owner wrote before is to be seen by the second, which waits for the stranger, the row written.
        const abort = new AbortController()
        const { proxy, journal } = await openThroughProxy()
        proxy.arm({ apis: [API.endTxn], action: 'lose request', count: 0 })
        const given = journal.claim(name, abort.signal)
        await until('the row is committed', () => proxy.seen > 0)
        proxy.arm({ apis: [API.listOffsets], action: 'lose request', count: 0 })
        await until('the end is looked at again and again', () => proxy.seen > 8)
        abort.abort(new Error('given up'))
        await expect(given).rejects.toThrow('given up')
        await transaction.abort()
        await producer.disconnect()
        const startedAt = performance.now()
        const next = await owner.claim(name)
        expect(next.epoch).toBe(first.epoch + 2)
        expect(performance.now() - startedAt).toBeLessThan(2_000)
      })

      it.each(['refuse', 'do and refuse'] as const)(
        'are got though Kafka fails to commit them for no known reason (%s)',
        async (action) => {
          const { proxy, journal } = await openThroughProxy()
          const name = `claim-${randomUUID()}`
          proxy.arm({ apis: [API.endTxn], action })
          const claim = await journal.claim(name)
          expect(proxy.hits).toBe(1)
          expect(claim.epoch).toBe(1)
          const address = await createTopic()
          await journal.transact(claim, [{ ...address, records: [record('ours')] }])
          expect(await textsIn(address)).toEqual(['ours'])
        },
      )

      it('are got where the last owner wrote to a topic that was deleted since', async () => {
        const address = await createTopic()
        const [owner, next] = [await open(), await open()]
        const claim = await owner.claim(`claim-${randomUUID()}`)
        await owner.transact(claim, [{ ...address, records: [record('gone')] }])
        await claim.release()
        await remove(address.topic)
        expect((await next.claim(claim.name)).epoch).toBe(claim.epoch + 1)
      })

      it('are released without a word where the ledger cannot be read just after', async () => {
        const { proxy, journal } = await openThroughProxy()
        const claim = await journal.claim(`claim-${randomUUID()}`)
        proxy.arm({ apis: [API.listOffsets], action: 'lose request', count: Number.POSITIVE_INFINITY })
        await expect(claim.release()).resolves.toBeUndefined()
        expect(proxy.hits).toBeGreaterThan(0)
        proxy.heal()
        expect((await journal.claim(claim.name)).epoch).toBe(claim.epoch + 1)
      })

      it('are refused in Kafka’s words where it never commits them', async () => {
        const { proxy, journal } = await openThroughProxy({ patienceMs: 1_000 })
        proxy.arm({ apis: [API.endTxn], action: 'refuse', count: Number.POSITIVE_INFINITY })
        const name = `claim-${randomUUID()}`
        await expect(journal.claim(name)).rejects.toMatchObject({ kind: 'refused', type: 'UNKNOWN_SERVER_ERROR' })
        // What it has left open is in nobody's way.
        const address = await createTopic()
        proxy.heal()
        expect((await journal.claim(name)).epoch).toBe(1)
        expect(await textsIn(address)).toEqual([])
      })

      it('that were released are not lost when the next owner has theirs', async () => {
        const { proxy, journal } = await openThroughProxy()
        // With this one everything is found that an announcement needs.
        await journal.claim(`claim-${randomUUID()}`)
        const name = `claim-${randomUUID()}`
        // Once the claim is announced, the row is read again, and no answer comes until the next owner has taken it.
        proxy.arm({ apis: [API.endTxn], action: 'lose answer' })
        const claiming = journal.claim(name)
        await until('the row is committed', () => proxy.hits === 1)
        proxy.arm({ apis: [API.listOffsets], action: 'lose request', count: Number.POSITIVE_INFINITY })
        const claim = await claiming
        await until('the row is read', () => proxy.hits > 0)
        await claim.release()
        const next = child('own', name, name)
        expect(await next.states('claimed')).toEqual({ claimed: claim.epoch + 1 })
        proxy.heal()
        // Waits in line behind everything that is still done about the claim.
        const again = journal.claim(name)
        await next.kill()
        await again
        expect(claim.lost.aborted).toBe(false)
      })

      it('are lost to an owner that took them while the producer was initialised, though the row could not be read', async () => {
        const address = await createTopic()
        const name = `claim-${randomUUID()}`
        // It gives hardly a sign of life, so that it is taken for dead.
        const { proxy, journal } = await openThroughProxy({ claimExpiryMs: HOUR_MS, patienceMs: 12_000 })
        const claim = await journal.claim(name)
        const transact = (text: string) => journal.transact(claim, [{ ...address, records: [record(text)] }])
        await transact('before')
        const next = child('own', address.topic, name)
        await shutOut(name)
        // The row is read, it is ours, and then the request to initialise is lost until the next owner has taken it.
        proxy.arm({ apis: [API.initProducerId], action: 'lose request', count: Number.POSITIVE_INFINITY })
        const second = expect(transact('second')).rejects.toEqual(failsWith('unavailable'))
        await until('it is initialised', () => proxy.hits > 0)
        proxy.arm({ apis: [API.initProducerId, API.fetch], action: 'lose request', count: Number.POSITIVE_INFINITY })
        expect(await next.states('claimed')).toEqual({ claimed: claim.epoch + 1 })
        // Now the next owner is shut out, and the row can't be read.
        proxy.arm({ apis: [API.listOffsets, API.fetch], action: 'lose request', count: Number.POSITIVE_INFINITY })
        await second
        proxy.heal()
        await expect(transact('third')).rejects.toEqual(failsWith('fenced'))
        next.say('after')
        expect(await next.states('outcome')).toEqual({ outcome: 'written' })
        expect(await textsIn(address)).toEqual(['before', 'after'])
      })

      it('are held by one of several contending processes at a time, each time with a greater epoch', async () => {
        const address = await createTopic()
        const children = [1, 2, 3].map(() => child('contend', address.topic, '6'))
        await Promise.all(children.map((contender) => contender.finish()))
        const epochs = children.flatMap(({ facts }) => facts.map(({ epoch }) => epoch as number))
        const expected = Array.from({ length: 18 }, (_, i) => i + 1)
        expect(epochs.toSorted((a, b) => a - b)).toEqual(expected)
        expect(await textsIn(address)).toEqual(expected.map(String))
      })
    })

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

    it('does everything once, and says where, whatever request or answer is lost', { timeout: LONG_MS }, async () => {
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

    describe('a broker that is killed and started again', () => {
      it('loses nothing acknowledged; followers, appends and claims go on by themselves (promise 1)', async () => {
        const address = await createTopic()
        const journal = await open({ patienceMs: 40_000 })
        const acknowledged: [number, string][] = []
        let isOver = false
        const write = async () => {
          for (let i = 0; !isOver; i++) {
            const { firstOffset } = await journal.append({ ...address, records: [record(`${i}`)] })
            acknowledged.push([firstOffset, `${i}`])
          }
        }
        const seen: [number, string][] = []
        const stop = new AbortController()
        const follow = async () => {
          for await (const { records } of journal.follow(address, 0, stop.signal))
            seen.push(
              ...records.map(({ offset, value }) => [offset, Buffer.from(value).toString()] as [number, string]),
            )
        }
        const [writing, following] = [write(), follow()]
        const claim: Claim = await journal.claim(`claim-${randomUUID()}`)
        await journal.transact(claim, [], [{ ...address, offset: 1 }])
        // A record of years ago, written and not acknowledged: the node forgets who wrote it.
        const doubtful = await createTopic()
        const { proxy, journal: unsure } = await openThroughProxy({ patienceMs: 40_000 })
        proxy.arm({ apis: [API.produce, API.fetch], action: 'lose answer', count: 99 })
        const once = unsure.append({ ...doubtful, records: [record('once')] })
        await until('it is written', async () => (await journal.bounds(doubtful)).end === 1)
        await until('some are written', () => acknowledged.length > 50)
        let reached = 0
        const impatient = async () => {
          for await (const { next } of journal.follow(address, 0, stop.signal, { patienceMs: 500 })) reached = next
        }
        const givenUp = expect(impatient()).rejects.toMatchObject({ code: 'unavailable' })
        await until('it follows', () => reached > 0)
        await kafka.nodes[0]?.kill()
        await givenUp
        proxy.heal()
        const before = acknowledged.length
        await kafka.nodes[0]?.start()
        await until('more are written', () => acknowledged.length > before + 50, 40_000)
        isOver = true
        await writing
        await until('all are seen', () => seen.length >= acknowledged.length)
        stop.abort()
        await following
        expect(await once).toEqual({ firstOffset: 0 })
        expect(await textsIn(doubtful)).toEqual(['once'])
        expect(seen).toEqual(acknowledged)
        expect(acknowledged).toEqual(acknowledged.map((_, i) => [i, `${i}`]))
        const again = claim.lost.aborted ? await journal.claim(claim.name) : claim
        expect(await again.position(address)).toBe(1)
        await journal.transact(again, [{ ...address, records: [record('afterwards')] }], [{ ...address, offset: 2 }])
        expect(await again.position(address)).toBe(2)
      })
    })
  })
}

/** Bytes a second that a client is sent; for more it is answered nothing for a while. */
async function limitReading(broker: string, clientId: string, bytes: number): Promise<void> {
  const [host = '', port] = broker.split(':')
  const connection = new Connection('test', {})
  await connection.connect(host, Number(port))
  const limit = { key: 'consumer_byte_rate', value: bytes, remove: false } as const
  const entities = [{ entityType: 'client-id', entityName: clientId }] as const
  await alterClientQuotasV1.api.async(connection, [{ entities: [...entities], ops: [limit] }], false)
  await connection.close()
}
