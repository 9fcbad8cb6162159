import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { checkJournal } from '../../journal/embedded/check.ts'
import { openEnvironment } from '../../journal/embedded/environment.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { encodeEntries, encodeOne, entryKey, seal } from '../../journal/embedded/log-entry.ts'
import { measureRecord } from '../../journal/embedded/record-body.ts'
import type { Batch, Journal, PartitionAddress } from '../../journal/journal.ts'
import { journalContract } from '../contracts/journal-contract.ts'
import { failsWith, readAll, record, TRUNCATED, textsOf } from '../contracts/support/journal-world.ts'
import { embeddedWorld, newDir, remove } from './support/embedded-world.ts'

const contractDir = await newDir()
afterAll(() => remove(contractDir))

journalContract('embedded', {
  open: () => openEmbeddedJournal({ dir: contractDir }),
  truncate: async (address, offset) => {
    const journal = await openEmbeddedJournal({ dir: contractDir })
    const [first] = (await journal.read(address, offset)).records
    await journal.retain((first?.timestamp ?? 0) + (TRUNCATED.retentionMs ?? 0))
    await journal.close()
  },
  compactsAtOnce: true,
  histories: 30,
})

describe('the embedded journal', () => {
  const world = embeddedWorld()
  const { shared, topics, open, append } = world
  let dir: string
  let journal: Journal
  beforeEach(() => {
    ;({ dir, journal } = world)
  })

  describe('groups and waiting', () => {
    it('flushes many small appends at once', async () => {
      const environment = await openEnvironment({ dir })
      const commits = () => environment.snapshot((store) => store.commits())
      const before = commits()
      const appends = Array.from({ length: 300 }, (_, i) => append(`${i}`))
      const offsets = await Promise.all(appends)
      expect(offsets.map(({ firstOffset }) => firstOffset)).toEqual(Array.from({ length: 300 }, (_, i) => i))
      expect(commits() - before).toBeLessThan(10)
      await environment.close()
    })

    it('refuses one write of a group without harming the others', async () => {
      const claim = await journal.claim('group')
      await claim.release()
      const group = [
        append('one'),
        journal.transact(claim, [{ ...shared, records: [record('fenced')] }]),
        append('two'),
      ]
      const outcomes = await Promise.allSettled(group)
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(textsOf((await readAll(journal, shared)).records)).toEqual(['one', 'two'])
    })

    it('undoes a whole group when a job in it breaks', async () => {
      const environment = await openEnvironment({ dir })
      const bug = new TypeError('a bug')
      const claim = await journal.claim('group')
      const innocent = append('in the same group')
      const broken = environment.write((tx) => {
        tx.putPosition('group', 0, 5)
        throw bug
      })
      for (const undone of [innocent, broken]) await expect(undone).rejects.toBe(bug)
      expect(await claim.position(shared)).toBeUndefined()
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 0 })
      await append('fine')
      expect(textsOf((await readAll(journal, shared)).records)).toEqual(['fine'])
      await environment.close()
    })

    it('wakes followers of the same process without polling', async () => {
      const quietDir = await newDir()
      const quiet = await openEmbeddedJournal({ dir: quietDir, tail: { pollMs: 3_600_000, anywayMs: 3_600_000 } })
      await quiet.ensureTopics({ shared: { partitions: 1, cleanup: 'delete', retentionMs: null } })
      const reader = quiet.follow(shared, 0, AbortSignal.timeout(5_000))[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      await quiet.append({ ...shared, records: [record('now')] })
      expect(textsOf(((await waiting).value as Batch).records)).toEqual(['now'])
      await quiet.close()
      await remove(quietDir)
    })

    it('keeps no old pages for a reader that waits', async () => {
      const compacted = { topic: 'compacted', partition: 0 }
      const stop = new AbortController()
      const reader = journal.follow(compacted, 0, stop.signal)[Symbol.asyncIterator]()
      await reader.next()
      const waiting = reader.next()
      for (let round = 0; round < 150; round++) {
        const records = Array.from({ length: 50 }, (_, i) => record('x'.repeat(1_000), { key: `${i}` }))
        await journal.append({ ...compacted, records })
        if (round === 0) await waiting
      }
      // 150 rounds of 50 kB; one round is alive.
      expect((await stat(join(dir, 'data.mdb'))).size).toBeLessThan(2_000_000)
      stop.abort()
    })
  })

  describe('retention', () => {
    const aged: PartitionAddress = { topic: 'aged', partition: 0 }
    const at = (...times: number[]) => times.map((timestamp) => record(`${timestamp}`, { timestamp }))

    it('deletes what is too old, in many steps if need be, and moves the start', async () => {
      const times = Array.from({ length: 2_500 }, (_, i) => i)
      await journal.append({ ...aged, records: at(...times, 50_000) })
      await journal.retain(10_000)
      expect(await journal.bounds(aged)).toEqual({ start: 0, end: 2_501 })
      await journal.retain(10_007)
      expect(await journal.bounds(aged)).toEqual({ start: 7, end: 2_501 })
      await Promise.all([journal.retain(59_999), (await open()).retain(59_999)])
      expect(await journal.bounds(aged)).toEqual({ start: 2_500, end: 2_501 })
      expect(textsOf((await readAll(journal, aged, 2_500)).records)).toEqual(['50000'])
      await journal.retain(60_001)
      expect(await journal.bounds(aged)).toEqual({ start: 2_501, end: 2_501 })
      expect(await journal.append({ ...aged, records: at(60_000) })).toEqual({ firstOffset: 2_501 })
    })

    it('never moves a start back, though another retention with an earlier time be slower', async () => {
      const times = Array.from({ length: 500 }, (_, i) => i)
      await journal.append({ ...aged, records: at(...times, 50_000) })
      await Promise.all([journal.retain(59_999), (await open()).retain(10_007)])
      expect(await journal.bounds(aged)).toEqual({ start: 500, end: 501 })
    })

    it('shortens the batch in which the new start lies', async () => {
      const padding = 'x'.repeat(500)
      const records = Array.from({ length: 200 }, (_, i) => record(`${i} ${padding}`, { timestamp: i }))
      await journal.append({ ...aged, records })
      for (const start of [1, 40, 41, 100, 199]) {
        await journal.retain(10_000 + start)
        expect(await journal.bounds(aged)).toEqual({ start, end: 200 })
        const { records: read } = await readAll(journal, aged, start)
        expect(textsOf(read)).toEqual(textsOf(records.slice(start)))
        expect(read.map(({ offset }) => offset)).toEqual(records.slice(start).map(({ timestamp }) => timestamp))
        // What was deleted is not in the file any more, and the check counts what is left.
        expect(await checkJournal(dir)).toBe(200 - start)
      }
    })

    it('goes from the oldest on and stops at the first record that may stay', async () => {
      await journal.append({ ...aged, records: at(1, 90_000, 2) })
      await journal.retain(50_000)
      expect(textsOf((await readAll(journal, aged, 1)).records)).toEqual(['90000', '2'])
    })

    it('leaves topics without a time limit, and compacted ones, alone', async () => {
      await append('old')
      await journal.retain(Number.MAX_SAFE_INTEGER)
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 1 })
    })

    it('takes over a changed time limit, but no changed kind of cleaning', async () => {
      await journal.append({ ...aged, records: at(1) })
      await journal.ensureTopics({ aged: { partitions: 1, cleanup: 'delete', retentionMs: 50 } })
      await journal.retain(52)
      expect(await journal.bounds(aged)).toEqual({ start: 1, end: 1 })
      const changed = journal.ensureTopics({ aged: { partitions: 1, cleanup: 'compact', retentionMs: 50 } })
      await expect(changed).rejects.toEqual(failsWith('topic_mismatch'))
    })
  })

  describe('on disk', () => {
    it('is the same journal after closing and opening again', async () => {
      const { id } = journal
      await append('kept')
      const claim = await journal.claim('name')
      await journal.transact(claim, [], [{ ...shared, offset: 1 }])
      await journal.close()
      const again = await open()
      expect(again.id).toBe(id)
      expect(textsOf((await readAll(again, shared)).records)).toEqual(['kept'])
      const next = await again.claim('name')
      expect([next.epoch, await next.position(shared)]).toEqual([claim.epoch + 1, 1])
    })

    it('refuses a directory of another format', async () => {
      const environment = await openEnvironment({ dir })
      await environment.write((tx) => tx.put(['journal'], { format: 3, id: 'x' }))
      await expect(openEmbeddedJournal({ dir })).rejects.toThrow('has format 3; this release reads formats 1 and 2')
      await environment.close()
    })

    it('names the batch of a damaged record, and still reads what lies around it', async () => {
      for (const text of ['a', 'b', 'c'])
        await journal.append({ ...shared, records: [record(`${text}1`), record(`${text}2`)] })
      const environment = await openEnvironment({ dir })
      await environment.write((tx) => {
        const bytes = tx.store.records.get([0, 3])
        if (!bytes) throw new Error('there is no batch')
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
        tx.store.records.put([0, 3], bytes)
      })
      for (const offset of [2, 3])
        await expect(journal.read(shared, offset)).rejects.toThrow('damaged record at shared/0@3: the checksum differs')
      await expect(journal.readValues(shared, 2, () => {})).rejects.toThrow('damaged record at shared/0@3')
      expect(textsOf((await journal.read(shared, 0, { maxRecords: 2 })).records)).toEqual(['a1', 'a2'])
      expect(textsOf((await readAll(journal, shared, 4)).records)).toEqual(['c1', 'c2'])
      await expect(checkJournal(dir)).rejects.toThrow('log 0, record 3: the checksum differs')
      await environment.close()
    })

    it('refuses to shorten a damaged batch, without harming the other writes of its group', async () => {
      await journal.append({ ...shared, records: [record('one'), record('two'), record('three')] })
      const environment = await openEnvironment({ dir })
      await environment.write((tx) => {
        const bytes = tx.store.records.get([0, 2])
        if (!bytes) throw new Error('there is no batch')
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
        tx.store.records.put([0, 2], bytes)
      })
      const cutting = environment.write((tx) => tx.cut(0, 1))
      const appending = append('four')
      await expect(cutting).rejects.toThrow('damaged record 2 of log 0: the checksum differs')
      expect(await appending).toEqual({ firstOffset: 3 })
      expect(await journal.bounds(shared)).toEqual({ start: 0, end: 4 })
      await environment.close()
    })

    it('is damaged if entries overlap, or a compacted topic has a batch', async () => {
      await journal.append({ ...shared, records: [record('one'), record('two'), record('three')] })
      await journal.append({ topic: 'compacted', partition: 0, records: [record('one', { key: 'a' })] })
      const environment = await openEnvironment({ dir })
      const compactedLog = topics.indexOf('compacted')
      const batch = () => encodeEntries(['one', 'two'].map((text) => measureRecord(record(text))))[0]?.bytes
      const put = (log: number, last: number) =>
        environment.write((tx) => tx.store.records.put([log, last], seal(batch() as Buffer, entryKey(log, last))))
      await put(0, 3)
      await expect(checkJournal(dir)).rejects.toThrow('log 0: record 3 overlaps others')
      await environment.write((tx) => tx.store.records.remove([0, 3]))
      expect(await checkJournal(dir)).toBe(4)
      await put(compactedLog, 2)
      await expect(checkJournal(dir)).rejects.toThrow(`log ${compactedLog}: record 2 is in a batch`)
      await environment.close()
    })

    it('names the place of a damaged record, and still reads what lies around it', async () => {
      for (const text of ['zero', 'one', 'two']) await append(text)
      const environment = await openEnvironment({ dir })
      const bytes = seal(encodeOne(measureRecord(record('one'))).bytes, entryKey(0, 1))
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
      await environment.write((tx) => tx.store.records.put([0, 1], bytes))
      await expect(readAll(journal, shared)).rejects.toThrow('damaged record at shared/0@1: the checksum differs')
      expect(textsOf((await journal.read(shared, 0, { maxRecords: 1 })).records)).toEqual(['zero'])
      expect(textsOf((await readAll(journal, shared, 2)).records)).toEqual(['two'])
      await environment.close()
    })
  })
})
