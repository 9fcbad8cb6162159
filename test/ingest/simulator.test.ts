import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies, isServedSymbol, SIMULATOR } from '../../contracts/instruments.ts'
import type { Quote } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { levels, simulatedSymbols } from '../../ingest/simulator/levels.ts'
import { runSimulator, type SimulatorOptions } from '../../ingest/simulator/run-simulator.ts'
import { advance, priceOf, walkFrom } from '../../ingest/simulator/walk.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openTestJournal, until, valuesOf } from '../support/journal.ts'

const ticksOf = async (journal: TypedJournal) => {
  const all = [...Array(topics.ticks.partitions).keys()].map((partition) => valuesOf(journal, 'ticks', partition))
  return (await Promise.all(all)).flat()
}

describe('What is simulated', () => {
  it('is every instrument, each with a level of enough digits, and all of it served', () => {
    expect(Object.keys(levels).toSorted()).toEqual(simulatedSymbols.toSorted())
    for (const [symbol, level] of Object.entries(levels)) {
      expect(isServedSymbol(symbol), symbol).toBe(true)
      expect(Number(level.replace('.', '')), symbol).toBeGreaterThanOrEqual(10_000)
    }
  })

  it('prices every currency in every other', () => {
    const board = new PriceBoard()
    const rest = { observed_at: '2026-11-20T10:00:00.000Z', stale: false, tick_partition: 0, tick_offset: 1, state: '' }
    for (const [symbol, price] of Object.entries(levels)) board.apply({ symbol, price, source: SIMULATOR, ...rest })
    for (const base of currencies) {
      expect(board.fx(base, new Date(rest.observed_at))?.rates).toHaveLength(currencies.length - 1)
      expect(board.spot('XAU', base, new Date(rest.observed_at))).toBeDefined()
    }
  })
})

describe('A walk', () => {
  const symbol = fc.constantFrom(...simulatedSymbols)

  it('goes to another price at every step, stays within 1 % of its start and keeps its decimals', () => {
    fc.assert(
      fc.property(symbol, fc.integer(), (symbol, seed) => {
        const level = levels[symbol] ?? ''
        const walk = walkFrom(symbol, level, undefined, seed)
        let before = priceOf(walk)
        expect(before).toBe(level)
        for (let step = 0; step < 300; step++) {
          advance(walk)
          const price = priceOf(walk)
          expect(price).not.toBe(before)
          expect(price.split('.')[1]?.length).toBe(level.split('.')[1]?.length)
          expect(Math.abs(Number(price) / Number(level) - 1)).toBeLessThanOrEqual(0.01)
          before = price
        }
      }),
      { numRuns: 40 },
    )
  })

  it('comes back: over a day it is on both sides of its start', () => {
    const walk = walkFrom('EUR-USD', '1.16840', undefined, 3)
    let above = 0
    for (let step = 0; step < 86_400; step++) {
      advance(walk)
      if (walk.offset > 0) above++
    }
    expect(above).toBeGreaterThan(20_000)
    expect(above).toBeLessThan(66_400)
  })

  it('is the same for the same seed, and another for another seed or symbol', () => {
    const pricesOf = (symbol: string, seed: number) => {
      const walk = walkFrom(symbol, '1.00000', undefined, seed)
      return Array.from({ length: 20 }, () => {
        advance(walk)
        return priceOf(walk)
      })
    }
    expect(pricesOf('EUR-USD', 5)).toEqual(pricesOf('EUR-USD', 5))
    expect(pricesOf('EUR-USD', 6)).not.toEqual(pricesOf('EUR-USD', 5))
    expect(pricesOf('EUR-GBP', 5)).not.toEqual(pricesOf('EUR-USD', 5))
  })

  it.each([
    ['4071.5', '4071.50'],
    ['4071.567', '4071.57'],
    ['1.2e3', '1200.00'],
    ['0.001', '1785.00'],
    ['99999999999999999', '1785.00'],
  ])('from a known price of %s starts at %s', (known, expected) => {
    expect(priceOf(walkFrom('XAU-USD', '1785.00', known, 1))).toBe(expected)
  })
})

describe('runSimulator', () => {
  /** Until every symbol has so many ticks. */
  const run = async (journal: TypedJournal, rounds: number, options: Partial<SimulatorOptions> = {}) => {
    const stopping = new AbortController()
    const done = runSimulator({ journal, signal: stopping.signal, everyMs: 50, onEvent: () => undefined, ...options })
    await until(`${rounds} ticks of every symbol`, async () => {
      const ticks = Map.groupBy(await ticksOf(journal), ({ symbol }) => symbol)
      return simulatedSymbols.every((symbol) => (ticks.get(symbol)?.length ?? 0) >= rounds)
    })
    stopping.abort()
    await done
    return ticksOf(journal)
  }

  it('prices every symbol at once, and names itself in every tick', async () => {
    const { journal } = await openTestJournal()
    const ticks = await run(journal, 1, { everyMs: 3_600_000 })
    expect(ticks.map(({ symbol }) => symbol).toSorted()).toEqual(simulatedSymbols.toSorted())
    expect(ticks.filter(({ source, kind, url }) => source !== SIMULATOR || kind !== 'price' || url !== '')).toEqual([])
    expect(new Map(ticks.map(({ symbol, price }) => [symbol, price]))).toEqual(new Map(Object.entries(levels)))
  })

  it('starts at the newest real price that the quotes know, never at a simulated one', async () => {
    const { journal } = await openTestJournal()
    const quote = (symbol: string, prices: object): Quote => ({
      symbol,
      price: '1',
      source: 'ECB',
      observed_at: '2026-11-20T10:00:00.000Z',
      stale: false,
      tick_partition: 0,
      tick_offset: 1,
      state: JSON.stringify({ prices, current: null }),
    })
    const quotes = [
      quote('EUR-USD', {
        ECB: { price: '1.2', observed_at: '2026-11-18T00:00:00.000Z' },
        feed: { price: '1.25', observed_at: '2026-11-19T00:00:00.000Z' },
        simulator: { price: '1.5', observed_at: '2026-11-20T00:00:00.000Z' },
      }),
      quote('XAU-USD', { simulator: { price: '9', observed_at: '2026-11-20T00:00:00.000Z' } }),
    ]
    await journal.append(
      'quotes',
      0,
      quotes.map((value) => ({ value, id: value.symbol, at: 0 })),
    )
    const ticks = await run(journal, 1, { everyMs: 3_600_000 })
    const first = new Map(ticks.map(({ symbol, price }) => [symbol, price]))
    expect([first.get('EUR-USD'), first.get('XAU-USD')]).toEqual(['1.25000', '1785.00'])
  })

  it('goes round all symbols, not in one go, with prices that the seed fixes', async () => {
    const seen = []
    for (const seed of [4, 4, 5]) {
      const { journal } = await openTestJournal()
      const ticks = await run(journal, 3, { seed })
      const instants = new Set(ticks.slice(simulatedSymbols.length).map(({ observed_at }) => observed_at))
      expect(instants.size).toBeGreaterThan(4)
      seen.push(simulatedSymbols.map((code) => ticks.filter(({ symbol }) => symbol === code).map(({ price }) => price)))
    }
    const [once, again, other] = seen
    const common = (prices = once) => prices?.map((list) => list.slice(0, 3))
    expect(common(again)).toEqual(common())
    expect(common(other)).not.toEqual(common())
    for (const prices of common() ?? []) expect(new Set(prices).size).toBeGreaterThan(1)
  })
})
