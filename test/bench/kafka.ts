/**
 * The journal on Kafka, on each of its clients, beside bare kafkajs, on a Kafka of its own: records of 150 bytes in
 * batches of 1,000, each acknowledged by all replicas before the next is sent; read back to the end; and transactions of
 * as many.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { startKafka } from '../../infra/services/kafka.ts'
import type { Journal, PartitionAddress } from '../../journal/journal.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { type Measure, median, seconds } from './measure.ts'

const BATCH = 1_000
const BATCHES = 100
const WARM = 10
const ROUNDS = 3
const RECORDS = BATCH * BATCHES
const VALUE = Buffer.alloc(150, 'x')

const clients = ['kafkajs', 'platformatic'] as const
const works = ['append', 'transact', 'read'] as const
/** A kind of work, and what does it: the journal on one of its clients, or kafkajs by itself (`bare`). */
type Rate = `${(typeof works)[number]} ${(typeof clients)[number] | 'bare'}`

const names = {
  append: 'append, batches of 1,000, acks=all',
  transact: 'transact, batches of 1,000',
  read: 'read in order',
} as const
const goals: Partial<Record<Rate, number>> = { 'append kafkajs': 0.8, 'read kafkajs': 0.6 }

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const kafka = await startKafka({ dir: directory })
  try {
    const brokers = [...kafka.brokers]
    const bare = new Kafka({ brokers, logLevel: logLevel.NOTHING })
    const rates = new Map<Rate, { readonly wall: number; readonly cpu: number }[]>()
    const measure = async (name: Rate, work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      const wall = RECORDS / (await seconds(work))
      const { user, system } = process.cpuUsage(before)
      rates.set(name, [...(rates.get(name) ?? []), { wall, cpu: RECORDS / ((user + system) / 1e6) }])
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const client of clients) {
        const journal = await openKafkaJournal({ brokers, clientId: 'bench', client, prefix: 'bench.' })
        const topic = `${client}-${round}`
        await journal.ensureTopics({ [topic]: settings, [`bare-${round}`]: settings })
        await ownWrites(journal, topic, (work, run) => measure(`${work} ${client}`, run))
        await measure(`read ${client}`, () => readAll(journal, { topic, partition: 0 }))
        await journal.close()
      }
      await bareWrites(bare, `bare-${round}`, (work, run) => measure(`${work} bare`, run))
      await bareRead(bare, `bare-${round}`, (work, run) => measure(`${work} bare`, run))
    }
    const middle = (name: Rate, of: 'wall' | 'cpu') => median((rates.get(name) ?? []).map((rate) => rate[of]))
    return works.flatMap((work) =>
      clients.flatMap((client): Measure[] => {
        const name: Rate = `${work} ${client}`
        const line = (of: 'wall' | 'cpu') => ({
          ours: middle(name, of),
          ceiling: middle(`${work} bare`, of),
          unit: 'records/s',
        })
        const goal = goals[name]
        return [
          { name: `${names[work]} (${client})`, ...line('wall'), ...(goal === undefined ? {} : { goal }) },
          { name: '  records a second of our CPU', ...line('cpu') },
        ]
      }),
    )
  } finally {
    await kafka.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

const settings = { partitions: 2, cleanup: 'delete', retentionMs: null } as const

type MeasureWork = (work: (typeof works)[number], run: () => Promise<unknown>) => Promise<void>

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await work()
}

async function ownWrites(journal: Journal, topic: string, measure: MeasureWork): Promise<void> {
  const records = Array.from({ length: BATCH }, () => ({ key: null, value: VALUE, timestamp: Date.now(), headers: {} }))
  const append = () => journal.append({ topic, partition: 0, records })
  await times(WARM, append)
  await measure('append', () => times(BATCHES, append))
  const claim = await journal.claim(`bench/${topic}`)
  const transact = () =>
    journal.transact(claim, [{ topic, partition: 1, records }], [{ topic, partition: 0, offset: 1 }])
  await times(WARM, transact)
  await measure('transact', () => times(BATCHES, transact))
  await claim.release()
}

async function bareWrites(client: Kafka, topic: string, measure: MeasureWork): Promise<void> {
  const messagesTo = (partition: number) => Array.from({ length: BATCH }, () => ({ partition, value: VALUE }))
  const producer = client.producer({ idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  const messages = messagesTo(0)
  const send = () => producer.send({ topic, messages })
  await times(WARM, send)
  await measure('append', () => times(BATCHES, send))
  await producer.disconnect()
  const transactional = client.producer({ idempotent: true, maxInFlightRequests: 1, transactionalId: topic })
  await transactional.connect()
  const sent = messagesTo(1)
  const transact = async () => {
    const transaction = await transactional.transaction()
    // kafkajs doesn't wait for the markers of the transaction before.
    for (let isSent = false; !isSent; ) isSent = await transaction.send({ topic, messages: sent }).then(() => true)
    await transaction.sendOffsets({
      consumerGroupId: topic,
      topics: [{ topic, partitions: [{ partition: 0, offset: '1' }] }],
    })
    await transaction.commit()
  }
  await times(WARM, transact)
  await measure('transact', () => times(BATCHES, transact))
  await transactional.disconnect()
}

async function bareRead(client: Kafka, topic: string, measure: MeasureWork): Promise<void> {
  const consumer = client.consumer({ groupId: `read-${topic}`, maxWaitTimeInMs: 200, maxBytesPerPartition: 1_000_000 })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let read = 0
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: 1,
    eachBatch: async ({ batch, resolveOffset }) => {
      if (batch.partition !== 0) return resolveOffset(batch.lastOffset())
      started.resolve()
      read += batch.messages.length
      resolveOffset(batch.lastOffset())
      if (read >= RECORDS) ended.resolve()
    },
  })
  await started.promise
  await measure('read', () => ended.promise)
  await consumer.disconnect()
}

async function readAll(journal: Journal, address: PartitionAddress): Promise<void> {
  const { end } = await journal.bounds(address)
  for (let at = 0; at < end; ) at = (await journal.read(address, at)).next
}
