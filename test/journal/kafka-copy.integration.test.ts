import { randomUUID } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CopiedTopic, type CopyOptions, copyJournal, endsOf } from '../../journal/copy.ts'
import { type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { type Journal, MAX_RECORD_BYTES, type PartitionAddress, partitionKey } from '../../journal/journal.ts'
import { openCopyTarget, stopCopy } from '../../journal/kafka/copy-target.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { readAll, record } from '../contracts/support/journal-world.ts'
import { distinguishTests, onTestFinished } from '../support/concurrent.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { serviceIsThere } from '../support/services.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { addressesOf, openSource, SOURCE, settings, writeAtRandom } from './support/copied-journal.ts'
import { API, type Fault, KafkaProxy } from './support/kafka-proxy.ts'

/** ALMANAC_TEST_COPIES=100 for a long run; ALMANAC_TEST_SEED repeats one. */
const COPIES = Number(process.env.ALMANAC_TEST_COPIES ?? 1)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const newPrefix = () => `copy-${randomUUID()}.`
const copied = (prefix: string): CopiedTopic[] =>
  Object.entries(settings(SOURCE)).map(([from, each]) => ({
    from,
    to: prefix + from.slice(SOURCE.length),
    settings: each,
  }))
const options = (prefix: string, over: Partial<CopyOptions> = {}): CopyOptions => ({
  topics: copied(prefix),
  translate: async (_, records) => records,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  ...over,
})
/** In one process with those that write to it, which the test knows to have stopped. */
const stopped = (source: EmbeddedCopySource) => Object.assign(source, { isAlone: async () => true })

/** The newest of each key where a topic is compacted: an adapter may keep older ones for a while. */
async function contentOf(journal: Journal, address: PartitionAddress, compacted: boolean) {
  const { start, end } = await journal.bounds(address)
  const { records } = await readAll(journal, address, start)
  const plain = records.map((one) => ({ ...one, value: Buffer.from(one.value).toString() }))
  const shown = compacted ? Array.from(new Map(plain.map((one) => [one.key, one])).values()) : plain
  return { start, end, records: shown.sort((a, b) => a.offset - b.offset) }
}

const timeout = 60_000 + COPIES * 10_000
// At once, because each waits for Kafka.
describe.skipIf(!serviceIsThere('java'))('a journal copied to Kafka', { timeout, concurrent: true }, () => {
  distinguishTests()
  let broker: string
  beforeAll(async () => {
    broker = (await sharedServer('kafka')).brokers[0] as string
  })
  const at = (prefix: string, over = {}) => ({ brokers: [broker], clientId: 'test', prefix, ...over })
  const openTarget = async (prefix: string, source: EmbeddedCopySource, over = {}, registry = '') =>
    openCopyTarget(at(prefix, over), {
      source: { ...source.side, ends: await endsOf(source.journal, copied(prefix)) },
      registry,
      topics: settings(prefix),
      begin: async () => {
        const id = randomUUID()
        await source.bind({ id, to: prefix })
        return id
      },
    })
  const openCopy = async (prefix: string) => {
    const journal = await openKafkaJournal(at(prefix))
    onTestFinished(() => journal.close())
    return journal
  }

  describe.each(['kafkajs', 'platformatic'] as const)('with %s', (client) => {
    it(`has every record, hole, position and epoch where it was, however often it was cut (seed ${SEED})`, async () => {
      let lost = 0
      // One copy may end before any of its faults is met.
      for (let copy = 0; copy < COPIES || (lost === 0 && copy < COPIES + 10); copy++) {
        const random = randomFrom(SEED + copy)
        const whole = (below: number) => Math.floor(random() * below)
        const prefix = newPrefix()
        const topics = settings(prefix)
        const { journal, source } = await openSource()
        await writeAtRandom(journal, random, 60)
        const proxy = await KafkaProxy.open(broker)
        let cuts = 0
        for (let outcome = 'in_use'; outcome !== 'finished'; ) {
          proxy.heal()
          const target = await openTarget(prefix, source, { brokers: [proxy.broker], requestMs: 300, client })
          const isLast = cuts >= 4
          // Closes the target as a kill would: unfinished work stays as it is.
          let steps = isLast ? Number.POSITIVE_INFINITY : whole(12)
          const onProgress = () => {
            if (steps-- <= 0) target.close()
            const apis = [[API.produce, API.produce, API.initProducerId, API.listOffsets][whole(4)] as number]
            lost += proxy.hits
            proxy.arm({ apis, action: losses[whole(3)] as Fault['action'], skip: whole(2) })
          }
          Object.assign(source, { isAlone: async () => cuts >= 2 })
          try {
            outcome = await copyJournal(source, target, options(prefix, { onProgress }))
          } catch (error) {
            const { code } = error as { code?: string }
            if (isLast || (code !== 'closed' && code !== 'outcome_unknown')) throw error
          }
          target.close()
          lost += proxy.hits
          proxy.hits = 0
          cuts++
          if (!source.side.isMoved) await writeAtRandom(journal, random, 10)
        }
        expect(cuts).toBeGreaterThan(2)
        const moved = await openCopy(prefix)
        expect(moved.id).toBe(journal.id)
        for (const address of addressesOf(topics)) {
          const compacted = topics[address.topic]?.cleanup === 'compact'
          const from = { ...address, topic: SOURCE + address.topic.slice(prefix.length) }
          const expected = await contentOf(source.journal, from, compacted)
          expect(await contentOf(moved, address, compacted), `${SEED + copy} ${address.topic}`).toEqual(expected)
        }
        for (const { name, epoch, positions } of source.claims()) {
          const claim = await moved.claim(name)
          expect(claim.epoch).toBe(epoch + 1)
          for (const address of addressesOf(topics))
            expect(await claim.position(address)).toBe(positions[partitionKey(address).replace(prefix, SOURCE)])
          await claim.release()
        }
      }
      expect(lost).toBeGreaterThan(0)
    })
  })

  it('leaves out as many offsets as retention and compaction took', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource()
    const [newest, aged] = ['newest', 'aged'].map((topic) => ({ topic, partition: 0 }))
    const many = (timestamp: number) =>
      Array.from({ length: 50_000 }, (_, i) => record(`${i}`, { key: 'one', timestamp, headers: {} }))
    for (const time of [0, 0, 0, 9_000])
      for (const { topic } of [newest, aged] as PartitionAddress[])
        await journal.append({ topic: SOURCE + topic, partition: 0, records: many(time) })
    await journal.retain(9_000)
    const target = await openTarget(prefix, source)
    expect(await copyJournal(stopped(source), target, options(prefix))).toBe('finished')
    target.close()
    const moved = await openCopy(prefix)
    const onKafka = (topic: string) => ({ topic: prefix + topic, partition: 0 })
    expect(await moved.bounds(onKafka('aged'))).toEqual({ start: 150_000, end: 200_000 })
    await expect(moved.read(onKafka('aged'), 149_999)).rejects.toMatchObject({ code: 'offset_out_of_range' })
    const [oldest] = (await moved.read(onKafka('aged'), 150_000)).records
    expect(oldest).toMatchObject({ offset: 150_000, timestamp: 9_000 })
    expect((await readAll(moved, onKafka('newest'))).records.map(({ offset }) => offset)).toEqual([199_999])
  })

  it('begins within a batch that retention has shortened, and goes on when it is shortened during the copy', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource()
    const aged = { topic: `${SOURCE}aged`, partition: 0 }
    const append = async (count: number) => {
      const { end } = await journal.bounds(aged)
      const records = Array.from({ length: count }, (_, i) => record(`${end + i}`, { timestamp: end + i }))
      await journal.append({ ...aged, records })
    }
    // The topic keeps a second, and the time of a record is its offset.
    const shortenTo = async (start: number) => {
      await journal.retain(1_000 + start)
      expect((await journal.bounds(aged)).start).toBe(start)
    }
    const target = await openTarget(prefix, source)
    onTestFinished(() => target.close())
    const copy = (isAlone: boolean, over: Partial<CopyOptions> = {}) =>
      copyJournal(Object.assign(source, { isAlone: async () => isAlone }), target, options(prefix, over))
    // Few enough for one batch.
    await append(20)
    await shortenTo(7)
    expect(await copy(false)).toBe('in_use')
    // Between two runs: the copy's tail is compared from within the batch on.
    await shortenTo(12)
    await append(20)
    const translate: CopyOptions['translate'] = async ({ from }, records) => {
      if (from === aged.topic && records[0]?.offset === 20) await shortenTo(25)
      return records
    }
    expect(await copy(false, { translate })).toBe('in_use')
    expect((await journal.bounds(aged)).start).toBe(25)
    await shortenTo(33)
    expect(await copy(true)).toBe('finished')
    const moved = await openCopy(prefix)
    const copied = { topic: `${prefix}aged`, partition: 0 }
    expect(await moved.bounds(copied)).toEqual({ start: 33, end: 40 })
    expect(await contentOf(moved, copied, false)).toEqual(await contentOf(journal, aged, false))
    await expect(moved.read(copied, 32)).rejects.toMatchObject({ range: { start: 33, end: 40 } })
    expect((await moved.read(copied, 35)).records[0]).toMatchObject({ offset: 35, timestamp: 35 })
  })

  it('is opened by nobody before it is finished, and then takes no more', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource()
    await journal.append({ topic: `${SOURCE}kept`, partition: 0, records: [record('one')] })
    const target = await openTarget(prefix, source)
    await expect(openKafkaJournal(at(prefix))).rejects.toMatchObject({ code: 'unfinished_copy' })
    await expect(openKafkaJournal(at(prefix))).rejects.toThrow(`an unfinished copy of journal ${journal.id}`)
    await copyJournal(stopped(source), target, options(prefix))
    target.close()
    const moved = await openCopy(prefix)
    await moved.append({ topic: `${prefix}kept`, partition: 0, records: [record('two')] })
    const again = await openTarget(prefix, source)
    again.close()
    expect(again.isFinished).toBe(true)
    // The directory is opened again by force, so what is written to it from now on is not on Kafka.
    await source.unmark()
    await journal.append({ topic: `${SOURCE}kept`, partition: 0, records: [record('three')] })
    await expect(openTarget(prefix, source)).rejects.toThrow('was written to after it had been copied')
  })

  it('misses a topic that was deleted before it was first opened, and another run does not make it anew', async () => {
    const prefix = newPrefix()
    const { source } = await openSource()
    await copyJournal(stopped(source), await openTarget(prefix, source), options(prefix))
    const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const topic = `${prefix}kept`
    await admin.deleteTopics({ topics: [topic] })
    await until('it is gone', async () => !(await admin.listTopics()).includes(topic))
    const again = await openTarget(prefix, source)
    expect(again.isFinished).toBe(true)
    again.close()
    const moved = await openCopy(prefix)
    await expect(moved.ensureTopics(settings(prefix))).rejects.toMatchObject({ code: 'topic_lost' })
    await admin.disconnect()
  })

  it('goes on behind records that are as great as they may be', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource()
    const great = (first: number) => ({ ...record('great'), value: new Uint8Array(MAX_RECORD_BYTES).fill(first) })
    const append = (first: number) => journal.append({ topic: `${SOURCE}kept`, partition: 0, records: [great(first)] })
    for (let first = 0; first < 5; first++) await append(first)
    const target = await openTarget(prefix, source)
    onTestFinished(() => target.close())
    Object.assign(source, { isAlone: async () => false })
    expect(await copyJournal(source, target, options(prefix))).toBe('in_use')
    await append(5)
    expect(await copyJournal(stopped(source), target, options(prefix))).toBe('finished')
    const { records } = await readAll(await openCopy(prefix), { topic: `${prefix}kept`, partition: 0 })
    expect(records.map(({ value }) => value[0])).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('is made at one place only', async () => {
    const [first, second] = [newPrefix(), newPrefix()]
    const { source } = await openSource()
    const target = await openTarget(first, source)
    await copyJournal(stopped(source), target, options(first))
    target.close()
    await expect(openTarget(second, source)).rejects.toThrow(`has moved to ${first}; the target has no copy of it`)
    await expect(stopCopy(at(second), { ...source.side, ends: {} })).rejects.toThrow(
      `the copy of journal ${source.side.id} is not on this Kafka; it was at ${first}`,
    )
    await expect(stopCopy(at(first), { ...source.side, ends: {} })).rejects.toThrow('the copy is finished')
  })

  it('is finished by the last run only, and by none that was stopped', async () => {
    const prefix = newPrefix()
    const { source } = await openSource()
    const frozen = await openTarget(prefix, source)
    const later = await openTarget(prefix, source)
    await expect(frozen.finish([], {}, [])).rejects.toThrow('another run has taken over the copy')
    await stopCopy(at(prefix), { ...source.side, ends: {} })
    await expect(later.finish([], {}, [])).rejects.toThrow('another run has taken over the copy')
    const last = await openTarget(prefix, source)
    const generations = [{ id: 'b', branch: { event: 5, ends: { 'events/0': 9 } } }]
    await last.finish([], {}, generations)
    await last.finish([], {}, [])
    for (const target of [frozen, later, last]) target.close()
    expect(await openCopy(prefix)).toMatchObject({ id: source.side.id, generations })
  })

  it('is not made where another journal is, or where records are, nor with two registries', async () => {
    const prefix = newPrefix()
    const other = await openCopy(prefix)
    const { source } = await openSource()
    await expect(openTarget(prefix, source)).rejects.toThrow(`already holds another journal, ${other.id}`)
    const strays = newPrefix()
    const elsewhere = await openCopy(newPrefix())
    await elsewhere.ensureTopics(settings(strays))
    await elsewhere.append({ topic: `${strays}kept`, partition: 1, records: [record('stray')] })
    for (let time = 0; time < 2; time++)
      await expect(openTarget(strays, source)).rejects.toThrow(`${strays}kept has records already`)
    const two = newPrefix()
    const target = await openTarget(two, source)
    target.close()
    await expect(openTarget(two, source, {}, 'http://registry')).rejects.toThrow('begun with the released schemas')
  })

  it('notices whoever writes between', async () => {
    const prefix = newPrefix()
    const { journal, source } = await openSource()
    await journal.append({ topic: `${SOURCE}kept`, partition: 0, records: [record('one')] })
    const target = await openTarget(prefix, source)
    onTestFinished(() => target.close())
    const elsewhere = await openCopy(newPrefix())
    const translate: CopyOptions['translate'] = async (_, records) => {
      await elsewhere.append({ topic: `${prefix}kept`, partition: 0, records: [record('stray')] })
      return records
    }
    const copying = copyJournal(stopped(source), target, options(prefix, { translate }))
    await expect(copying).rejects.toThrow(`another program writes to ${prefix}kept/0`)
    // Nor is a copy gone on with that isn't one.
    const again = () => copyJournal(stopped(source), target, options(prefix))
    await expect(again()).rejects.toThrow(`the copy of ${prefix}kept/0 ends at 2, the journal's partition at 1`)
    await journal.append({ topic: `${SOURCE}kept`, partition: 0, records: [record('two'), record('three')] })
    await expect(again()).rejects.toThrow(`the copy of ${prefix}kept/0 differs at offset 0`)
    expect(source.side.isMoved).toBe(false)
  })
})

const losses: readonly Fault['action'][] = ['lose request', 'lose answer', 'lose answer and cut']

describe('the embedded journal that was copied', () => {
  it('is written to no more, not even by those who had it open, until the copy is given up', async () => {
    const { dir, journal, source } = await openSource()
    const address = { topic: `${SOURCE}kept`, partition: 0 }
    const claim = await journal.claim('owner')
    await source.bind({ id: 'copy', to: 'Kafka' })
    await source.markMoved()
    await expect(journal.append({ ...address, records: [record('late')] })).rejects.toMatchObject({ code: 'moved' })
    const late = journal.transact(claim, [{ ...address, records: [record('late')] }], [{ ...address, offset: 7 }])
    await expect(late).rejects.toMatchObject({ code: 'moved' })
    await expect(openEmbeddedJournal({ dir })).rejects.toThrow(`journal ${journal.id} was moved to Kafka at`)
    expect(await claim.position(address)).toBeUndefined()
    expect(await journal.bounds(address)).toEqual({ start: 0, end: 0 })
    await source.unmark()
    expect(source.side).toEqual({
      id: journal.id,
      generations: [],
      copy: { id: 'copy', to: 'Kafka' },
      isMoved: false,
    })
    await journal.transact(claim, [{ ...address, records: [record('in time')] }])
    expect(await journal.bounds(address)).toEqual({ start: 0, end: 2 })
  })
  it('is another one when it is opened again by force', async () => {
    const { dir, journal, source } = await openSource()
    await source.bind({ id: 'copy', to: 'Kafka' })
    await source.markMoved()
    const id = await source.fork()
    expect(id).not.toBe(journal.id)
    expect(source.side).toEqual({ id, generations: [], copy: undefined, isMoved: false })
    const again = await openEmbeddedJournal({ dir })
    expect(again.id).toBe(id)
    await again.close()
  })
  it('is found only where there is one', async () => {
    await expect(openCopySource(await temporaryDirectory())).rejects.toMatchObject({ code: 'no_journal' })
  })
})
