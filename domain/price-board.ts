import { commodities, currencies, isCurrency, SIMULATOR } from '../contracts/instruments.ts'
import type { Quote } from '../contracts/records.ts'
import type { FxRate, FxRates, SpotPrice } from '../contracts/resources.ts'
import { type CrossRoute, crossPrice } from './cross-price.ts'
import { fxSession } from './market-calendar.ts'
import { staleAtOf } from './source-price.ts'

/** A quote, and when, UTC milliseconds, it is stale whatever it says. */
type Leg = { readonly quote: Quote; readonly expiresAt: number }
type Route = CrossRoute<Leg>
type Priced = {
  readonly price: string
  readonly timestamp: string
  readonly stale: boolean
  readonly sources: ReadonlySet<string>
}

/** Currencies through which a rate is computed if no source quotes the pair, best first. */
const pivots = ['USD', 'EUR'] as const
/**
 * The processor of quotes says when a price becomes stale. Nobody does where it is down, or where the disk is full: so long after
 * that time, ms, the board does. It is longer than the processor takes, and than the clocks of two nodes should differ.
 */
const UNSAID_MS = 60_000

/**
 * The current quote of every symbol, and the REST and stream bodies computed from the quotes. A fold over `quotes`. A
 * direct quote is served unchanged. Any other price is one decimal division, rounded once, half even, to eight
 * significant digits. `timestamp` is that of the oldest leg. `stale` is true if any leg is stale at `now`.
 */
export class PriceBoard {
  readonly #legsOf = new Map<string, Leg>()
  readonly #isSimulatorFed: boolean

  /** `isSimulatorFed`: the simulator will price what this board serves, though no quote on it may say so yet. */
  constructor({ isSimulatorFed = false }: { readonly isSimulatorFed?: boolean } = {}) {
    this.#isSimulatorFed = isSimulatorFed
  }

  /** Applies a quote. Ignores it if its tick is older than that of the quote on the board. */
  apply(quote: Quote): void {
    const { symbol, source, observed_at, stale } = quote
    const known = this.quote(symbol)
    if (known && known.tick_offset > quote.tick_offset) return
    const expiresAt = stale ? Number.NEGATIVE_INFINITY : staleAtOf(symbol, source, observed_at) + UNSAID_MS
    this.#legsOf.set(symbol, { quote, expiresAt })
  }

  quote(symbol: string): Quote | undefined {
    return this.#legsOf.get(symbol)?.quote
  }

  /** The spot price of a commodity; undefined if no source has priced one of the legs yet. Both codes must be served ones. */
  spot(commodity: string, currency: string, now: Date): SpotPrice | undefined {
    const priced = best(this.#routes(commodity, currency), now)
    const unit = commodities[commodity]?.unit
    if (!priced || !unit) return undefined
    const { price, timestamp, stale } = priced
    return { symbol: `${commodity}-${currency}`, price, currency, unit, timestamp, stale }
  }

  /** All rates of a base that can be computed, in the order of their codes; undefined if there is none. */
  fx(base: string, now: Date): FxRates | undefined {
    const found = currencies.flatMap((currency) => this.fxRate(base, currency, now) ?? [])
    if (found.length === 0) return undefined
    const market_session = found.some((one) => one.market_session === 'simulated') ? 'simulated' : fxSession(now)
    return { base, market_session, rates: found.map(({ rate }) => rate) }
  }

  /**
   * One rate with the session of its market. Simulated prices move day and night, so a rate built on one has the
   * session `simulated`, whatever the hours of the real market.
   */
  fxRate(base: string, currency: string, now: Date): (Pick<FxRates, 'market_session'> & { rate: FxRate }) | undefined {
    if (base === currency || !isCurrency(base) || !isCurrency(currency)) return undefined
    const priced = best(this.#rates(base, currency), now)
    if (!priced) return undefined
    const { price, timestamp, stale, sources } = priced
    const market_session = sources.has(SIMULATOR) ? 'simulated' : fxSession(now)
    return { market_session, rate: { currency, rate: price, timestamp, stale } }
  }

  /** Whether the board may serve a simulated price, current or stale. */
  get hasSimulated(): boolean {
    return this.#isSimulatorFed || this.#legsOf.values().some(({ quote }) => quote.source === SIMULATOR)
  }

  /** Whether the service is a demonstration. Stale prices that an earlier one left behind don't make it one. */
  get isDemonstration(): boolean {
    return this.#isSimulatorFed || this.#legsOf.values().some(({ quote }) => quote.source === SIMULATOR && !quote.stale)
  }

  /** Whether the price of `base` in `quote` is built on a simulated price. */
  isSimulated(base: string, quote: string, now: Date): boolean {
    const priced = best(this.#routes(base, quote), now)
    return priced?.sources.has(SIMULATOR) ?? false
  }

  /** The symbols from which the price of `base` in `quote` is computed, in the order in which the routes are tried. */
  routes(base: string, quote: string): CrossRoute[] {
    const symbols = (legs: readonly Leg[]) => legs.map(({ quote }) => quote.symbol)
    return [...this.#routes(base, quote)].map(({ over, under }) => ({ over: symbols(over), under: symbols(under) }))
  }

  *#routes(base: string, quote: string): Generator<Route> {
    const instrument = commodities[base]
    if (!instrument) {
      yield* this.#rates(base, quote)
      return
    }
    const native = this.#legsOf.get(`${base}-${instrument.currency}`)
    if (!native) return
    if (quote === instrument.currency) yield { over: [native], under: [] }
    else for (const { over, under } of this.#rates(instrument.currency, quote)) yield { over: [native, ...over], under }
  }

  *#rates(base: string, currency: string): Generator<Route> {
    yield* this.#legs(base, currency)
    for (const pivot of pivots) {
      if (pivot === base || pivot === currency) continue
      for (const to of this.#legs(base, pivot))
        for (const from of this.#legs(pivot, currency)) yield joinRoutes(to, from)
    }
  }

  /** Routes with a single quote: that of the pair, and the inverse of the reversed pair, as far as they exist. */
  *#legs(base: string, currency: string): Generator<Route> {
    const direct = this.#legsOf.get(`${base}-${currency}`)
    if (direct) yield { over: [direct], under: [] }
    const inverse = this.#legsOf.get(`${currency}-${base}`)
    if (inverse) yield { over: [], under: [inverse] }
  }
}

const joinRoutes = (a: Route, b: Route): Route => ({ over: [...a.over, ...b.over], under: [...a.under, ...b.under] })

/** The first route whose legs are all current, else the first: a fresh cross rate beats a stale direct quote. */
function best(routes: Iterable<Route>, now: Date): Priced | undefined {
  const isCurrent = ({ expiresAt }: Leg) => expiresAt > now.getTime()
  let first: Route | undefined
  for (const route of routes) {
    if (route.over.every(isCurrent) && route.under.every(isCurrent)) return { ...priceOf(route), stale: false }
    first ??= route
  }
  return first && { ...priceOf(first), stale: true }
}

function priceOf({ over, under }: Route): Omit<Priced, 'stale'> {
  const legs = [...over, ...under].map(({ quote }) => quote)
  const prices = (legs: readonly Leg[]) => legs.map(({ quote }) => quote.price)
  const [only] = over
  const direct = only && over.length === 1 && under.length === 0
  return {
    price: direct ? only.quote.price : crossPrice({ over: prices(over), under: prices(under) }),
    timestamp: legs.map(({ observed_at }) => observed_at).sort()[0] ?? '',
    sources: new Set(legs.map((quote) => quote.source)),
  }
}
