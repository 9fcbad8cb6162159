import { describe, expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import type { Standing } from '../../contracts/records.ts'
import { dueTimes, judgeDue, noOutages, takeStanding } from '../../domain/source-outage.ts'
import { settleMs } from '../../domain/source-price.ts'
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

describe('lateness', () => {
  const settle = settleMs(FEED)
  const known = (...symbols: readonly string[]) => {
    const outages = noOutages()
    for (const symbol of symbols) takeStanding(outages, current(symbol, NOON))
    return outages
  }
  const back = (symbol: string, recorded: number): Standing => ({
    ...current(symbol, recorded),
    signal: `back ${symbol}`,
  })

  it('is judged once the other instruments had time to become late', () => {
    const outages = known('EUR-USD', 'GBP-USD')
    expect(takeStanding(outages, late('EUR-USD', NOON))).toEqual([])
    const due = NOON + MINUTE + settle
    expect([...dueTimes(outages)]).toEqual([[FEED, due]])
    expect(judgeDue(outages, due - 1)).toEqual([])
    expect(judgeDue(outages, due)).toEqual([{ signal: 'late EUR-USD' }])
    expect(judgeDue(outages, due + MINUTE)).toEqual([])
    expect(takeStanding(outages, back('EUR-USD', due + MINUTE))).toEqual([{ signal: 'back EUR-USD' }])
    expect(takeStanding(outages, back('EUR-USD', due + 2 * MINUTE))).toEqual([])
  })

  it('of all instruments, one after the other, is no outage unless there is a time without a price', () => {
    for (const gap of [0, 1]) {
      const outages = known('EUR-USD', 'GBP-USD')
      takeStanding(outages, late('EUR-USD', NOON))
      // The second one becomes stale when the first one has a price again, or just before.
      takeStanding(outages, back('EUR-USD', NOON + 90_000))
      takeStanding(outages, late('GBP-USD', NOON + 30_000 - gap))
      const until = NOON + 90_000
      const outage = { source: FEED, since: iso(NOON + 30_000 - gap), until: iso(until), instruments: 2 }
      expect(judgeDue(outages, NOON + 5 * MINUTE)).toEqual(
        gap === 0
          ? [{ signal: 'late EUR-USD' }, { signal: 'back EUR-USD' }, { signal: 'late GBP-USD' }]
          : [{ outage }, { signal: 'late GBP-USD' }],
      )
    }
  })

  it('of one that does not come back with the others is told beside their outage', () => {
    const outages = known('EUR-USD', 'GBP-USD', 'AUD-USD')
    for (const symbol of ['EUR-USD', 'GBP-USD', 'AUD-USD']) takeStanding(outages, late(symbol, NOON))
    // No price of the source has come, so that nothing can be judged.
    expect([...dueTimes(outages)]).toEqual([])
    const until = NOON + 10 * MINUTE
    expect(takeStanding(outages, back('EUR-USD', until))).toEqual([])
    takeStanding(outages, back('GBP-USD', until + 1_000))
    expect([...dueTimes(outages)]).toEqual([[FEED, until + settle]])
    const outage = { source: FEED, since: iso(NOON), until: iso(until), instruments: 3 }
    expect(judgeDue(outages, until + settle)).toEqual([{ outage }, { signal: 'late AUD-USD' }])
    expect(takeStanding(outages, back('AUD-USD', until + MINUTE))).toEqual([{ signal: 'back AUD-USD' }])
  })

  it('that was over and began again before it was judged is one', () => {
    const outages = known('EUR-USD', 'GBP-USD')
    takeStanding(outages, late('EUR-USD', NOON))
    takeStanding(outages, back('EUR-USD', NOON + MINUTE + 1_000))
    takeStanding(outages, { ...late('EUR-USD', NOON + 10_000), signal: 'late again' })
    expect(judgeDue(outages, NOON + 5 * MINUTE)).toEqual([{ signal: 'late EUR-USD' }])
    expect(takeStanding(outages, back('EUR-USD', NOON + 6 * MINUTE))).toEqual([{ signal: 'back EUR-USD' }])
  })

  it('is not told if another source gives the price, and counts in an outage', () => {
    const elsewhere = (symbol: string): Standing => ({ ...late(symbol, NOON), source: 'ECB', signal: null })
    const alone = known('EUR-USD', 'GBP-USD')
    takeStanding(alone, elsewhere('EUR-USD'))
    expect(judgeDue(alone, NOON + 5 * MINUTE)).toEqual([])
    const both = known('EUR-USD', 'GBP-USD')
    for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(both, elsewhere(symbol))
    for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(both, current(symbol, NOON + 3 * MINUTE))
    const outage = { source: FEED, since: iso(NOON), until: iso(NOON + 3 * MINUTE), instruments: 2 }
    expect(judgeDue(both, NOON + 5 * MINUTE)).toEqual([{ outage }])
  })

  it('does not ask instruments that have moved to another source', () => {
    const outages = known('EUR-USD', 'GBP-USD', 'AUD-USD')
    takeStanding(outages, { ...current('AUD-USD', NOON + 1_000), source: 'ECB' })
    for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(outages, late(symbol, NOON))
    for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(outages, back(symbol, NOON + 3 * MINUTE))
    expect(judgeDue(outages, NOON + 5 * MINUTE)).toMatchObject([{ outage: { instruments: 2 } }])
  })

  it('of all instruments whose market is open is an outage', () => {
    // The market of commodities pauses for an hour from 22:00 UTC in winter, that of currencies does not.
    const evening = Date.UTC(2026, 0, 14, 21)
    const noticed = (minutes: number) => {
      const outages = noOutages()
      for (const symbol of ['EUR-USD', 'GBP-USD', 'XAU-USD']) takeStanding(outages, current(symbol, evening))
      const heard = evening + minutes * MINUTE
      for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(outages, late(symbol, heard))
      for (const symbol of ['EUR-USD', 'GBP-USD']) takeStanding(outages, back(symbol, heard + 3 * MINUTE))
      return judgeDue(outages, heard + 10 * MINUTE)
    }
    expect(noticed(70)).toMatchObject([{ outage: { instruments: 2 } }])
    // It closes before gold would have been late.
    expect(noticed(58)).toMatchObject([{ outage: { instruments: 2 } }])
    expect(noticed(30)).toHaveLength(4)
  })

  it('recorded before standings were is over with the first signal', () => {
    expect(takeStanding(noOutages(), back('EUR-USD', NOON))).toEqual([{ signal: 'back EUR-USD' }])
    expect(takeStanding(noOutages(), current('EUR-USD', NOON))).toEqual([])
  })
})
