import { Compile } from 'typebox/compile'
import { isServedSymbol } from '../contracts/instruments.ts'
import type { Quote, Tick } from '../contracts/records.ts'
import { PositiveDecimal } from '../contracts/scalars.ts'
import {
  byRank,
  choosePrice,
  dropUnconfirmed,
  judgeOffer,
  type Observed,
  type Offer,
  type SourcePrice,
  staleAtOf,
} from './source-price.ts'

/** What a quote record carries of its symbol: all that deciding on the next tick takes. Kept as JSON. */
export type QuoteState = {
  /** The newest believed price of each source. */
  readonly prices: Readonly<Record<string, Observed>>
  /** By source: a price that waits for a second one to confirm it. */
  readonly suspects: Readonly<Record<string, Offer>>
  /** By source: the price put into quarantine last. */
  readonly refused: Readonly<Record<string, Observed>>
  /** The time at which the quote was decided, UTC milliseconds. */
  readonly at: number
  /** Record time of the tick on which it was decided, UTC milliseconds: before `at` where its writer's clock was behind. */
  readonly recordedAt: number
}

/** A symbol between two quotes: what the last one said, and what was taken in since. */
export type QuoteBook = {
  readonly symbol: string
  /** Best source first. */
  readonly prices: readonly SourcePrice[]
  /** The last quote, and when it was decided as its state says; undefined before the first price. */
  readonly quoted: (Pick<QuoteState, 'at' | 'recordedAt'> & { readonly quote: Quote }) | undefined
  /** Offset of the oldest tick that moved `prices` and that no quote carries yet. */
  readonly pendingSince: number | undefined
}
export type Outlier = Offer & { readonly source: string }

export type QuoteDecision = {
  readonly book: QuoteBook
  readonly quote?: Quote
  /** The quote has changed from current to stale, or back. */
  readonly transition?: 'stale' | 'recovered'
  /** Prices that are not believed after all. */
  readonly outliers: readonly Outlier[]
  /** The time at which it was decided, UTC milliseconds. */
  readonly at: number
}

/** Changes of a price alone are quoted no more often than this; all others at once. */
const QUOTE_INTERVAL_MS = 200
/** Writers' clocks differ by less; a record time that lies further back means that a clock was set right. */
const CLOCK_SKEW_MS = 60_000
/** How far ahead of its record a price may be observed: the end of its day. Later, it would outlive every true price. */
export const BELIEVED_AHEAD_MS = 86_400_000
/** Times for which there is a calendar of markets, and which have the journal's form. */
const isSensible = (at: number): boolean => at >= Date.UTC(1900, 0) && at < Date.UTC(9999, 0)

/**
 * Takes in one tick of the book's symbol and says what it makes of the quote; undefined if the book is as it was. Decided
 * from the record alone: its `recorded_at` is the time at which prices are current or not, so that a replay decides the
 * same. A tick that the last quote has taken in already, a repeat, or one that makes no sense has no effect.
 */
export function decideQuote(
  book: QuoteBook,
  tick: Tick,
  { partition, offset }: { readonly partition: number; readonly offset: number },
): QuoteDecision | undefined {
  const { symbol, quoted } = book
  if (quoted && offset <= quoted.quote.tick_offset) return undefined
  const recordedAt = Date.parse(tick.recorded_at)
  if (!isSensible(recordedAt)) return undefined
  const at = timeOf(book, recordedAt)

  const { prices, outliers, judged } = takeIn(book, tick, offset, at)
  const chosen = choosePrice(prices, at)
  if (!chosen) return undefined
  const stale = chosen.staleAt <= at
  const before = quoted?.quote
  const moved = prices !== book.prices
  const changed = !before || before.stale !== stale || before.source !== chosen.source || judged
  const pendingSince = book.pendingSince ?? (moved || changed ? offset : undefined)
  if (pendingSince === undefined) return undefined
  if (!changed && !intervalIsOver(book, recordedAt)) {
    return moved ? { book: { ...book, prices, pendingSince }, outliers, at } : undefined
  }
  const quote: Quote = {
    symbol,
    price: chosen.price,
    source: chosen.source,
    observed_at: chosen.observed_at,
    stale,
    tick_partition: partition,
    tick_offset: offset,
    state: JSON.stringify(stateOf(prices, at, recordedAt)),
  }
  return {
    book: { symbol, prices, quoted: { quote, at, recordedAt }, pendingSince: undefined },
    quote,
    ...(before && before.stale !== stale ? { transition: stale ? ('stale' as const) : ('recovered' as const) } : {}),
    outliers,
    at,
  }
}

/** At which time to judge a tick: its record time, but where clocks only differ not before that of the last quote. */
function timeOf({ quoted }: QuoteBook, recordedAt: number): number {
  return quoted && recordedAt < quoted.at && recordedAt >= quoted.at - CLOCK_SKEW_MS ? quoted.at : recordedAt
}

/** By the record times as they are: were they held at the last quote's, a clock set back would hold the quote as long. */
function intervalIsOver({ quoted }: QuoteBook, recordedAt: number): boolean {
  return !quoted || Math.abs(recordedAt - quoted.recordedAt) >= QUOTE_INTERVAL_MS
}

type Taken = {
  /** The same array where nothing of it changed. */
  readonly prices: readonly SourcePrice[]
  readonly outliers: readonly Outlier[]
  /** Whether a suspect was held, confirmed or dropped. */
  readonly judged: boolean
}

function takeIn({ symbol, prices: known }: QuoteBook, tick: Tick, offset: number, at: number): Taken {
  const outliers: Outlier[] = []
  let prices = known
  let judged = false
  for (const price of known) {
    const { price: settled, dropped } = dropUnconfirmed(price, at)
    if (!dropped) continue
    prices = prices.map((other) => (other === price ? settled : other))
    outliers.push({ ...dropped, source: price.source })
    judged = true
  }
  const next = offerOf(tick, offset, at)
  if (!next) return { prices, outliers, judged }
  const { source } = tick
  const before = prices.find((price) => price.source === source)
  const { price: after, dropped } = judgeOffer(before, symbol, source, next, at)
  if (dropped) outliers.push({ ...dropped, source })
  if (after !== before)
    prices = before ? prices.map((price) => (price === before ? after : price)) : [...prices, after].sort(byRank)
  return { prices, outliers, judged: judged || after.suspect !== before?.suspect }
}

const positiveDecimal = Compile(PositiveDecimal)
const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length

/** What a tick says of a price, its time in canonical form; undefined for a timer and for what makes no sense. */
function offerOf(
  { kind, source, price, observed_at, recorded_at, url }: Tick,
  offset: number,
  at: number,
): Offer | undefined {
  if (kind !== 'price' || source === '' || !positiveDecimal.Check(price)) return undefined
  const observed = Date.parse(observed_at)
  if (!isSensible(observed) || observed > at + BELIEVED_AHEAD_MS) return undefined
  const isCanonical = observed_at.length === INSTANT_LENGTH && observed_at.endsWith('Z')
  const instant = isCanonical ? observed_at : new Date(observed).toISOString()
  return { price, observed_at: instant, offset, recorded_at, url }
}

/** When, in UTC ms and seen from `now`, a timer of the symbol changes its quote though no new price comes; undefined if never. */
export function nextDueAt({ prices, quoted, pendingSince }: QuoteBook, now: number): number | undefined {
  if (!quoted) return undefined
  const served = quoted.quote.stale ? undefined : prices.find(({ source }) => source === quoted.quote.source)
  const dues = prices.flatMap(({ suspect, staleAt }) => (suspect ? [staleAt] : []))
  if (served) dues.push(served.staleAt)
  if (pendingSince !== undefined) {
    // A quote from so far ahead is of a clock that was wrong: nothing waits for its time to come.
    const isAhead = quoted.recordedAt - now >= QUOTE_INTERVAL_MS
    dues.push(isAhead ? now : quoted.recordedAt + QUOTE_INTERVAL_MS)
  }
  return dues.length === 0 ? undefined : Math.min(...dues)
}

function stateOf(prices: readonly SourcePrice[], at: number, recordedAt: number): QuoteState {
  const bySource = <T>(member: (price: SourcePrice) => T | undefined): Readonly<Record<string, T>> =>
    Object.fromEntries(
      prices.flatMap((price) => {
        const value = member(price)
        return value ? [[price.source, value]] : []
      }),
    )
  return {
    prices: bySource(({ price, observed_at }) => ({ price, observed_at })),
    suspects: bySource(({ suspect }) => suspect),
    refused: bySource(({ refused }) => refused),
    at,
    recordedAt,
  }
}

/** The book as it was when the quote was decided. */
export function bookOf(quote: Quote): QuoteBook {
  const { symbol } = quote
  // The first version of the processor kept prices alone, the second no `recordedAt`.
  const {
    prices,
    suspects = {},
    refused = {},
    at = 0,
    recordedAt = at,
  } = JSON.parse(quote.state) as Partial<QuoteState> & Pick<QuoteState, 'prices'>
  const of = <T>(record: Readonly<Record<string, T>>, source: string) =>
    Object.hasOwn(record, source) ? record[source] : undefined
  const known = Object.entries(prices).map(
    ([source, { price, observed_at }]): SourcePrice => ({
      source,
      price,
      observed_at,
      staleAt: staleAtOf(symbol, source, observed_at),
      suspect: of(suspects, source),
      refused: of(refused, source),
    }),
  )
  return { symbol, prices: known.sort(byRank), quoted: { quote, at, recordedAt }, pendingSince: undefined }
}

/** The book of a symbol of which nothing is known; undefined if the service doesn't price it. */
export const newBook = (symbol: string): QuoteBook | undefined =>
  isServedSymbol(symbol) ? { symbol, prices: [], quoted: undefined, pendingSince: undefined } : undefined
