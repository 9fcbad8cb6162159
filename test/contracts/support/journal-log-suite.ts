import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Batch, MAX_RECORD_BYTES, type RecordHead, type StoredRecord } from '../../../journal/journal.ts'
import { failsWith, firstOf, type JournalWorld, KEPT, never, plain, readAll, record, textsOf } from './journal-world.ts'

/** Topics, appending, reading and following. */
export function journalLogs(name: string, { open, openWith }: JournalWorld): void {
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
        await expect(journal.offsetForTime(unknown, 0)).rejects.toEqual(failsWith('unknown_topic'))
      }
    })
  })

  describe(`${name}: append and read`, () => {
    it('leaves out what is not wanted, and still reaches the end', async () => {
      const { journal, address } = await openWith(KEPT)
      const records = [...'abcabcaab'].map((key, i) => record(`${key}${i}`, { key, timestamp: 1_000 + i }))
      await journal.append({ ...address, records: [...records, record('none')] })
      const seen: unknown[] = []
      const isWanted = (head: RecordHead) => {
        seen.push([head.key, head.timestamp])
        return head.key === 'b'
      }
      for (const limits of [{}, { maxRecords: 2 }]) {
        const { records: read, end } = await readAll(journal, address, 0, { ...limits, isWanted })
        expect(read.map(({ offset }) => offset)).toEqual([1, 4, 8])
        expect(textsOf(read)).toEqual(['b1', 'b4', 'b8'])
        expect(end).toBe(10)
      }
      expect(seen.slice(0, 9)).toEqual(records.map(({ key, timestamp }) => [key, timestamp]))
      expect((await readAll(journal, address, 0, { isWanted: () => false })).records).toEqual([])
    })

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
}
