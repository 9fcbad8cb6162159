import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningKafka, startKafka } from '../../infra/services/kafka.ts'
import { type CopyOptions, copyJournal } from '../../journal/copy.ts'
import { type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Claim, Journal, PartitionAddress, TopicSettings } from '../../journal/journal.ts'
import { openCopyTarget } from '../../journal/kafka/copy-target.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { readAll, record } from '../contracts/journal-contract.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { serviceIsThere } from '../support/services.ts'
import { API, type Fault, KafkaProxy } from './support/kafka-proxy.ts'

/** ALMANAC_TEST_COPIES=100 for a long run; ALMANAC_TEST_SEED repeats one. */
const COPIES = Number(process.env.ALMANAC_TEST_COPIES ?? 2)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const kept: TopicSettings = { partitions: 2, cleanup: 'delete', retentionMs: null }
const settings = (prefix: string): Record<string, TopicSettings> => ({
  [`${prefix}kept`]: kept,
  [`${prefix}aged`]: { partitions: 1, cleanup: 'delete', retentionMs: 1_000 },
  [`${prefix}newest`]: { partitions: 1, cleanup: 'compact', retentionMs: null },
})
const addressesOf = (topics: Readonly<Record<string, TopicSettings>>): PartitionAddress[] =>
  Object.entries(topics).flatMap(([topic, { partitions }]) =>
    Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
  )

let prefixes = 0
const newPrefix = () => `copy-${++prefixes}.`
const quiet: Pick<CopyOptions, 'translate' | 'movedTo' | 'onProgress' | 'signal'> = {
  translate: async (_, records) => records,
  movedTo: 'Kafka',
  onProgress: () => undefined,
  signal: new AbortController().signal,
}
/** In one process with those that write to it, which the test knows to have stopped. */
const stopped = (source: EmbeddedCopySource) => Object.assign(source, { isAlone: async () => true })

async function openSource(prefix: string) {
  const dir = await temporaryDirectory()
  const journal = await openEmbeddedJournal({ dir })
  await journal.ensureTopics(settings(prefix))
  const source = (await openCopySource(dir)) as EmbeddedCopySource
  onTestFinished(async () => {
    await journal.close()
    await source.close()
  })
  return { dir, journal, source }
}

/** Appends, transactions with positions, changes of owner, compaction and retention. */
async function writeAtRandom(journal: Journal, prefix: string, random: () => number, steps: number): Promise<void> {
  const whole = (below: number) => Math.floor(random() * below)
  const places = addressesOf(settings(prefix))
  const place = () => places[whole(places.length)] as PartitionAddress
  const records = () =>
    Array.from({ length: 1 + whole(4) }, () =>
      record(`${whole(1e6)}`, { key: `k${whole(3)}`, timestamp: 1_000 + whole(3_000), headers: { n: `${whole(9)}` } }),
    )
  let claim: Claim | undefined
  for (let step = 0; step < steps; step++) {
    const choice = random()
    if (choice < 0.4) await journal.append({ ...place(), records: records() })
    else if (choice < 0.9) {
      claim ??= await journal.claim(`owner-${whole(2)}`)
      const writes = [place(), place()].map((address) => ({ ...address, records: records() }))
      await journal.transact(claim, writes, [{ ...place(), offset: whole(50) }])
    } else if (choice < 0.95) {
      await claim?.release()
      claim = undefined
    } else await journal.retain(2_000 + whole(2_000))
  }
  await claim?.release()
}

/** The newest of each key where a topic is compacted: an adapter may keep older ones for a while. */
async function contentOf(journal: Journal, address: PartitionAddress, compacted: boolean) {
  const { start, end } = await journal.bounds(address)
  const { records } = await readAll(journal, address, start)
  const plain = records.map((one) => ({ ...one, value: Buffer.from(one.value).toString() }))
  const shown = compacted ? Array.from(new Map(plain.map((one) => [one.key, one])).values()) : plain
  return { start, end, records: shown.sort((a, b) => a.offset - b.offset) }
}

describe.skipIf(!serviceIsThere('java'))('a journal copied to Kafka', { timeout: 60_000 + COPIES * 10_000 }, () => {
  let dir: string
  let kafka: RunningKafka
  let broker: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'almanac-copy-'))
    kafka = await startKafka({ dir })
    broker = kafka.brokers[0] as string
  }, 120_000)
  afterAll(async () => {
    await kafka?.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const at = (prefix: string, over = {}) => ({ brokers: [broker], clientId: 'test', prefix, ...over })
  const openTarget = (prefix: string, id: string, over = {}) => openCopyTarget(at(prefix, over), id, settings(prefix))
  const openCopy = async (prefix: string) => {
    const journal = await openKafkaJournal(at(prefix))
    onTestFinished(() => journal.close())
    return journal
  }

  describe.each(['kafkajs', 'platformatic'] as const)('with %s', (client) => {
    it(`has every record, hole, position and epoch where it was, however often it was cut (seed ${SEED})`, async () => {
      for (let copy = 0; copy < COPIES; copy++) {
        const random = randomFrom(SEED + copy)
        const whole = (below: number) => Math.floor(random() * below)
        const prefix = newPrefix()
        const topics = settings(prefix)
        const { journal, source } = await openSource(prefix)
        await writeAtRandom(journal, prefix, random, 60)
        const proxy = await KafkaProxy.open(broker)
        let [cuts, lost] = [0, 0]
        for (let outcome = 'in_use'; outcome !== 'finished'; ) {
          proxy.heal()
          const target = await openTarget(prefix, journal.id, { brokers: [proxy.broker], requestMs: 300, client })
          const isLast = cuts >= 4
          // As if it had been killed: what is under way then stays as it is.
          let steps = isLast ? Number.POSITIVE_INFINITY : whole(12)
          const onProgress = () => {
            if (steps-- <= 0) target.close()
            const apis = [[API.produce, API.initProducerId, API.addPartitions][whole(3)] as number]
            if (random() < 0.3) proxy.arm({ apis, action: losses[whole(3)] as Fault['action'], skip: whole(2) })
            lost += proxy.hits
          }
          Object.assign(source, { isAlone: async () => cuts >= 2 })
          try {
            outcome = await copyJournal(source, target, { ...quiet, topics, onProgress })
          } catch (error) {
            const { code } = error as { code?: string }
            if (isLast || (code !== 'closed' && code !== 'outcome_unknown')) throw error
          }
          target.close()
          cuts++
          if (!source.moved) await writeAtRandom(journal, prefix, random, 10)
        }
        expect([cuts > 2, lost > 0]).toEqual([true, true])
        const moved = await openCopy(prefix)
        expect(moved.id).toBe(journal.id)
        for (const address of addressesOf(topics)) {
          const compacted = topics[address.topic]?.cleanup === 'compact'
          const expected = await contentOf(source.journal, address, compacted)
          expect(await contentOf(moved, address, compacted), `${SEED + copy} ${address.topic}`).toEqual(expected)
        }
        for (const { name, epoch, positions } of source.claims()) {
          const claim = await moved.claim(name)
          expect(claim.epoch).toBe(epoch + 1)
          for (const address of addressesOf(topics))
            expect(await claim.position(address)).toBe(positions[`${address.topic}/${address.partition}`])
          await claim.release()
        }
      }
    })
  })

  it('leaves out more offsets than fit one transaction, and those that retention took', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource(prefix)
    const newest = { topic: `${prefix}newest`, partition: 0 }
    const aged = { topic: `${prefix}aged`, partition: 0 }
    const many = (timestamp: number) =>
      Array.from({ length: 50_000 }, (_, i) => record(`${i}`, { key: 'one', timestamp, headers: {} }))
    for (const time of [0, 0, 0, 9_000]) {
      await journal.append({ ...newest, records: many(time) })
      await journal.append({ ...aged, records: many(time) })
    }
    await journal.retain(9_000)
    const target = await openTarget(prefix, journal.id)
    expect(await copyJournal(stopped(source), target, { ...quiet, topics: settings(prefix) })).toBe('finished')
    target.close()
    const moved = await openCopy(prefix)
    expect(await moved.bounds(aged)).toEqual({ start: 150_000, end: 200_000 })
    await expect(moved.read(aged, 149_999)).rejects.toMatchObject({ code: 'offset_out_of_range' })
    expect((await moved.read(aged, 150_000)).records[0]).toMatchObject({ offset: 150_000, timestamp: 9_000 })
    expect((await readAll(moved, newest)).records.map(({ offset }) => offset)).toEqual([199_999])
  })

  it('is opened by nobody before it is finished, and then takes no more', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource(prefix)
    await journal.append({ topic: `${prefix}kept`, partition: 0, records: [record('one')] })
    const target = await openTarget(prefix, journal.id)
    await expect(openKafkaJournal(at(prefix))).rejects.toMatchObject({ code: 'unfinished_copy' })
    await expect(openKafkaJournal(at(prefix))).rejects.toThrow(`the beginning of a copy of journal ${journal.id}`)
    await copyJournal(stopped(source), target, { ...quiet, topics: settings(prefix) })
    target.close()
    const moved = await openCopy(prefix)
    await moved.append({ topic: `${prefix}kept`, partition: 0, records: [record('two')] })
    const again = await openTarget(prefix, journal.id)
    again.close()
    expect(again.isFinished).toBe(true)
  })

  it('is not made where another journal is, or where records are', async () => {
    const prefix = newPrefix()
    const other = await openCopy(prefix)
    await expect(openTarget(prefix, 'mine')).rejects.toThrow(`${prefix}journal is of another journal, ${other.id}`)
    const strays = newPrefix()
    const elsewhere = await openCopy(newPrefix())
    await elsewhere.ensureTopics(settings(strays))
    await elsewhere.append({ topic: `${strays}kept`, partition: 1, records: [record('stray')] })
    await expect(openTarget(strays, 'mine')).rejects.toThrow(`${strays}kept has records already`)
    await expect(openTarget(strays, 'mine')).rejects.toThrow('already')
  })

  it('notices whoever writes between', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource(prefix)
    const address = { topic: `${prefix}kept`, partition: 0 }
    await journal.append({ ...address, records: [record('one')] })
    const target = await openTarget(prefix, journal.id)
    onTestFinished(() => target.close())
    const elsewhere = await openCopy(newPrefix())
    const translate: CopyOptions['translate'] = async (_, records) => {
      await elsewhere.append({ ...address, records: [record('stray')] })
      return records
    }
    const copying = copyJournal(stopped(source), target, { ...quiet, topics: settings(prefix), translate })
    await expect(copying).rejects.toThrow(`somebody else writes to ${prefix}kept/0`)
  })
})

const losses: readonly Fault['action'][] = ['lose request', 'lose answer', 'lose answer and cut']

describe('the embedded journal that was copied', () => {
  it('is written to no more, not even by those who had it open, until the copy is given up', async () => {
    const prefix = newPrefix()
    const { dir, journal, source } = await openSource(prefix)
    const address = { topic: `${prefix}kept`, partition: 0 }
    const claim = await journal.claim('owner')
    await source.markMoved('Kafka')
    await expect(journal.append({ ...address, records: [record('late')] })).rejects.toMatchObject({ code: 'moved' })
    const late = journal.transact(claim, [{ ...address, records: [record('late')] }], [{ ...address, offset: 7 }])
    await expect(late).rejects.toMatchObject({ code: 'moved' })
    await expect(openEmbeddedJournal({ dir })).rejects.toThrow(`journal ${journal.id} has been at Kafka since`)
    expect(await claim.position(address)).toBeUndefined()
    expect(await journal.bounds(address)).toEqual({ start: 0, end: 0 })
    await source.unmark()
    expect(source.moved).toBeUndefined()
    await journal.transact(claim, [{ ...address, records: [record('in time')] }])
    expect(await journal.bounds(address)).toEqual({ start: 0, end: 2 })
  })
  it('is found only where there is one', async () => {
    expect(await openCopySource(await temporaryDirectory())).toBeUndefined()
  })
})
