import { describe, expect, it } from 'vitest'
import { type Journal, MAX_RECORD_BYTES } from '../../../journal/journal.ts'
import { claimName, failsWith, type JournalWorld, KEPT, readAll, record, textsOf } from './journal-world.ts'

/** Claims, and transactions of their owners. */
export function journalClaims(name: string, { open, createTopic, openWith }: JournalWorld): void {
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

    it('move positions alone, and each claim has its own, which any claim can tell', async () => {
      const { journal, address } = await openWith(KEPT)
      const [one, other] = [await journal.claim(claimName()), await journal.claim(claimName())]
      await journal.transact(one, [], [{ ...address, offset: 3 }])
      await journal.transact(one, [], [{ ...address, offset: 5 }])
      expect(await one.position(address)).toBe(5)
      expect(await other.position(address)).toBeUndefined()
      // On Kafka a commit is answered before its marker stands in every partition, and positions alone are not waited for.
      await expect.poll(() => other.position(address, one.name)).toBe(5)
      expect(await one.position(address, claimName())).toBeUndefined()
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
}
