import { Compile } from '#typebox'
import { isServedSymbol } from '../contracts/instruments.ts'
import type { Lapse, Quote, Standing, Tick } from '../contracts/records.ts'
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

/** The state of a symbol that its quote record carries, as JSON. It suffices to decide on the next tick. */
export type QuoteState = {
  /** The newest believed price of each source. */
  readonly prices: Readonly<Record<string, Observed>>
  /** By source: a price that waits for confirmation by a second one. */
  readonly suspects: Readonly<Record<string, Offer>>
  /** By source: the price that was quarantined last. */
  readonly refused: Readonly<Record<string, Observed>>
  /** The time at which the quote was decided, UTC milliseconds. */
  readonly at: number
  /**
   * Record time of the tick on which the quote was decided, UTC milliseconds. It is before `at` if the writer's clock was behind.
   */
  readonly recordedAt: number
  /** When the symbol's standing was recorded last, UTC milliseconds; undefined in quotes of releases without standings. */
  readonly announcedAt?: number | undefined
}

/** The state of a symbol between two quotes: the last quote, and the prices received since. */
export type QuoteBook = {
  readonly symbol: string
  /** Best source first. */
  readonly prices: readonly SourcePrice[]
  /** The last quote with its times; undefined before the first price. */
  readonly quoted: (Pick<QuoteState, 'at' | 'recordedAt' | 'announcedAt'> & { readonly quote: Quote }) | undefined
  /** Offset of the oldest tick that moved `prices` and that no quote carries yet. */
  readonly pendingSince: number | undefined
}
export type Outlier = Offer & { readonly source: string }

export type QuoteDecision = {
  readonly book: QuoteBook
  readonly quote?: Quote
  /** The quote has changed from current to stale, or back. */
  readonly transition?: 'stale' | 'recovered'
  /** Present if the symbol's standing is to be recorded; its lapse is null if no source has become late. */
  readonly standing?: Pick<Standing, 'source' | 'lapse'>
  /** Suspect prices that were dropped because nothing confirmed them. */
  readonly outliers: readonly Outlier[]
  /** The time of the decision, UTC milliseconds. */
  readonly at: number
}

/** Shortest interval between two quotes that differ in price only. Any other change is quoted at once. */
const QUOTE_INTERVAL_MS = 200
/** Greatest assumed difference between writers' clocks. A record time that lies further back means that a clock was corrected. */
const CLOCK_SKEW_MS = 60_000
/** After so long a standing that has not changed is recorded again. The topic is kept for several times as long. */
const ANNOUNCE_EVERY_MS = 7 * 86_400_000
/**
 * How far the observation time of a price may lie after its record time: a source may give the end of its day. A price
 * from further ahead would outlive every true price.
 */
export const BELIEVED_AHEAD_MS = 86_400_000
/** Whether a time lies within the years that the market calendar covers and the journal's time format can express. */
const isSensible = (at: number): boolean => at >= Date.UTC(1900, 0) && at < Date.UTC(9999, 0)

/**
 * Decides what one tick changes in the book of its symbol; undefined if nothing. It decides from the record alone:
 * prices are current or stale at the record's `recorded_at`, so that a replay decides the same. A tick has no effect if
 * the last quote already includes it, if it repeats another, or if it makes no sense.
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

  const { prices, outliers, judged } = receive(book, tick, offset, at)
  const chosen = choosePrice(prices, at)
  if (!chosen) return undefined
  const stale = chosen.staleAt <= at
  const before = quoted?.quote
  const moved = prices !== book.prices
  const lapse = lapseOf(book, at)
  const turned = !before || before.stale !== stale || before.source !== chosen.source || lapse !== null
  const changed = turned || judged
  const pendingSince = book.pendingSince ?? (moved || changed ? offset : undefined)
  if (pendingSince === undefined) return undefined
  if (!changed && !intervalIsOver(book, recordedAt)) {
    return moved ? { book: { ...book, prices, pendingSince }, outliers, at } : undefined
  }
  const isDue = !stale && at - (quoted?.announcedAt ?? 0) >= ANNOUNCE_EVERY_MS
  // A stale quote that takes its price from another source stands as it did.
  const stands = isDue || (turned && !(stale && before?.stale))
  const announcedAt = stands ? at : quoted?.announcedAt
  const quote: Quote = {
    symbol,
    price: chosen.price,
    source: chosen.source,
    observed_at: chosen.observed_at,
    stale,
    tick_partition: partition,
    tick_offset: offset,
    state: JSON.stringify(stateOf(prices, { at, recordedAt, announcedAt })),
  }
  return {
    book: { symbol, prices, quoted: { quote, at, recordedAt, announcedAt }, pendingSince: undefined },
    quote,
    ...(before && before.stale !== stale ? { transition: stale ? ('stale' as const) : ('recovered' as const) } : {}),
    ...(stands ? { standing: { source: stale ? '' : chosen.source, lapse } } : {}),
    outliers,
    at,
  }
}

/**
 * How the source of a current quote has become late by `at`; null if it has not. It follows from the times of prices
 * alone. So it is the same whether the timer of the price fired or the service was stopped until the next price.
 */
function lapseOf({ prices, quoted }: QuoteBook, at: number): Lapse | null {
  const served = quoted?.quote.stale ? undefined : prices.find(({ source }) => source === quoted?.quote.source)
  if (!served || served.staleAt > at) return null
  return { source: served.source, heard_at: served.observed_at, since: new Date(served.staleAt).toISOString() }
}

/**
 * The time at which a tick is judged: its record time. If that is before the last quote by no more than
 * `CLOCK_SKEW_MS`, the time of the last quote counts instead.
 */
function timeOf({ quoted }: QuoteBook, recordedAt: number): number {
  return quoted && recordedAt < quoted.at && recordedAt >= quoted.at - CLOCK_SKEW_MS ? quoted.at : recordedAt
}

/**
 * Compares the record times themselves, not the times of `timeOf`. Otherwise, after a clock was set back, no quote
 * would follow until the clock had caught up.
 */
function intervalIsOver({ quoted }: QuoteBook, recordedAt: number): boolean {
  return !quoted || Math.abs(recordedAt - quoted.recordedAt) >= QUOTE_INTERVAL_MS
}

type Received = {
  /** The same array if no price changed. */
  readonly prices: readonly SourcePrice[]
  readonly outliers: readonly Outlier[]
  /** Whether a suspect was held, confirmed or dropped. */
  readonly judged: boolean
}

function receive({ symbol, prices: known }: QuoteBook, tick: Tick, offset: number, at: number): Received {
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

/** The price of a tick, with its time in canonical form. Undefined for a timer and for a tick that makes no sense. */
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

/** The next time, UTC ms, at which a timer must re-decide the symbol's quote without a new price; undefined if none. */
export function nextDueAt({ prices, quoted, pendingSince }: QuoteBook, now: number): number | undefined {
  if (!quoted) return undefined
  const served = quoted.quote.stale ? undefined : prices.find(({ source }) => source === quoted.quote.source)
  const dues = prices.flatMap(({ suspect, staleAt }) => (suspect ? [staleAt] : []))
  if (served) dues.push(served.staleAt)
  if (pendingSince !== undefined) {
    // A quote from this far in the future comes from a wrong clock, so nothing waits for its time.
    const isAhead = quoted.recordedAt - now >= QUOTE_INTERVAL_MS
    dues.push(isAhead ? now : quoted.recordedAt + QUOTE_INTERVAL_MS)
  }
  return dues.length === 0 ? undefined : Math.min(...dues)
}

function stateOf(
  prices: readonly SourcePrice[],
  times: Pick<QuoteState, 'at' | 'recordedAt' | 'announcedAt'>,
): QuoteState {
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
    ...times,
  }
}

/** The book as it was when the quote was decided. */
export function bookOf(quote: Quote): QuoteBook {
  const { symbol } = quote
  // The JSON of `stateOf`. The first version of the processor kept prices only. The second had no `recordedAt`.
  const {
    prices,
    suspects = {},
    refused = {},
    at = 0,
    recordedAt = at,
    announcedAt,
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
  return { symbol, prices: known.sort(byRank), quoted: { quote, at, recordedAt, announcedAt }, pendingSince: undefined }
}

/** The empty book of a symbol; undefined if the service does not price the symbol. */
export const newBook = (symbol: string): QuoteBook | undefined =>
  isServedSymbol(symbol) ? { symbol, prices: [], quoted: undefined, pendingSince: undefined } : undefined
