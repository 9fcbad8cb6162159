import { type MarketCode, markets } from '../../contracts/instruments.ts'
import type { Session } from '../../contracts/records.ts'
import { bookOf, decideQuote, newBook, nextDueAt, type QuoteBook } from '../../domain/decide-quote.ts'
import { decideSession, dueBoundaries, isMarket } from '../../domain/decide-session.ts'
import { derivedId } from '../../domain/ids.ts'
import { instrumentSignal, sessionSignal } from '../../domain/price-signals.ts'
import { rejectOutlier } from '../../domain/reject-outlier.ts'
import { partitionOf } from '../../journal/layout.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import { causedBy, type Output, type Processor, signalOutput, type Timer } from '../processor.ts'

export type QuotesState = {
  readonly books: Map<string, QuoteBook>
  /** The markets whose timers are in this partition, each with its session on record, if any. */
  readonly sessions: Map<MarketCode, Session | undefined>
}

/**
 * ticks → quotes, standings, sessions, signals, quarantine. Decides which source's price is a symbol's quote, whether it
 * is current, which prices are outliers, and when markets open and close. The outages processor decides whose transitions
 * become signals. The state is restored from quotes and sessions. Ticks that no quote includes yet are read again.
 */
export const quotesProcessor: Processor<'ticks', QuotesState> = {
  name: 'quotes',
  inputs: ['ticks'],
  version: 3,
  init: (partition) => ({
    books: new Map(),
    sessions: new Map(
      // A cast, because `Object.keys` forgets the type of the keys.
      (Object.keys(markets) as MarketCode[])
        .filter((market) => partitionOf('ticks', market) === partition)
        .map((market) => [market, undefined]),
    ),
  }),
  stateFrom: {
    quotes({ books }, quote, partition) {
      if (quote.tick_partition === partition) books.set(quote.symbol, bookOf(quote))
    },
    sessions({ sessions }, session, partition) {
      if (session.tick_partition === partition && isMarket(session.market)) sessions.set(session.market, session)
    },
  },
  process: (state, record) =>
    isMarket(record.value.symbol)
      ? processSession(state, record.value.symbol, record)
      : processSymbol(state, record.value.symbol, record),
  held({ books }) {
    const pending = [...books.values()].flatMap(({ pendingSince }) => pendingSince ?? [])
    return pending.length > 0 ? Math.min(...pending) : undefined
  },
  *timers({ books, sessions }, now): Generator<Timer> {
    for (const book of books.values()) {
      const dueAt = nextDueAt(book, now)
      if (dueAt !== undefined) yield timer(book.symbol, dueAt)
    }
    for (const [market, session] of sessions) {
      for (const dueAt of dueBoundaries(session, market, now)) yield timer(market, dueAt)
    }
  },
}

function processSymbol({ books }: QuotesState, symbol: string, record: JournalRecord<'ticks'>): Output[] {
  const book = books.get(symbol) ?? newBook(symbol)
  const decision = book && decideQuote(book, record.value, record)
  if (!decision) return []
  books.set(symbol, decision.book)
  const { quote, transition, standing, outliers, at } = decision
  const { partition, offset } = record
  const from = causedBy(record)
  const outputs = outliers.map((outlier): Output => {
    const value = rejectOutlier(symbol, partition, outlier, at)
    return { topic: 'quarantine', draft: { value, id: `${value.input_id}/1`, ...from } }
  })
  if (quote) {
    const id = derivedId('quo', symbol, String(partition), String(offset))
    outputs.push({ topic: 'quotes', draft: { value: quote, id, ...from } })
  }
  if (quote && standing) {
    const signal = transition ? JSON.stringify(instrumentSignal(quote, transition, at)) : null
    const recorded_at = new Date(at).toISOString()
    const id = derivedId('sta', symbol, String(partition), String(offset))
    const value = { kind: 'standing', symbol, ...standing, signal, recorded_at } as const
    outputs.push({ topic: 'standings', draft: { value, id, ...from } })
  }
  return outputs
}

function processSession({ sessions }: QuotesState, market: MarketCode, record: JournalRecord<'ticks'>): Output[] {
  const decision = sessions.has(market) ? decideSession(sessions.get(market), market, record.value, record) : undefined
  if (!decision) return []
  const { session: value, until, isTransition } = decision
  sessions.set(market, value)
  const from = causedBy(record)
  const outputs: Output[] = [
    { topic: 'sessions', draft: { value, id: derivedId('ses', market, value.since), ...from } },
  ]
  if (isTransition) {
    const signal = sessionSignal(value, until, Date.parse(record.value.recorded_at))
    outputs.push(signalOutput(signal, from))
  }
  return outputs
}

/** Timer for a symbol whose quote changes by time, or for a market whose session changes. */
const timer = (symbol: string, dueAt: number): Timer => ({
  dueAt,
  tick: (now) => ({
    topic: 'ticks',
    draft: {
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
    },
  }),
})
