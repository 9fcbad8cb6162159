/** Fills a journal with events of a usual size: `node fill-journal.ts DIRECTORY COUNT`. */
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { eventOf } from '../../bench/streams-data.ts'

const BATCH = 2_000
const data = JSON.stringify({
  country: 'USA',
  period: '2026-09',
  value: '325.412',
  base_period: '1982/1984',
  base_value: '100',
  released_on: '2026-10-15',
})
const [dir = '', count = '0'] = process.argv.slice(2)
const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
for (let first = 1; first <= Number(count); first += BATCH) {
  const size = Math.min(BATCH, Number(count) - first + 1)
  const drafts = Array.from({ length: size }, (_, i) => ({ ...eventOf(first + i), data }))
  await journal.append(
    'events',
    0,
    drafts.map((value) => ({ value, id: value.id, at: Date.now() })),
  )
}
await journal.close()
