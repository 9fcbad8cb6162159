import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { partitionKey } from '../../../journal/journal.ts'
import { COMPACTED, claimName, failsWith, type JournalWorld, KEPT, readAll, record, textsOf } from './journal-world.ts'

/** Consistent moments, taken while others write. */
export function journalCuts(name: string, { open, createTopic, openWith }: JournalWorld): void {
  describe(`${name}: cuts`, () => {
    it('have of each transaction all writes and positions, or none', async () => {
      const { journal, address: input } = await openWith(KEPT)
      const topic = await createTopic(journal, { ...KEPT, partitions: 2 })
      const outputs = [0, 1].map((partition) => ({ topic, partition }))
      const claim = await journal.claim(claimName())
      let isWriting = true
      let transactions = 0
      const writing = (async () => {
        for (; isWriting; transactions++) {
          const writes = outputs.map((output) => ({ ...output, records: [record(`${transactions}`)] }))
          await journal.transact(claim, writes, [{ ...input, offset: transactions + 1 }])
          await journal.append({ ...input, records: [record('in')] })
        }
      })()
      const reader = await open()
      const cuts = []
      for (let i = 0; i < 10; i++) {
        cuts.push(await reader.cut([input, ...outputs]))
        // The cut may hold one transaction more than are counted, so only the second one after it is surely another.
        const before = transactions
        // `writing` ends here only by failing.
        while (transactions < before + 2) await Promise.race([sleep(1), writing])
      }
      isWriting = false
      await writing
      const seen = new Set<number>()
      for (const { claims, bounds } of cuts) {
        const owner = claims.find(({ name }) => name === claim.name)
        expect(owner?.epoch).toBe(claim.epoch)
        const position = owner?.positions[partitionKey(input)] ?? 0
        seen.add(position)
        for (const output of outputs) {
          const { records } = await readAll(reader, output)
          const { end = -1 } = bounds[partitionKey(output)] ?? {}
          expect(records.filter(({ offset }) => offset < end)).toHaveLength(position)
        }
      }
      expect(seen.size).toBe(cuts.length)
    })

    it('hold what a compacted topic has from an offset on, as it stood at that moment', async () => {
      const { journal, address } = await openWith(COMPACTED)
      const append = (...texts: string[]) =>
        journal.append({ ...address, records: texts.map((text) => record(text, { key: text.slice(0, 1) })) })
      await append('a1', 'b1', 'c1')
      const cut = await journal.cut([{ ...address, tail: 1 }])
      await append('b2', 'c2')
      const key = partitionKey(address)
      expect(textsOf(cut.tails[key] ?? [])).toEqual(['b1', 'c1'])
      expect(cut.bounds[key]).toEqual({ start: 0, end: 3 })
      expect((await journal.cut([address])).tails).toEqual({})
      await expect(journal.cut([{ topic: 'no-such-topic', partition: 0 }])).rejects.toEqual(failsWith('unknown_topic'))
    })
  })
}
