import { expect } from 'vitest'
import type { Tick } from '../../../contracts/records.ts'
import { compareDecimals } from '../../../domain/decimal.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { CandleRoller, type RollerOptions } from '../../../projections/candle-roller.ts'
import { type Candle, candlesOf } from './price-queries.ts'
import { tick, timer } from './ticks.ts'
import type { World } from './world.ts'

const DAY = 86_400_000
const now = Date.now()
export const SYMBOLS = ['XAU-USD', 'XAG-USD', 'EUR-USD', 'GBP-USD', 'USD-JPY', 'BRENT-USD']

/** A roller at work; `stop` waits for its end. */
export function runRoller(options: RollerOptions) {
  const stopping = new AbortController()
  const roller = new CandleRoller({ intervalMs: 10, ...options })
  const running = roller.run(stopping.signal)
  running.catch(() => undefined)
  return {
    roller,
    /** Rejects once it has ended by itself. */
    running,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

export async function rollAll(world: Pick<World, 'journal' | 'client'>): Promise<void> {
  const { roller, stop } = runRoller(world)
  await roller.caughtUp
  await stop()
}

/** Random prices of a few minutes, some late, some said twice, in the order in which they arrive. */
export function randomTicks(random: () => number, count: number, from = now - 10 * DAY): Tick[] {
  const made: Tick[] = []
  while (made.length < count) {
    const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? ''
    const late = random() < 0.2 ? Math.floor(random() * 600_000) : 0
    // Few distinct instants and prices, so that ties happen.
    const at = from + Math.floor((made.length * 700 - late) / 500) * 500
    const price = (9 + Math.floor(random() * 300) / 100).toFixed(random() < 0.5 ? 2 : 3)
    const said = tick(symbol, price, at, { source: random() < 0.3 ? 'TEST2' : 'TEST', recordedAt: from + made.length })
    made.push(said, ...(random() < 0.1 ? [said] : []), ...(random() < 0.1 ? [timer(symbol, at)] : []))
  }
  return made
}

/** The candles of a symbol as the journal's records make them, by the plainest means. */
async function expectedOf(journal: TypedJournal, symbol: string): Promise<Candle[]> {
  const groups = new Map<string, Tick[]>()
  for await (const { records } of journal.readToEnd('ticks', journal.partitionFor('ticks', symbol))) {
    for (const { value } of records) {
      if (value.kind !== 'price' || value.symbol !== symbol) continue
      const key = `${value.observed_at.slice(0, 16)} ${value.source}`
      groups.set(key, [...(groups.get(key) ?? []), value])
    }
  }
  return [...groups.keys()].sort().map((key) => {
    // A stable sort: what arrived first stays first within a millisecond.
    const inTime = (groups.get(key) ?? []).toSorted((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
    const bySize = inTime.map(({ price }) => price).sort((a, b) => compareDecimals(a, b) || a.length - b.length)
    const [first, last] = [inTime.at(0), inTime.at(-1)]
    return {
      source: key.slice(17),
      minute: `${key.slice(0, 16)}:00.000Z`,
      open: first?.price ?? '',
      high: bySize.at(-1) ?? '',
      low: bySize[0] ?? '',
      close: last?.price ?? '',
      ticks: inTime.length,
      firstAt: first?.observed_at ?? '',
      lastAt: last?.observed_at ?? '',
    }
  })
}

export async function expectTrueCandles(
  { journal, client }: Pick<World, 'journal' | 'client'>,
  symbols = SYMBOLS,
): Promise<void> {
  for (const symbol of symbols) {
    expect(await candlesOf(client, symbol)).toEqual(await expectedOf(journal, symbol))
  }
}
