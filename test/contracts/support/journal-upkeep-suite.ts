import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch, NewRecord } from '../../../journal/journal.ts'
import { History, historyArbitrary, startsAtAHole } from './journal-history.ts'
import {
  afterCompaction,
  COMPACTED,
  claimName,
  type JournalHarness,
  type JournalWorld,
  KEPT,
  never,
  readAll,
  record,
  TRUNCATED,
  textsOf,
} from './journal-world.ts'

/** Compaction, a moving start, closing, and random histories beside a model. */
export function journalUpkeep(name: string, harness: JournalHarness, { open, openWith }: JournalWorld): void {
  describe(`${name}: compaction`, () => {
    it('keeps the newest record of each key, and every record without one', async () => {
      const { journal, address } = await openWith(COMPACTED)
      const write = (...records: NewRecord[]) => journal.append({ ...address, records })
      await write(record('a1', { key: 'a' }), record('b1', { key: 'b' }), record('none 1'))
      await write(record('a2', { key: 'a' }), record('none 2'), record('a3', { key: 'a' }))
      await write(record('c1', { key: 'c' }))
      await afterCompaction(harness, async () => {
        const { records, end } = await readAll(journal, address)
        expect(textsOf(records)).toEqual(['b1', 'none 1', 'none 2', 'a3', 'c1'])
        expect(end).toBe(7)
      })
    })

    it('is right for a transaction that writes a key several times', async () => {
      const { journal, address } = await openWith(COMPACTED)
      const claim = await journal.claim(claimName())
      await journal.append({ ...address, records: [record('k0', { key: 'k' })] })
      const records = ['k1', 'k2', 'k3'].map((text) => record(text, { key: 'k' }))
      await journal.transact(claim, [
        { ...address, records: records.slice(0, 2) },
        { ...address, records: records.slice(2) },
      ])
      await afterCompaction(harness, async () => {
        const log = await readAll(journal, address)
        expect(textsOf(log.records)).toEqual(['k3'])
        expect(log.end).toBe(5)
      })
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
        journal.offsetForTime(address, 0),
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
