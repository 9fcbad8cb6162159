import { expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import { TickWriter } from '../../ingest/feed/tick-writer.ts'
import { openTestJournal, recordsOf } from '../support/journal.ts'
import { replay, valuesIn } from '../support/quotes-replay.ts'
import { iso, NOON } from '../support/ticks.ts'
import { timeWith } from '../support/wall-clock.ts'

const SYMBOL = 'EUR-USD'
const STEP_MS = 250

/** Writes eight prices, one each STEP_MS, by a clock that is `ahead` for the first four; says which are quoted. */
async function quotedThrough(ahead: number, hasNewWriter: boolean): Promise<string[]> {
  const { journal } = await openTestJournal()
  let now = NOON
  const open = (offset: () => number) =>
    TickWriter.open({
      journal,
      source: FEED,
      signal: new AbortController().signal,
      time: timeWith(() => now + offset()),
    })
  let writer = await open(() => (now < NOON + 4 * STEP_MS ? ahead : 0))
  for (let i = 0; i < 8; i++) {
    now = NOON + i * STEP_MS
    if (i === 4 && hasNewWriter) {
      await writer.close()
      writer = await open(() => 0)
    }
    writer.write({ kind: 'price', symbol: SYMBOL, printed: `1.${i + 1}`, observedAt: iso(now), location: '' })
    await writer.flush()
  }
  await writer.close()
  const log = await recordsOf(journal, 'ticks', journal.partitionFor('ticks', SYMBOL))
  return valuesIn(replay(log).written, 'quotes').map(({ price }) => price)
}

it.each([
  ['50 s', 50_000],
  ['an hour', 3_600_000],
])('prices are quoted on when a clock %s ahead is set right, under a writer or between two', async (_, ahead) => {
  const all = Array.from({ length: 8 }, (_, i) => `1.${i + 1}`)
  expect(await quotedThrough(ahead, false)).toEqual(all)
  expect(await quotedThrough(ahead, true)).toEqual(all)
})
