import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { EventPositions } from '../../api/event-positions.ts'
import { JournalError } from '../../journal/journal.ts'

/** Events with holes between them, of which retention has dropped some, at times that go back and forth. */
const logs = fc.record({
  steps: fc.array(fc.record({ hole: fc.nat(4), time: fc.nat(30) }), { minLength: 1, maxLength: 40 }),
  dropped: fc.nat(45),
  tail: fc.nat(3),
})

type Log = typeof logs extends fc.Arbitrary<infer L> ? L : never

function journalOf({ steps, dropped, tail }: Log) {
  let offset = 0
  const all = steps.map(({ hole, time }, i) => {
    offset += hole + 1
    return { offset: offset - 1, timestamp: time, value: { sequence: i + 1 } }
  })
  const end = offset + tail
  const kept = all.slice(dropped)
  const start = dropped === 0 ? 0 : (kept[0]?.offset ?? end)
  const journal = {
    bounds: async () => ({ start, end }),
    newest: async () => kept.at(-1),
    offsetForTime: async (_topic: string, _partition: number, time: number) =>
      kept.find(({ timestamp }) => timestamp >= time)?.offset ?? end,
    read: async (_topic: string, _partition: number, from: number) => {
      if (from < start || from > end) throw new JournalError('offset_out_of_range', '', { range: { start, end } })
      const records = kept.filter((record) => record.offset >= from).slice(0, 1)
      return { records, next: (records[0]?.offset ?? end - 1) + 1, end }
    },
  }
  return { journal: journal as unknown as ApiDeps['journal'], kept }
}

it('finds every event by its sequence, wherever the hint points, and by time', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.nat(250), async (log, hint) => {
      const { journal, kept } = journalOf(log)
      const positions = new EventPositions(journal)
      const ends = await positions.ends()
      for (const { offset, value } of kept) {
        const { sequence } = value
        expect(await positions.ofSequence(sequence, hint, ends)).toEqual({ sequence, offset })
      }
      expect(await positions.ofSequence(0, hint, ends)).toEqual(ends.first)
      expect(await positions.ofSequence(1_000, hint, ends)).toEqual(ends.next)
      for (let time = 0; time <= 31; time++) {
        const first = kept.find(({ timestamp }) => timestamp >= time)
        const expected = first ? { sequence: first.value.sequence, offset: first.offset } : ends.next
        expect(await positions.ofTime(time)).toEqual(expected)
      }
    }),
  )
})
