import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEED, marketOf, SIMULATOR } from '../../contracts/instruments.ts'
import type { Quote, Tick } from '../../contracts/records.ts'
import type { QuoteState } from '../../domain/decide-quote.ts'
import { sessionAt } from '../../domain/market-calendar.ts'
import { staleAtOf } from '../../domain/source-price.ts'
import { logOf, replay, transitionsIn, valuesIn, withTimers } from '../support/quotes-replay.ts'
import { at, priceTick, timerTick } from '../support/ticks.ts'

const HOUR = 3_600_000
const written = (...ticks: Tick[]) => replay(logOf(ticks)).written

/** Times that pass between ticks: within the quoting interval, within a source's time, over breaks and weekends; set back. */
const gap = fc.oneof(
  fc.integer({ min: -20, max: 300 }),
  fc.integer({ min: 1_000, max: 70_000 }),
  fc.integer({ min: HOUR, max: 80 * HOUR }),
  fc.constantFrom(-50_000, -2 * HOUR),
)
const happening = fc.record({
  gap,
  /** How old a price is when it comes. */
  age: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90 * HOUR })),
  source: fc.constantFrom(SIMULATOR, FEED, FEED, 'ECB', 'TEST'),
  symbol: fc.constantFrom('XAU-USD', 'EUR-USD'),
  price: fc.constantFrom('100', '101', '109', '125', '126', '150'),
  timer: fc.constantFrom('none', 'none', 'none', 'symbol', 'FX'),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never
const ticksOf = (happenings: readonly Happening[]): Tick[] => {
  let now = at('2026-03-04T12:00:00.000Z')
  return happenings.map(({ gap: passed, age, source, symbol, price, timer }) => {
    now += passed
    if (timer !== 'none') return timerTick(timer === 'FX' ? 'FX' : symbol, now - age, now)
    return priceTick(price, { source, symbol, recorded: now, observed: now - age })
  })
}
const ticks = fc.array(happening, { minLength: 1, maxLength: 60 }).map(ticksOf)
const steps = fc.array(fc.record({ size: fc.integer({ min: 0, max: 20 }), restart: fc.boolean() }), { maxLength: 12 })

describe('whatever ticks come', () => {
  it('a replay writes the same, in whatever batches it is read and wherever it starts anew', () => {
    fc.assert(
      fc.property(
        ticks.map((list) => logOf(withTimers(list))),
        steps,
        (log, plan) => {
          const once = replay(log)
          const again = replay(log, plan)
          for (const topic of ['signals', 'standings', 'sessions', 'quarantine'] as const)
            expect(valuesIn(again.written, topic)).toEqual(valuesIn(once.written, topic))
          const quotes = new Map(
            valuesIn(again.written, 'quotes').map((quote) => [`${quote.symbol} ${quote.tick_offset}`, quote]),
          )
          expect([...quotes.values()]).toEqual(valuesIn(once.written, 'quotes'))
          expect(again.state).toEqual(once.state)
        },
      ),
      { numRuns: 300 },
    )
  })
  it('a quote is one source’s price as that source gave it', () => {
    fc.assert(
      fc.property(ticks, (list) => {
        const given = new Set(
          list.map(({ symbol, source, price, observed_at }) => `${symbol} ${source} ${price} ${observed_at}`),
        )
        for (const { symbol, source, price, observed_at } of valuesIn(written(...list), 'quotes'))
          expect(given).toContain(`${symbol} ${source} ${price} ${observed_at}`)
      }),
    )
  })
  it('no quote grows stale in closed time, but for the simulator’s, and for a newer price that is stale when it comes', () => {
    const isInTime = ({ kind, symbol, source, observed_at, recorded_at }: Tick) =>
      kind === 'timer' || staleAtOf(symbol, source, observed_at) > at(recorded_at)
    fc.assert(
      fc.property(ticks, (list) => {
        const real = list.filter((tick) => tick.source !== SIMULATOR && isInTime(tick))
        const outputs = written(...withTimers(real.sort((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1))))
        for (const { type, subject, time } of transitionsIn(outputs)) {
          if (type !== 'prices.instrument.stale') continue
          expect(sessionAt(marketOf(subject), at(time)).market_session).toBe('open')
        }
      }),
    )
  })
  it('stale and recovered take turns, and are what the quotes say', () => {
    fc.assert(
      fc.property(ticks, (list) => {
        const outputs = written(...withTimers(list))
        for (const symbol of ['XAU-USD', 'EUR-USD']) {
          const quotes = valuesIn(outputs, 'quotes').filter((quote) => quote.symbol === symbol)
          const turns = quotes.flatMap(({ stale }, i) => (i > 0 && stale !== quotes[i - 1]?.stale ? [stale] : []))
          const signals = transitionsIn(outputs).filter(({ key }) => key === symbol)
          expect(signals.map(({ type }) => type === 'prices.instrument.stale')).toEqual(turns)
          expect(new Set(signals.map(({ signal_id }) => signal_id)).size).toBe(signals.length)
        }
      }),
    )
  })
  it('quotes of a symbol that say only a price are 200 ms apart', () => {
    const stateOf = ({ state }: Quote) => JSON.parse(state) as QuoteState
    fc.assert(
      fc.property(ticks, (list) => {
        const last = new Map<string, Quote>()
        for (const quote of valuesIn(written(...list), 'quotes')) {
          const before = last.get(quote.symbol)
          last.set(quote.symbol, quote)
          if (!before || before.source !== quote.source || before.stale !== quote.stale) continue
          if (JSON.stringify(stateOf(before).suspects) !== JSON.stringify(stateOf(quote).suspects)) continue
          expect(Math.abs(stateOf(quote).recordedAt - stateOf(before).recordedAt)).toBeGreaterThanOrEqual(200)
        }
      }),
    )
  })
})
