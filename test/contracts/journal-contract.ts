/**
 * What every adapter of the journal port must do. An adapter's test calls `journalContract` with a harness; topics and
 * claims have names of their own in each case, so the harness may be one long-lived journal (a real broker).
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Batch,
  type Claim,
  type Journal,
  type JournalErrorCode,
  MAX_RECORD_BYTES,
  type NewRecord,
  type PartitionAddress,
  type ReadLimits,
  type StoredRecord,
  type TopicSettings,
  type Write,
} from '../../journal/journal.ts'

export type JournalHarness = {
  /** A further client of the same journal. The suite closes it. */
  readonly open: () => Promise<Journal>
  /** Moves the start of a partition to a record's offset: by retention, by an administrator's call. */
  readonly truncate?: (address: PartitionAddress, offset: number) => Promise<void>
  /** Older records of a key go in the very commit that supersedes them, rather than some time later. */
  readonly compactsAtOnce?: boolean
  /** How many random histories are compared with the model. */
  readonly histories: number
}

const KEPT: TopicSettings = { partitions: 1, cleanup: 'delete', retentionMs: null }
/** A truncated topic's records may be as old as the harness likes: their times count from 0. */
export const TRUNCATED: TopicSettings = { partitions: 1, cleanup: 'delete', retentionMs: 1_000 }
const COMPACTED: TopicSettings = { partitions: 1, cleanup: 'compact', retentionMs: null }

export const record = (text: string, rest: Partial<NewRecord> = {}): NewRecord => ({
  key: null,
  value: Buffer.from(text),
  timestamp: 1_700_000_000_000,
  headers: {},
  ...rest,
})

export const textsOf = (records: readonly NewRecord[]) => records.map(({ value }) => Buffer.from(value).toString())

/** Reads from `offset` to the end as of the last batch. */
export async function readAll(journal: Journal, address: PartitionAddress, offset = 0, limits?: ReadLimits) {
  const records: StoredRecord[] = []
  for (;;) {
    const batch = await journal.read(address, offset, limits)
    records.push(...batch.records)
    offset = batch.next
    if (batch.next === batch.end) return { records, end: batch.end }
  }
}

export const failsWith = (code: JournalErrorCode) =>
  expect.objectContaining({ name: 'JournalError', code, message: expect.stringContaining(code) })

export function journalContract(name: string, harness: JournalHarness): void {
  const opened: Journal[] = []

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
  })

  async function open(): Promise<Journal> {
    const journal = await harness.open()
    opened.push(journal)
    return journal
  }

  async function createTopic(journal: Journal, settings: TopicSettings): Promise<string> {
    const topic = `contract-${randomUUID()}`
    await journal.ensureTopics({ [topic]: settings })
    return topic
  }

  async function openWith(settings: TopicSettings): Promise<{ journal: Journal; address: PartitionAddress }> {
    const journal = await open()
    return { journal, address: { topic: await createTopic(journal, settings), partition: 0 } }
  }

  const claimName = () => `claim-${randomUUID()}`

  describe(`${name}: topics`, () => {
    it('has one id for all clients', async () => {
      const [one, other] = [await open(), await open()]
      expect(one.id).toMatch(/^[0-9A-Za-z-]{8,}$/)
      expect(other.id).toBe(one.id)
    })

    it('creates a topic once, and refuses another partition count', async () => {
      const { journal, address } = await openWith({ ...KEPT, partitions: 2 })
      await journal.append({ ...address, records: [record('before')] })
      const other = await open()
      await other.ensureTopics({ [address.topic]: { ...KEPT, partitions: 2 } })
      const added = `contract-${randomUUID()}`
      const mismatched = other.ensureTopics({ [added]: KEPT, [address.topic]: { ...KEPT, partitions: 3 } })
      await expect(mismatched).rejects.toEqual(failsWith('topic_mismatch'))
      expect(textsOf((await readAll(other, address)).records)).toEqual(['before'])
    })

    it('knows no topic and no partition that was not created', async () => {
      const { journal, address } = await openWith(KEPT)
      const nowhere = [
        { topic: 'contract-nowhere', partition: 0 },
        ...[1, -1, 0.5].map((partition) => ({ ...address, partition })),
      ]
      for (const unknown of nowhere) {
        const records = [record('lost')]
        await expect(journal.append({ ...unknown, records })).rejects.toEqual(failsWith('unknown_topic'))
        await expect(journal.read(unknown, 0)).rejects.toEqual(failsWith('unknown_topic'))
        await expect(journal.bounds(unknown)).rejects.toEqual(failsWith('unknown_topic'))
      }
    })
  })

  describe(`${name}: append and read`, () => {
    it('gives back what was appended, in order', async () => {
      const { journal, address } = await openWith(KEPT)
      const records = [
        record('plain'),
        record('', { key: '' }),
        record('times', { timestamp: 0 }),
        record('Ünïcode ✓', { key: 'schlüssel ✓', headers: { cause: 'releases/0/1', 'record-id': '', 'ä ✓': '✓' } }),
        record('bytes', { key: 'k', value: Uint8Array.from({ length: 256 }, (_, i) => i) }),
      ]
      const { firstOffset } = await journal.append({ ...address, records: records.slice(0, 2) })
      expect(firstOffset).toBe(0)
      expect(await journal.append({ ...address, records: records.slice(2) })).toEqual({ firstOffset: 2 })
      const { records: read, end } = await readAll(await open(), address)
      expect(read.map(plain)).toEqual(records.map((written, offset) => plain({ ...written, offset })))
      expect(end).toBe(5)
      expect(await journal.bounds(address)).toEqual({ start: 0, end: 5 })
    })

    it('appends nothing to a partition for an empty write', async () => {
      const { journal, address } = await openWith(KEPT)
      await journal.append({ ...address, records: [record('one')] })
      expect(await journal.append({ ...address, records: [] })).toEqual({ firstOffset: 1 })
      expect(await journal.bounds(address)).toEqual({ start: 0, end: 1 })
    })

    it('keeps partitions apart', async () => {
      const { journal, address } = await openWith({ ...KEPT, partitions: 3 })
      for (const partition of [2, 0, 2]) {
        await journal.append({ ...address, partition, records: [record(`to ${partition}`)] })
      }
      const texts = []
      for (const partition of [0, 1, 2])
        texts.push(textsOf((await readAll(journal, { ...address, partition })).records))
      expect(texts).toEqual([['to 0'], [], ['to 2', 'to 2']])
    })

    it('does not change records when the caller goes on using their memory', async () => {
      const { journal, address } = await openWith(KEPT)
      const value = Buffer.from('before')
      const appended = journal.append({ ...address, records: [record('', { value })] })
      value.fill('x')
      await appended
      const [first] = (await journal.read(address, 0)).records
      await journal.append({ ...address, records: [record('after')] })
      await readAll(journal, address)
      expect(textsOf([first as StoredRecord])).toEqual(['before'])
    })

    it('keeps to the limits of a batch, yet always delivers a record', async () => {
      const { journal, address } = await openWith(KEPT)
      const sizes = [10, 20_000, 10, 10, 500_000, 10]
      const records = sizes.map((size) => record('', { value: new Uint8Array(size) }))
      await journal.append({ ...address, records })
      const byCount = await journal.read(address, 0, { maxRecords: 2 })
      expect(byCount.records.map(({ offset }) => offset)).toEqual([0, 1])
      expect(byCount).toMatchObject({ next: 2, end: 6 })
      const single = await journal.read(address, 4, { maxBytes: 1 })
      expect(single.records.map(({ value }) => value.length)).toEqual([500_000])
      const byBytes: number[][] = []
      for (let offset = 0; offset < 6; ) {
        const batch = await journal.read(address, offset, { maxBytes: 10_000 })
        byBytes.push(batch.records.map(({ value }) => value.length))
        offset = batch.next
      }
      expect(byBytes.flat()).toEqual(sizes)
      for (const batch of byBytes)
        if (batch.length > 1) expect(batch.reduce((a, b) => a + b)).toBeLessThanOrEqual(10_000)
    })

    it('reads nothing at the end, and refuses what lies beyond', async () => {
      const { journal, address } = await openWith(KEPT)
      expect(await journal.read(address, 0)).toEqual({ records: [], next: 0, end: 0 })
      await journal.append({ ...address, records: [record('one')] })
      expect(await journal.read(address, 1)).toEqual({ records: [], next: 1, end: 1 })
      const refused = { code: 'offset_out_of_range', range: { start: 0, end: 1 } }
      for (const offset of [2, -1, Number.NaN]) {
        await expect(journal.read(address, offset)).rejects.toMatchObject(refused)
        await expect(firstOf(journal.follow(address, offset, never()))).rejects.toMatchObject(refused)
      }
    })

    it('takes the greatest record and refuses a greater one, and the whole write with it', async () => {
      const { journal, address } = await openWith(KEPT)
      const greatest = record('', { value: new Uint8Array(MAX_RECORD_BYTES) })
      const tooLarge = record('', { value: new Uint8Array(MAX_RECORD_BYTES + 1) })
      const refused = journal.append({ ...address, records: [record('small'), tooLarge] })
      await expect(refused).rejects.toEqual(failsWith('record_too_large'))
      await journal.append({ ...address, records: [greatest] })
      const { records } = await readAll(journal, address)
      expect(records.map(({ value }) => value.length)).toEqual([MAX_RECORD_BYTES])
    })

    it('gives each append of many clients its own run of offsets', async () => {
      const { journal, address } = await openWith(KEPT)
      const clients = [journal, await open(), await open()]
      const appends = clients.flatMap((client, c) =>
        Array.from({ length: 40 }, async (_, i) => {
          const records = Array.from({ length: 1 + (i % 3) }, (_, r) => record(`${c}.${i}.${r}`))
          const { firstOffset } = await client.append({ ...address, records })
          return textsOf(records).map((text, r) => [firstOffset + r, text] as const)
        }),
      )
      const acknowledged = (await Promise.all(appends)).flat()
      const { records } = await readAll(journal, address)
      expect(records.map(({ offset, value }) => [offset, Buffer.from(value).toString()])).toEqual(
        acknowledged.toSorted(([a], [b]) => a - b),
      )
    })
  })

  describe(`${name}: follow`, () => {
    it('delivers an empty batch at once, then what any client appends, each record once', async () => {
      const { journal, address } = await openWith(KEPT)
      const followed = journal.follow(address, 0, never())[Symbol.asyncIterator]()
      expect((await followed.next()).value).toEqual({ records: [], next: 0, end: 0 })
      const clients = [journal, await open()]
      const texts = Array.from({ length: 20 }, (_, i) => `record ${i}`)
      const seen: StoredRecord[] = []
      for (const [i, text] of texts.entries()) {
        await clients[i % 2]?.append({ ...address, records: [record(text)] })
        seen.push(...((await followed.next()).value as Batch).records)
      }
      expect(textsOf(seen)).toEqual(texts)
    })

    it('replays and goes on live without gap or repeat while others append', async () => {
      const { journal, address } = await openWith(KEPT)
      const other = await open()
      const write = async () => {
        for (let i = 0; i < 100; i++)
          await other.append({ ...address, records: [record(`${2 * i}`), record(`${2 * i + 1}`)] })
      }
      const writing = write()
      const seen: string[] = []
      for await (const batch of journal.follow(address, 0, never(), { maxRecords: 7 })) {
        seen.push(...textsOf(batch.records))
        expect(batch.records.length).toBeLessThanOrEqual(7)
        if (seen.length >= 200) break
      }
      await writing
      expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => `${i}`))
    })

    it('ends when its signal aborts, waiting or not', async () => {
      const { journal, address } = await openWith(KEPT)
      expect(await Array.fromAsync(journal.follow(address, 0, AbortSignal.abort()))).toEqual([])
      const stop = new AbortController()
      const batches: Batch[] = []
      for await (const batch of journal.follow(address, 0, stop.signal)) {
        batches.push(batch)
        setTimeout(() => stop.abort(), 5)
      }
      expect(batches).toHaveLength(1)
    })
  })

  describe(`${name}: claims`, () => {
    it('belong to one client at a time, first come, first served', async () => {
      const [one, other] = [await open(), await open()]
      const claimed = claimName()
      const order: string[] = []
      const first = await one.claim(claimed)
      const wait = async (label: string, journal: Journal) => {
        const claim = await journal.claim(claimed)
        order.push(label)
        return claim
      }
      const second = wait('second', other)
      const third = wait('third', one)
      await other.claim(claimName())
      expect(order).toEqual([])
      await first.release()
      const secondClaim = await second
      expect(order).toEqual(['second'])
      expect(secondClaim.epoch).toBeGreaterThan(first.epoch)
      await secondClaim.release()
      expect((await third).epoch).toBeGreaterThan(secondClaim.epoch)
      expect(secondClaim.lost.aborted).toBe(false)
    })

    it('stop waiting when the signal aborts, and leave the line to others', async () => {
      const [one, other] = [await open(), await open()]
      const claimed = claimName()
      const held = await one.claim(claimed)
      const reason = new Error('changed my mind')
      const stop = new AbortController()
      const waiting = other.claim(claimed, stop.signal)
      const behind = other.claim(claimed)
      stop.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      await expect(other.claim(claimed, AbortSignal.abort(reason))).rejects.toBe(reason)
      await held.release()
      expect((await behind).epoch).toBeGreaterThan(held.epoch)
    })

    it('pass on when their client closes', async () => {
      const [one, other] = [await open(), await open()]
      const claimed = claimName()
      const held = await one.claim(claimed)
      const waiting = other.claim(claimed)
      await one.close()
      expect((await waiting).epoch).toBeGreaterThan(held.epoch)
      expect(held.lost.aborted).toBe(true)
    })
  })

  describe(`${name}: transactions`, () => {
    it('write all outputs and positions, and take an offset more in each partition written', async () => {
      const { journal, address: input } = await openWith(KEPT)
      const topic = await createTopic(journal, { ...KEPT, partitions: 2 })
      const [left, right] = [
        { topic, partition: 0 },
        { topic, partition: 1 },
      ] as const
      const claim = await journal.claim(claimName())
      expect(await claim.position(input)).toBeUndefined()
      const writes = [
        { ...left, records: [record('l0'), record('l1')] },
        { ...right, records: [record('r0')] },
        { ...left, records: [record('l2')] },
        { ...input, records: [] },
      ]
      const appended = await journal.transact(claim, writes, [{ ...input, offset: 7 }])
      expect(appended.slice(0, 3)).toEqual([{ firstOffset: 0 }, { firstOffset: 0 }, { firstOffset: 2 }])
      expect(await claim.position(input)).toBe(7)
      expect(await claim.position(left)).toBeUndefined()
      const [leftLog, rightLog] = [await readAll(journal, left), await readAll(journal, right)]
      expect(textsOf(leftLog.records)).toEqual(['l0', 'l1', 'l2'])
      expect(textsOf(rightLog.records)).toEqual(['r0'])
      expect([leftLog.end, rightLog.end, (await journal.bounds(input)).end]).toEqual([4, 2, 0])
      const hole = await journal.read(left, 3)
      expect(hole).toEqual({ records: [], next: 4, end: 4 })
      expect(await journal.append({ ...left, records: [record('l3')] })).toEqual({ firstOffset: 4 })
    })

    it('are written whole however great, in several writes and one greater than a request', async () => {
      const { journal, address } = await openWith(KEPT)
      const claim = await journal.claim(claimName())
      const bytes = Buffer.alloc(MAX_RECORD_BYTES, 'x')
      const great = Array.from({ length: 42 }, (_, i) => record('', { value: bytes, headers: { i: `${i}` } }))
      const writes = [great.slice(0, 20), [record('between')], great.slice(20), [record('last')]].map((records) => ({
        ...address,
        records,
      }))
      const appended = await journal.transact(claim, writes, [{ ...address, offset: 7 }])
      expect(appended.map(({ firstOffset }) => firstOffset)).toEqual([0, 20, 21, 43])
      const { records, end } = await readAll(journal, address)
      expect(records.map(({ headers, value }) => headers.i ?? Buffer.from(value).toString())).toEqual([
        ...[...great.slice(0, 20).keys()].map(String),
        'between',
        ...great.slice(20).map(({ headers }) => headers.i),
        'last',
      ])
      expect(records.filter(({ value }) => bytes.equals(value))).toHaveLength(42)
      expect(end).toBe(45)
      expect(await claim.position(address)).toBe(7)
    })

    it('move positions alone, and each claim has its own', async () => {
      const { journal, address } = await openWith(KEPT)
      const [one, other] = [await journal.claim(claimName()), await journal.claim(claimName())]
      await journal.transact(one, [], [{ ...address, offset: 3 }])
      await journal.transact(one, [], [{ ...address, offset: 5 }])
      expect(await one.position(address)).toBe(5)
      expect(await other.position(address)).toBeUndefined()
      expect(await journal.bounds(address)).toEqual({ start: 0, end: 0 })
    })

    it('hand positions to the next owner, and fence the owner before', async () => {
      const { journal, address } = await openWith(KEPT)
      const later = await open()
      const claimed = claimName()
      const old = await journal.claim(claimed)
      await journal.transact(old, [{ ...address, records: [record('by the old')] }], [{ ...address, offset: 1 }])
      await old.release()
      const current = await later.claim(claimed)
      expect(await current.position(address)).toBe(1)
      await later.transact(current, [{ ...address, records: [record('by the new')] }], [{ ...address, offset: 2 }])
      const zombie = journal.transact(
        old,
        [{ ...address, records: [record('by a zombie')] }],
        [{ ...address, offset: 9 }],
      )
      await expect(zombie).rejects.toEqual(failsWith('fenced'))
      expect(old.lost.aborted).toBe(true)
      expect(current.lost.aborted).toBe(false)
      expect(await current.position(address)).toBe(2)
      expect(textsOf((await readAll(later, address)).records)).toEqual(['by the old', 'by the new'])
    })

    it('are refused once the claim is released, with nothing written', async () => {
      const { journal, address } = await openWith(KEPT)
      const claim = await journal.claim(claimName())
      await claim.release()
      await claim.release()
      const refused = journal.transact(claim, [{ ...address, records: [record('late')] }], [{ ...address, offset: 1 }])
      await expect(refused).rejects.toEqual(failsWith('fenced'))
      expect(await journal.bounds(address)).toEqual({ start: 0, end: 0 })
    })

    it('write nothing at all when one of their records is refused', async () => {
      const { journal, address } = await openWith({ ...KEPT, partitions: 2 })
      const claim = await journal.claim(claimName())
      const tooLarge = record('', { value: new Uint8Array(MAX_RECORD_BYTES + 1) })
      const writes = [
        { ...address, records: [record('fine')] },
        { ...address, partition: 1, records: [tooLarge] },
      ]
      const refused = journal.transact(claim, writes, [{ ...address, offset: 1 }])
      await expect(refused).rejects.toEqual(failsWith('record_too_large'))
      expect(await claim.position(address)).toBeUndefined()
      expect((await journal.read(address, 0)).records).toEqual([])
      await journal.transact(claim, writes.slice(0, 1))
      expect(textsOf((await readAll(journal, address)).records)).toEqual(['fine'])
    })
  })

  describe(`${name}: compaction`, () => {
    // A broker's cleaner comes round when it has time: on a busy machine that takes its while.
    const soon = harness.compactsAtOnce ? { timeout: 0 } : { timeout: 20_000 }

    it('keeps the newest record of each key, and every record without one', { timeout: 30_000 }, async () => {
      const { journal, address } = await openWith(COMPACTED)
      const write = (...records: NewRecord[]) => journal.append({ ...address, records })
      await write(record('a1', { key: 'a' }), record('b1', { key: 'b' }), record('none 1'))
      await write(record('a2', { key: 'a' }), record('none 2'), record('a3', { key: 'a' }))
      await write(record('c1', { key: 'c' }))
      await vi.waitFor(async () => {
        const { records, end } = await readAll(journal, address)
        expect(textsOf(records)).toEqual(['b1', 'none 1', 'none 2', 'a3', 'c1'])
        expect(end).toBe(7)
      }, soon)
    })

    it('is right for a transaction that writes a key several times', { timeout: 30_000 }, async () => {
      const { journal, address } = await openWith(COMPACTED)
      const claim = await journal.claim(claimName())
      await journal.append({ ...address, records: [record('k0', { key: 'k' })] })
      const records = ['k1', 'k2', 'k3'].map((text) => record(text, { key: 'k' }))
      await journal.transact(claim, [
        { ...address, records: records.slice(0, 2) },
        { ...address, records: records.slice(2) },
      ])
      await vi.waitFor(async () => {
        const log = await readAll(journal, address)
        expect(textsOf(log.records)).toEqual(['k3'])
        expect(log.end).toBe(5)
      }, soon)
    })
  })

  describe.skipIf(!harness.truncate)(`${name}: a moving start`, () => {
    const truncate = harness.truncate as NonNullable<JournalHarness['truncate']>
    const aged = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => record(`${from + i}`, { timestamp: (from + i) * 1_000 }))

    it('refuses readers and followers that it has passed by, and says where the log begins', async () => {
      const { journal, address } = await openWith(TRUNCATED)
      await journal.append({ ...address, records: aged(0, 10) })
      const reader = journal.follow(address, 0, never(), { maxRecords: 2 })[Symbol.asyncIterator]()
      expect(textsOf(((await reader.next()).value as Batch).records)).toEqual(['0', '1'])
      await truncate(address, 6)
      expect(await journal.bounds(address)).toEqual({ start: 6, end: 10 })
      const refused = { code: 'offset_out_of_range', range: { start: 6, end: 10 } }
      await expect(journal.read(address, 5)).rejects.toMatchObject(refused)
      await expect(reader.next()).rejects.toMatchObject(refused)
      expect(textsOf((await readAll(journal, address, 6)).records)).toEqual(['6', '7', '8', '9'])
    })

    it('does not disturb a follower at the tail', async () => {
      const { journal, address } = await openWith(TRUNCATED)
      await journal.append({ ...address, records: aged(0, 5) })
      const reader = journal.follow(address, 5, never())[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      await truncate(address, 4)
      await journal.append({ ...address, records: aged(5, 6) })
      expect(textsOf(((await waiting).value as Batch).records)).toEqual(['5'])
    })
  })

  describe(`${name}: closing`, () => {
    it('ends everything that is under way or comes later with `closed`', async () => {
      const { journal, address } = await openWith(KEPT)
      const claim = await journal.claim(claimName())
      const following = Array.fromAsync(journal.follow(address, 0, never()))
      const waiting = journal.claim(claim.name)
      const appended = journal.append({ ...address, records: [record('just before')] })
      const outcomes = Promise.allSettled([following, waiting])
      await journal.close()
      await journal.close()
      expect(await appended).toEqual({ firstOffset: 0 })
      const later = [
        journal.append({ ...address, records: [record('late')] }),
        journal.transact(claim, []),
        journal.read(address, 0),
        journal.bounds(address),
        journal.claim('late'),
        journal.ensureTopics({}),
        journal.retain(0),
        claim.position(address),
      ]
      const settled = [...(await outcomes), ...(await Promise.allSettled(later))]
      expect(settled.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'went on'))).toEqual(
        settled.map(() => 'closed'),
      )
      expect(textsOf((await readAll(await open(), address)).records)).toEqual(['just before'])
    })
  })

  describe(`${name}: random histories`, () => {
    it('read from every offset as a simple model says', async () => {
      const journal = await open()
      await fc.assert(
        fc.asyncProperty(historyArbitrary, async (steps) => {
          const history = new History(journal, harness, await journal.claim(claimName()))
          await history.begin()
          for (const step of steps) await history.take(step)
          await history.compare()
          await history.claim.release()
        }),
        { numRuns: harness.histories, examples: [[startsAtAHole]] },
      )
    })
  })
}

type Step = { kind: 'append' | 'transact' | 'truncate'; writes: { log: number; keys: (string | null)[] }[]; at: number }

const writeArbitrary = fc.record({
  log: fc.nat(2),
  keys: fc.array(fc.constantFrom(null, 'a', 'b', 'c'), { minLength: 1, maxLength: 5 }),
})

const historyArbitrary: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('append', 'append', 'transact', 'transact', 'truncate'),
    writes: fc.array(writeArbitrary, { minLength: 1, maxLength: 3 }),
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Everything in log 0 but the hole behind a transaction goes with log 1; then it is truncated itself. */
const startsAtAHole: Step[] = [
  { kind: 'transact', writes: [{ log: 0, keys: [null] }], at: 0 },
  { kind: 'append', writes: [{ log: 1, keys: [null] }], at: 0 },
  { kind: 'truncate', writes: [], at: 1 },
  { kind: 'append', writes: [{ log: 0, keys: [null] }], at: 0 },
  { kind: 'truncate', writes: [], at: 0 },
]

type ModelLog = { address: PartitionAddress; compacted: boolean; start: number; end: number; records: StoredRecord[] }

/** Does the same to the journal and to a model of it: arrays. */
class History {
  readonly claim: Claim
  readonly #journal: Journal
  readonly #harness: JournalHarness
  readonly #logs: ModelLog[] = []
  #time = 0

  constructor(journal: Journal, harness: JournalHarness, claim: Claim) {
    this.#journal = journal
    this.#harness = harness
    this.claim = claim
  }

  /** Logs 0 and 1 can be truncated; log 2 is compacted, where that can be foreseen. */
  async begin(): Promise<void> {
    const [truncated, other] = [`contract-${randomUUID()}`, `contract-${randomUUID()}`]
    const compacted = this.#harness.compactsAtOnce ?? false
    await this.#journal.ensureTopics({
      [truncated]: { ...TRUNCATED, partitions: 2 },
      [other]: compacted ? COMPACTED : KEPT,
    })
    const addresses = [0, 1].map((partition) => ({ topic: truncated, partition }))
    for (const address of addresses) this.#logs.push({ address, compacted: false, start: 0, end: 0, records: [] })
    this.#logs.push({ address: { topic: other, partition: 0 }, compacted, start: 0, end: 0, records: [] })
  }

  async take({ kind, writes, at }: Step): Promise<void> {
    if (kind === 'truncate') return this.#truncate(at)
    const planned = writes.map(({ log, keys }) => {
      const records = keys.map((key) => record(`${this.#time}`, { key, timestamp: this.#time++ * 1_000 }))
      return { model: this.#logs[log] as ModelLog, records }
    })
    const parts = kind === 'append' ? planned.slice(0, 1) : planned
    const asWrites: Write[] = parts.map(({ model, records }) => ({ ...model.address, records }))
    const [write] = asWrites
    const answers =
      kind === 'append'
        ? [await this.#journal.append(write as Write)]
        : await this.#journal.transact(this.claim, asWrites)
    expect(answers).toEqual(parts.map(({ model, records }) => ({ firstOffset: this.#apply(model, records) })))
    if (kind === 'transact') for (const model of new Set(parts.map(({ model }) => model))) model.end++
  }

  async compare(): Promise<void> {
    for (const { address, start, end, records } of this.#logs) {
      expect(await this.#journal.bounds(address)).toEqual({ start, end })
      for (let offset = start; offset <= end; offset++) {
        const expected = records.filter((known) => known.offset >= offset)
        const read = await readAll(this.#journal, address, offset, { maxRecords: 1 + (offset % 4) })
        expect(read.records.map(plain)).toEqual(expected.map(plain))
        expect(read.end).toBe(end)
      }
      const outside = [end + 1, ...(start > 0 ? [start - 1] : [])]
      for (const offset of outside) {
        await expect(this.#journal.read(address, offset)).rejects.toMatchObject({ code: 'offset_out_of_range' })
      }
    }
  }

  #apply(log: ModelLog, records: readonly NewRecord[]): number {
    const first = log.end
    for (const written of records) {
      if (log.compacted && written.key !== null) log.records = log.records.filter(({ key }) => key !== written.key)
      log.records.push({ ...written, offset: log.end++ })
    }
    return first
  }

  async #truncate(at: number): Promise<void> {
    const log = this.#logs[at % 2] as ModelLog
    const kept = log.records[at % Math.max(1, log.records.length)]
    if (!this.#harness.truncate || !kept) return
    await this.#harness.truncate(log.address, kept.offset)
    // Retention goes by age and so may reach other partitions as well: take their starts over, and check what is left.
    for (const other of this.#logs) {
      const { start } = await this.#journal.bounds(other.address)
      expect(start).toBeGreaterThanOrEqual(other.start)
      other.start = start
      other.records = other.records.filter(({ offset }) => offset >= start)
    }
    // The start itself may be a little lower: at a hole that was left because readers might stand before it.
    expect(log.records[0]).toBe(kept)
  }
}

const never = (): AbortSignal => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return stop.signal
}

async function firstOf<T>(values: AsyncIterable<T>): Promise<T | undefined> {
  for await (const value of values) return value
  return undefined
}

/** With bytes that compare by content, whatever class they are of. */
const plain = ({ value, ...rest }: StoredRecord) => ({ ...rest, value: Buffer.from(value).toString('base64') })
