import { decideQuote, emptyQuoteState, type QuoteState, staleAtOf, toQuote } from '../../domain/decide-quote.ts'
import { derivedId } from '../../domain/ids.ts'
import type { Draft } from '../../journal/typed.ts'
import type { Processor, Timer } from '../processor.ts'

type Entry = { readonly state: QuoteState; readonly staleAt: number | undefined }
type State = Map<string, Entry>

/** ticks → quotes: which source's price is a symbol's quote, and whether it is stale. State comes back from the quotes. */
export const quotesProcessor: Processor<'ticks', State> = {
  name: 'quotes',
  inputs: ['ticks'],
  version: 1,
  init: () => new Map(),
  stateFrom: {
    quotes(state, quote, partition) {
      if (quote.tick_partition !== partition) return
      const own = JSON.parse(quote.state) as QuoteState
      state.set(quote.symbol, { state: own, staleAt: quote.stale ? undefined : staleAtOf(quote) })
    },
  },
  process(state, { value: tick, offset, partition, timestamp }) {
    const decision = decideQuote(state.get(tick.symbol)?.state ?? emptyQuoteState, tick)
    if (!decision) return []
    state.set(tick.symbol, decision)
    const value = toQuote(tick.symbol, decision, { partition, offset })
    const cause = { topic: 'ticks', partition, offset } as const
    return [
      {
        topic: 'quotes',
        draft: { value, id: derivedId('quo', tick.symbol, String(partition), String(offset)), at: timestamp, cause },
      },
    ]
  },
  *timers(state): Generator<Timer> {
    for (const [symbol, { staleAt }] of state) {
      if (staleAt === undefined) continue
      yield { dueAt: staleAt, tick: staleTimer(symbol, staleAt) }
    }
  },
}

const staleTimer =
  (symbol: string, dueAt: number) =>
  (now: number): Draft<'ticks'> => ({
    value: {
      kind: 'timer',
      symbol,
      source: '',
      price: '',
      observed_at: new Date(dueAt).toISOString(),
      recorded_at: new Date(now).toISOString(),
      url: '',
    },
    id: derivedId('tmr', symbol, String(dueAt)),
    at: now,
  })
