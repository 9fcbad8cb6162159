import { describe, expect, it } from 'vitest'
import {
  afterCompaction,
  COMPACTED,
  claimName,
  type JournalHarness,
  type JournalWorld,
  KEPT,
  record,
  TRUNCATED,
} from './journal-world.ts'

/** Offsets by time. */
export function journalTimes(name: string, harness: JournalHarness, { openWith }: JournalWorld) {
  const { truncate } = harness
  const at = (...times: number[]) => times.map((timestamp) => record(`${timestamp}`, { timestamp }))
  const lookUp = async ({ journal, address }: Awaited<ReturnType<typeof openWith>>, times: readonly number[]) => {
    const offsets: [number, number][] = []
    for (const time of times) offsets.push([time, await journal.offsetForTime(address, time)])
    return Object.fromEntries(offsets)
  }

  describe(`${name}: the offset of a time`, () => {
    it('is that of the first record at or after it, or the end', async () => {
      const log = await openWith(KEPT)
      expect(await lookUp(log, [0, 10])).toEqual({ 0: 0, 10: 0 })
      await log.journal.append({ ...log.address, records: at(10, 20, 20) })
      await log.journal.append({ ...log.address, records: at(30) })
      expect(await lookUp(log, [0, 10, 11, 20, 21, 30, 31])).toEqual({ 0: 0, 10: 0, 11: 1, 20: 1, 21: 3, 30: 3, 31: 4 })
    })

    it('goes by offset where times go backwards', async () => {
      const log = await openWith(KEPT)
      await log.journal.append({ ...log.address, records: at(50, 5, 7) })
      await log.journal.append({ ...log.address, records: at(6, 100) })
      await log.journal.append({ ...log.address, records: at(60, 90) })
      expect(await lookUp(log, [6, 50, 51, 61, 100, 101])).toEqual({ 6: 0, 50: 0, 51: 4, 61: 4, 100: 4, 101: 7 })
    })

    it('is never that of the hole behind a transaction, whatever its time is', async () => {
      const log = await openWith(KEPT)
      const claim = await log.journal.claim(claimName())
      for (const time of [1_000, 2_000]) {
        await log.journal.transact(claim, [{ ...log.address, records: at(time) }])
      }
      expect(await log.journal.bounds(log.address)).toEqual({ start: 0, end: 4 })
      expect(await lookUp(log, [1_000, 1_001, 2_000, 2_001])).toEqual({ 1000: 0, 1001: 2, 2000: 2, 2001: 4 })
    })

    it.skipIf(!truncate)('passes over what retention has deleted', async () => {
      const log = await openWith(TRUNCATED)
      await log.journal.append({ ...log.address, records: at(0, 1_000, 2_000, 3_000, 4_000) })
      await truncate?.(log.address, 3)
      expect(await lookUp(log, [0, 2_000, 3_001, 4_001])).toEqual({ 0: 3, 2000: 3, 3001: 4, 4001: 5 })
    })

    // A broker's cleaner leaves the newest segment, which a record of this size fills.
    it('passes over what compaction has deleted', async () => {
      const log = await openWith(COMPACTED)
      for (const [key, timestamp] of [
        ['a', 40],
        ['b', 10],
        ['a', 20],
        ['c', 30],
      ] as const) {
        await log.journal.append({ ...log.address, records: [record('x'.repeat(70), { key, timestamp })] })
      }
      await afterCompaction(harness, async () =>
        expect(await lookUp(log, [5, 15, 25, 35])).toEqual({ 5: 1, 15: 2, 25: 3, 35: 4 }),
      )
    })
  })
}
