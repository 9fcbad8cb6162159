import { pause } from '../../base/async/pause.ts'
import { systemTime, type Time } from '../../base/time.ts'
import { SIMULATOR } from '../../contracts/instruments.ts'
import { bookOf } from '../../domain/decide-quote.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { ownWriter } from '../feed/own-writer.ts'
import type { TickWriter, WriterEvent } from '../feed/tick-writer.ts'
import { levels, simulatedSymbols } from './levels.ts'
import { advance, priceOf, type Walk, walkFrom } from './walk.ts'

export type SimulatorOptions = {
  readonly journal: TypedJournal
  readonly signal: AbortSignal
  /** Milliseconds between two prices of a symbol. */
  readonly everyMs?: number
  readonly seed?: number
  readonly time?: Time
  readonly onEvent: (event: WriterEvent) => void
}

/** Number of transactions that one round over all symbols takes. The simulator's cost is its transactions. */
const TURNS = 4

/**
 * Writes simulated prices of every instrument to `ticks` until `signal` aborts. It writes all symbols at the start,
 * then each once in `everyMs`, a share of them at a time. Each price starts at the newest real one and stays near it.
 * Several processes may run it; only the owner of its claim writes.
 */
export async function runSimulator(options: SimulatorOptions): Promise<void> {
  const { journal, signal, everyMs = 2_000, seed = 1, time = systemTime, onEvent } = options
  await ownWriter(
    {
      journal,
      signal,
      time,
      source: SIMULATOR,
      batchMs: 0,
      onEvent,
    },
    async (writer) => {
      const known = await newestRealPrices(journal)
      const walks = simulatedSymbols.map((symbol) =>
        walkFrom(symbol, levels[symbol] ?? '1.0000', known.get(symbol), seed),
      )
      await quote(writer, walks, time.now())
      const turnMs = everyMs / TURNS
      const begun = time.monotonic()
      for (let turn = 0; !signal.aborted; ) {
        const waitMs = Math.max(0, begun + (turn + 1) * turnMs - time.monotonic())
        await pause(waitMs, signal, time)
        if (signal.aborted) return
        const share = walks.filter((_, i) => i % TURNS === turn % TURNS)
        for (const walk of share) advance(walk)
        await quote(writer, share, time.now())
        // Skips turns that were missed while the journal was unavailable or the machine slept.
        turn = Math.max(turn + 1, Math.floor((time.monotonic() - begun) / turnMs))
      }
    },
  )
}

async function quote(writer: TickWriter, walks: readonly Walk[], at: number): Promise<void> {
  const observedAt = new Date(at).toISOString()
  for (const walk of walks) {
    const { symbol } = walk
    await writer.write({ kind: 'price', symbol, printed: priceOf(walk), observedAt, location: '' })
  }
  await writer.flush()
}

/** Reads the newest price of each symbol from any source but the simulator. */
async function newestRealPrices(journal: TypedJournal): Promise<ReadonlyMap<string, string>> {
  const newest = new Map<string, string>()
  for await (const { records } of journal.readToEnd('quotes', 0)) {
    for (const { value } of records) {
      const [price] = bookOf(value)
        .prices.filter(({ source }) => source !== SIMULATOR)
        .sort((a, b) => (a.observed_at < b.observed_at ? 1 : -1))
      if (price) newest.set(value.symbol, price.price)
    }
  }
  return newest
}
