import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Admin, Kafka, logLevel, type Producer, type Transaction } from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningKafka, startKafka } from '../../infra/services/kafka.ts'
import type { Batch, Claim, Journal, PartitionAddress, TopicSettings } from '../../journal/journal.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import type { KafkaJournalOptions } from '../../journal/kafka/options.ts'
import { failsWith, journalContract, readAll, record, textsOf } from '../contracts/journal-contract.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { Child } from './support/child.ts'
import { API, type Fault, KafkaProxy } from './support/kafka-proxy.ts'

const KAFKA_PROCESS = `${import.meta.dirname}/support/kafka-process.ts`
const REQUEST_MS = 700

describe.skipIf(!serviceIsThere('java'))('the journal on Kafka', { timeout: 60_000 }, () => {
  let dir: string
  let kafka: RunningKafka
  let admin: Admin
  let broker: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'almanac-kafka-'))
    const settings = {
      'log.cleaner.backoff.ms': '300',
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
    openKafkaJournal({ brokers: [broker], clientId: 'test', ...options })

  const truncate = async ({ topic, partition }: PartitionAddress, offset: number) => {
    await admin.fetchTopicOffsets(topic)
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] })
  }

  journalContract('kafka', { open: async () => rollingSegments(await openAt()), truncate, histories: 5 })

  /** Kafka compacts what is not in the newest segment: compacted topics get segments of a batch each. */
  function rollingSegments(journal: Journal): Journal {
    const ensureTopics = journal.ensureTopics.bind(journal)
    return Object.assign(journal, {
      ensureTopics: async (topics: Readonly<Record<string, TopicSettings>>) => {
        const settings = {
          'cleanup.policy': 'compact',
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

  /** A journal that sees the node through a proxy, and gives up an answer after 0.7 s. */
  async function openThroughProxy(options: Partial<KafkaJournalOptions> = {}) {
    const proxy = await KafkaProxy.open(broker)
    const journal = await open({ brokers: [proxy.broker], requestMs: REQUEST_MS, ...options })
    return { proxy, journal }
  }

  const textsIn = async (address: PartitionAddress) => textsOf((await readAll(await open(), address)).records)

  const child = (role: string, topic: string, argument = '') =>
    new Child([role, broker, topic, argument], `shift; exec "$0" ${KAFKA_PROCESS} "$@"`)

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
      proxy.arm({ apis: [API.endTxn, API.initProducerId], action: 'lose answer', count: 99 })
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
      const contender = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
      const stranger = contender.producer({ idempotent: true, transactionalId: `almanac.${claim.name}` })
      await stranger.connect()
      await (await stranger.transaction()).abort()
      await stranger.disconnect()
      await transact('second', 2)
      expect(await inBoth(address)).toEqual(['first', 'second'])
      expect(claim.lost.aborted).toBe(false)
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
      expect(acknowledged).toBeGreaterThan(4)
    })
  })

  describe('reading', () => {
    it('shows what was committed, from whatever offset, in pieces of any size (K3)', async () => {
      const address = await createTopic()
      const client = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
      const producers = [1, 2].map(() => client.producer({ idempotent: true, transactionalId: randomUUID() }))
      for (const producer of producers) await producer.connect()
      const committed = await writeHistory(producers, address.topic)
      const journal = await open()
      // Markers are written after the answer to a commit.
      const whole = async () => (await readAll(journal, address)).records.length === committed.length
      await until('all that is committed is seen', whole)
      const { end } = await journal.bounds(address)
      for (let from = 0; from <= end; from++) {
        const expected = committed.filter(({ offset }) => offset >= from).map(({ text }) => text)
        for (const maxBytes of [300, 1_000_000])
          expect(textsOf((await readAll(journal, address, from, { maxBytes })).records)).toEqual(expected)
      }
      for (const producer of producers) await producer.disconnect()
    })

    /** 16 transactions of two producers, overlapping, a third of them aborted. Returns what must be seen. */
    async function writeHistory(producers: readonly Producer[], topic: string) {
      const open = new Map<Producer, { transaction: Transaction; written: { offset: number; text: string }[] }>()
      const committed: { offset: number; text: string }[] = []
      for (let step = 0; step < 48; step++) {
        const producer = producers[(step * 7 + (step >> 2)) % 2] as Producer
        const current = open.get(producer) ?? { transaction: await producer.transaction(), written: [] }
        open.set(producer, current)
        const text = `${step}`
        const [answer] = await current.transaction.send({ topic, messages: [{ partition: 0, value: text }] })
        current.written.push({ offset: Number(answer?.baseOffset), text })
        if (current.written.length < 3 && step < 46) continue
        if (step % 3 === 0) await current.transaction.abort()
        else {
          await current.transaction.commit()
          committed.push(...current.written)
        }
        open.delete(producer)
      }
      for (const { transaction } of open.values()) await transaction.abort()
      return committed.toSorted((a, b) => a.offset - b.offset)
    }

    it('waits at an open transaction, and shows what lies behind it once that has ended', async () => {
      const address = await createTopic()
      const client = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
      const producer = client.producer({ idempotent: true, transactionalId: randomUUID() })
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

    it('costs next to nothing while nothing happens (K5)', async () => {
      const address = await createTopic()
      const journal = await open()
      await journal.claim(`claim-${randomUUID()}`)
      const reader = journal.follow(address, 0, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      const before = process.cpuUsage()
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_500).toBeLessThan(50)
      await journal.append({ ...address, records: [record('wakes')] })
      expect(textsOf(((await waiting).value as Batch).records)).toEqual(['wakes'])
    })
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
      const journal = await open({ claimExpiryMs: 1_500 })
      const claiming = journal.claim(name)
      const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 2_500, 'waiting'))])
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
          seen.push(...records.map(({ offset, value }) => [offset, Buffer.from(value).toString()] as [number, string]))
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
