import { expect, it, onTestFinished } from 'vitest'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { rejectedNumber } from '../support/journal-records.ts'

const NOW = Date.UTC(2026, 0, 15)
const DAY = 86_400_000

it('leaves out what retention deletes, before it begins and meanwhile', async () => {
  const bytes = await openEmbeddedJournal({ dir: await temporaryDirectory() })
  const journal = await TypedJournal.open(bytes, localRegistry())
  onTestFinished(() => journal.close())
  const drafts = Array.from({ length: 4_000 }, (_, n) => ({
    value: rejectedNumber(n),
    id: `${n}`,
    // The topic keeps 90 days.
    at: NOW - (n < 100 ? 300 : n < 3_500 ? 100 : 1) * DAY,
  }))
  await journal.append('quarantine', 0, drafts)
  await journal.retain(NOW - 50 * DAY)
  const found: number[] = []
  let batches = 0
  for await (const { records } of journal.readToEnd('quarantine', 0, 0)) {
    found.push(...records.map(({ offset }) => offset))
    if (++batches === 1) await journal.retain(NOW)
  }
  const offsets = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  expect(found).toEqual([...offsets(100, 1_100), ...offsets(3_500, 4_000)])
})
