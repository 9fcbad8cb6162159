import { expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import type { Standing } from '../../contracts/records.ts'
import { dueTimes, judgeDue, noOutages, takeStanding } from '../../domain/source-outage.ts'
import { iso, NOON } from '../support/ticks.ts'

const MINUTE = 60_000

const current = (symbol: string, recorded: number): Standing => ({
  kind: 'standing',
  symbol,
  source: FEED,
  lapse: null,
  signal: null,
  recorded_at: iso(recorded),
})
/** Its last price was at `heard`, and it became late a minute after that. */
const late = (symbol: string, heard: number): Standing => ({
  ...current(symbol, heard + MINUTE),
  source: '',
  lapse: { source: FEED, heard_at: iso(heard), since: iso(heard + MINUTE) },
  signal: `late ${symbol}`,
})

/** What is told of instruments that become late, and come back ten minutes later. */
function told(symbols: readonly string[], lateOnes: readonly string[]) {
  const outages = noOutages()
  for (const symbol of symbols) takeStanding(outages, current(symbol, NOON))
  for (const symbol of lateOnes) takeStanding(outages, late(symbol, NOON))
  const notices = judgeDue(outages, NOON + 5 * MINUTE)
  for (const symbol of lateOnes)
    notices.push(...takeStanding(outages, { ...current(symbol, NOON + 10 * MINUTE), signal: `back ${symbol}` }))
  notices.push(...judgeDue(outages, NOON + 20 * MINUTE))
  expect([...dueTimes(outages)]).toEqual([])
  return notices
}

it('instruments of a source that goes on are late on their own, however many they are', () => {
  expect(told(['EUR-USD', 'GBP-USD', 'AUD-USD'], ['EUR-USD', 'GBP-USD'])).toEqual([
    { signal: 'late EUR-USD' },
    { signal: 'late GBP-USD' },
    { signal: 'back EUR-USD' },
    { signal: 'back GBP-USD' },
  ])
})

it('all instruments of a source together are one outage', () => {
  expect(told(['EUR-USD', 'GBP-USD', 'AUD-USD'], ['EUR-USD', 'GBP-USD', 'AUD-USD'])).toEqual([
    { outage: { source: FEED, since: iso(NOON), until: iso(NOON + 10 * MINUTE), instruments: 3 } },
  ])
})

it('the only instrument of a source is late on its own', () => {
  expect(told(['EUR-USD'], ['EUR-USD'])).toEqual([{ signal: 'late EUR-USD' }, { signal: 'back EUR-USD' }])
})
