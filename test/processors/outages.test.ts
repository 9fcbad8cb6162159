import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEED, SIMULATOR } from '../../contracts/instruments.ts'
import { OutageRun, replayStandings } from '../support/outage-run.ts'
import { at, iso, NOON } from '../support/ticks.ts'

const SECOND = 1_000
const MINUTE = 60_000
const gold = 'XAU-USD'
const all = [
  gold,
  'XAG-USD',
  'COPPER-USD',
  'BRENT-USD',
  'WHEAT-USD',
  'EUR-USD',
  'USD-JPY',
  'GBP-USD',
  'USD-CHF',
  'AUD-USD',
]
const symbols = fc.shuffledSubarray(all, { minLength: 2 })
const source = fc.constantFrom(FEED, SIMULATOR)
/** Seconds between two prices of a symbol; a source's price is current for 30 at least. */
const periods = fc.array(fc.integer({ min: 1, max: 29 }), { minLength: all.length, maxLength: all.length })

type Quoting = { readonly symbols: readonly string[]; readonly source: string; readonly periods: readonly number[] }

/** Gives each symbol a price once in its period until `until`. Returns the time of the last price. */
function quote(run: OutageRun, { symbols, source, periods }: Quoting, until: number): number {
  let last = 0
  const begun = run.now
  for (let now = begun; now < until; now += SECOND) {
    run.pass(now)
    for (const [i, symbol] of symbols.entries())
      if (((now - begun) / SECOND) % (periods[i] ?? 1) === 0) {
        run.price(symbol, source)
        last = now
      }
  }
  run.pass(until)
  return last
}
const interruptions = ({ signals }: OutageRun) =>
  signals.filter(({ type }) => type === 'prices.source.interrupted').map(({ data }) => JSON.parse(data))

describe('an outage of a source is one event', () => {
  it('when the service is stopped, in whatever order instruments come back and timers fire', () => {
    const gap = fc.integer({ min: 62, max: 3_000 })
    fc.assert(
      fc.property(
        symbols,
        source,
        periods,
        gap,
        fc.infiniteStream(fc.boolean()),
        (listed, from, every, seconds, first) => {
          const run = new OutageRun(NOON)
          const quoting = { symbols: listed, source: from, periods: every }
          const last = quote(run, quoting, NOON + 2 * MINUTE)
          expect(run.told).toEqual([])
          run.stop(last + seconds * SECOND)
          const back = run.now
          for (const symbol of all) {
            if (first.next().value) run.fire(symbol)
            if (listed.includes(symbol)) run.price(symbol, from)
            run.now += 7
          }
          quote(run, quoting, back + 10 * MINUTE)
          const comeback = back + 7 * Math.min(...listed.map((symbol) => all.indexOf(symbol)))
          expect(interruptions(run)).toEqual([
            { source: from, since: iso(last), until: iso(comeback), instruments: listed.length },
          ])
          expect(run.told).toHaveLength(1)
          expect(replayStandings(run.standings)).toEqual(run.signals.filter(({ key }) => key === from))
        },
      ),
      { numRuns: 60 },
    )
  })
  it('when the feed rests while the service runs', () => {
    const gap = fc.integer({ min: 62, max: 3_000 })
    fc.assert(
      fc.property(symbols, source, periods, gap, (listed, from, every, seconds) => {
        const run = new OutageRun(NOON)
        const quoting = { symbols: listed, source: from, periods: every }
        const last = quote(run, quoting, NOON + 2 * MINUTE)
        run.pass(last + seconds * SECOND)
        expect(run.told).toEqual([])
        quote(run, quoting, run.now + 10 * MINUTE)
        expect(interruptions(run)).toEqual([
          { source: from, since: iso(last), until: iso(last + seconds * SECOND), instruments: listed.length },
        ])
        expect(run.told).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })
  it('of its source: another goes on, and tells nothing', () => {
    const run = new OutageRun(NOON)
    const metals = { symbols: all.slice(0, 3), source: FEED, periods: [1, 5, 9] }
    const rates = { symbols: all.slice(5), source: SIMULATOR, periods: [1, 2, 3, 4, 5] }
    const last = quote(run, metals, NOON + MINUTE)
    quote(run, rates, NOON + 10 * MINUTE)
    quote(run, metals, NOON + 15 * MINUTE)
    expect(interruptions(run)).toEqual([
      { source: FEED, since: iso(last), until: iso(NOON + 10 * MINUTE), instruments: 3 },
    ])
    expect(run.told).toHaveLength(1)
  })
  it('each time that it happens', () => {
    const run = new OutageRun(NOON)
    const quoting = { symbols: all, source: SIMULATOR, periods: [1] }
    for (let i = 0; i < 3; i++) {
      quote(run, quoting, run.now + MINUTE)
      run.stop(run.now + MINUTE)
    }
    quote(run, quoting, run.now + 2 * MINUTE)
    expect(interruptions(run)).toHaveLength(3)
    expect(new Set(run.signals.map(({ signal_id }) => signal_id)).size).toBe(run.told.length)
    expect(run.told).toHaveLength(3)
  })
  it('of a feed whose prices another source has in its stead, too', () => {
    const run = new OutageRun(NOON)
    for (const symbol of all) run.price(symbol, 'ECB')
    const quoting = { symbols: all, source: FEED, periods: [1] }
    const last = quote(run, quoting, NOON + MINUTE)
    run.pass(NOON + 5 * MINUTE)
    quote(run, quoting, NOON + 10 * MINUTE)
    expect(interruptions(run)).toEqual([
      { source: FEED, since: iso(last), until: iso(NOON + 5 * MINUTE), instruments: all.length },
    ])
    expect(run.told).toHaveLength(1)
  })
  it('also for an instrument that another source takes over in the meantime', () => {
    const run = new OutageRun(NOON)
    const quoting = { symbols: all, source: FEED, periods: [1] }
    quote(run, quoting, NOON + MINUTE)
    run.pass(NOON + 5 * MINUTE)
    run.price(gold, 'ECB')
    quote(run, { ...quoting, symbols: all.slice(1) }, NOON + 10 * MINUTE)
    expect(run.told).toEqual([`prices.source.interrupted ${FEED}`])
    expect(interruptions(run)[0]?.instruments).toBe(all.length)
    quote(run, quoting, NOON + 15 * MINUTE)
    expect(run.told).toHaveLength(1)
  })
  it.each([0, 1])(
    'while one of its markets is closed, whose prices cannot become stale; after %i others',
    (earlier) => {
      const COMMODITIES_CLOSE = at('2026-01-14T22:00:00.000Z')
      const run = new OutageRun(COMMODITIES_CLOSE - 20 * MINUTE)
      const quoting = { symbols: all, source: FEED, periods: [1] }
      quote(run, quoting, COMMODITIES_CLOSE - 15 * MINUTE)
      if (earlier > 0) run.pass(COMMODITIES_CLOSE - 10 * MINUTE)
      const last = quote(run, quoting, COMMODITIES_CLOSE - 20 * SECOND)
      run.pass(COMMODITIES_CLOSE + 20 * MINUTE)
      expect(interruptions(run)).toHaveLength(earlier)
      const rates = all.slice(5)
      quote(run, { ...quoting, symbols: rates }, COMMODITIES_CLOSE + 30 * MINUTE)
      expect(interruptions(run)[earlier]).toEqual({
        source: FEED,
        since: iso(last),
        until: iso(COMMODITIES_CLOSE + 20 * MINUTE),
        instruments: rates.length,
      })
      expect(run.told).toHaveLength(earlier + 1)
    },
  )
})

describe('an instrument speaks for itself', () => {
  it('when it alone is late, and when it comes back', () => {
    fc.assert(
      fc.property(
        symbols,
        source,
        periods,
        fc.nat(),
        fc.integer({ min: 130, max: 2_000 }),
        (listed, from, every, pick, late) => {
          const run = new OutageRun(NOON)
          const quoting = { symbols: listed, source: from, periods: every }
          const alone = listed[pick % listed.length] ?? gold
          quote(run, quoting, NOON + MINUTE)
          const others = { ...quoting, symbols: listed.filter((symbol) => symbol !== alone) }
          quote(run, others, run.now + late * SECOND)
          expect(run.told).toEqual([`prices.instrument.stale ${alone}`])
          quote(run, quoting, run.now + 5 * MINUTE)
          expect(run.told).toEqual([`prices.instrument.stale ${alone}`, `prices.instrument.recovered ${alone}`])
        },
      ),
      { numRuns: 40 },
    )
  })
  it('when it was late only for a moment: both are told together', () => {
    const run = new OutageRun(NOON)
    const quoting = { symbols: all, source: SIMULATOR, periods: [1] }
    quote(run, quoting, NOON + MINUTE)
    quote(run, { ...quoting, symbols: all.slice(1) }, NOON + MINUTE + 40 * SECOND)
    quote(run, quoting, NOON + 5 * MINUTE)
    expect(run.told).toEqual([`prices.instrument.stale ${gold}`, `prices.instrument.recovered ${gold}`])
  })
  it('when it does not come back with the others after an outage', () => {
    const run = new OutageRun(NOON)
    const quoting = { symbols: all, source: SIMULATOR, periods: [1] }
    quote(run, quoting, NOON + MINUTE)
    run.pass(NOON + 5 * MINUTE)
    quote(run, { ...quoting, symbols: all.slice(1) }, NOON + 8 * MINUTE)
    expect(run.told).toEqual([`prices.source.interrupted ${SIMULATOR}`, `prices.instrument.stale ${gold}`])
    expect(interruptions(run)[0]?.instruments).toBe(all.length)
    quote(run, quoting, NOON + 9 * MINUTE)
    expect(run.told.at(-1)).toBe(`prices.instrument.recovered ${gold}`)
  })
  it('when it is the only one of its source', () => {
    const run = new OutageRun(NOON)
    run.price(gold, FEED)
    run.pass(NOON + 5 * MINUTE)
    run.price(gold, FEED)
    expect(run.told).toEqual([`prices.instrument.stale ${gold}`, `prices.instrument.recovered ${gold}`])
  })
  it('though another has been late for long when the source falls silent', () => {
    const run = new OutageRun(NOON)
    const quoting = { symbols: all, source: FEED, periods: [1] }
    quote(run, quoting, NOON + MINUTE)
    quote(run, { ...quoting, symbols: all.slice(1) }, NOON + 10 * MINUTE)
    run.pass(NOON + 20 * MINUTE)
    run.price(gold, FEED)
    quote(run, quoting, NOON + 30 * MINUTE)
    expect(run.told).toEqual([
      `prices.instrument.stale ${gold}`,
      `prices.instrument.recovered ${gold}`,
      `prices.source.interrupted ${FEED}`,
    ])
    expect(interruptions(run)[0]?.instruments).toBe(all.length - 1)
  })
})
