/**
 * The journal on Kafka beside bare kafkajs, on a Kafka of its own: records of 150 bytes in batches of 1,000, each
 * acknowledged by all replicas before the next is sent; read back to the end; and transactions of as many.
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

type Rate = 'append' | 'bareAppend' | 'transact' | 'bareTransact' | 'read' | 'bareRead'

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const kafka = await startKafka({ dir: directory })
  try {
    const brokers = [...kafka.brokers]
    const journal = await openKafkaJournal({ brokers, clientId: 'bench' })
    const client = new Kafka({ brokers, logLevel: logLevel.NOTHING })
    const rates: Record<Rate, number[]> = {
      ...{ append: [], bareAppend: [], transact: [], bareTransact: [], read: [], bareRead: [] },
    }
    const cpu: Record<Rate, number[]> = {
      ...{ append: [], bareAppend: [], transact: [], bareTransact: [], read: [], bareRead: [] },
    }
    const measure = async (name: Rate, work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      rates[name].push(RECORDS / (await seconds(work)))
      const { user, system } = process.cpuUsage(before)
      cpu[name].push(RECORDS / ((user + system) / 1e6))
    }
    for (let round = 0; round < ROUNDS; round++) {
      const [ours, theirs] = [`ours-${round}`, `theirs-${round}`]
      const settings = { partitions: 2, cleanup: 'delete', retentionMs: null } as const
      await journal.ensureTopics({ [ours]: settings, [theirs]: settings })
      await bareWrites(client, theirs, measure)
      await ownWrites(journal, ours, measure)
      await bareRead(client, theirs, measure)
      await measure('read', () => readAll(journal, { topic: ours, partition: 0 }))
    }
    await journal.close()
    const line = (name: string, of: typeof rates, ours: Rate, bare: Rate, unit: string, goal?: number): Measure => ({
      name,
      ours: median(of[ours]),
      ceiling: median(of[bare]),
      unit,
      ...(goal === undefined ? {} : { goal }),
    })
    return [
      line('append, batches of 1,000, acks=all', rates, 'append', 'bareAppend', 'records/s', 0.8),
      line('  records a second of our CPU', cpu, 'append', 'bareAppend', 'records/s'),
      line('transact, batches of 1,000', rates, 'transact', 'bareTransact', 'records/s'),
      line('  records a second of our CPU', cpu, 'transact', 'bareTransact', 'records/s'),
      line('read in order', rates, 'read', 'bareRead', 'records/s', 0.6),
      line('  records a second of our CPU', cpu, 'read', 'bareRead', 'records/s'),
    ]
  } finally {
    await kafka.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

type MeasureWork = (name: Rate, work: () => Promise<unknown>) => Promise<void>

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
  await measure('bareAppend', () => times(BATCHES, send))
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
  await measure('bareTransact', () => times(BATCHES, transact))
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
  await measure('bareRead', () => ended.promise)
  await consumer.disconnect()
}

async function readAll(journal: Journal, address: PartitionAddress): Promise<void> {
  const { end } = await journal.bounds(address)
  for (let at = 0; at < end; ) at = (await journal.read(address, at)).next
}
